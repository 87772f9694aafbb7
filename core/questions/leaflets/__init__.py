"""Questions to leaflets read: the section asked for, whose case it is, what is wanted."""
