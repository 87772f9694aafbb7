"""Several leaflets on one medicine: who they are by, which of them answer, where they differ."""
