"""One file with all of a data folder that cannot be made again, and the way back.

`snapshot` copies what belongs together, `archive` puts it into a ZIP with a `manifest` and takes it out again,
`restoring` makes a data folder of it beside the present one, and `swap` lets that take its place.
"""
