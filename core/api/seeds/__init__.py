"""Routes under the names and fields of the design documents (`docs/requirements.md`), beside those of
`core.api`: the same services, asked and answered as each document prints it, errors too."""
