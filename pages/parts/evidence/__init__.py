"""The panel beside an answer: what each citation rests on."""
