"""Plans carried out: what each kind of plan is computed and told by."""
