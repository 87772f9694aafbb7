"""How answers came about, and whether they would today."""
