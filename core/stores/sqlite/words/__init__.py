"""Full text of the embedded store: where each word stands, and the ranking of passages by it.

FTS5 takes texts apart into words; where they stand is kept in two tables beside the chunks, a part for every
4,096 rows, so that adding and removing a document touches its own part alone and ranking is sums over arrays.
"""
