"""Text as such, whatever it tells: sentences and statements, stems, function words, language, quantities.

Knows no document, graph or question."""
