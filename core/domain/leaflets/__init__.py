"""What a question asks of leaflets: the conditions that it states, and the plan that holds them."""
