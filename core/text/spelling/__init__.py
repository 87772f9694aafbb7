"""What is known of spelling: what errors of typing cost, and how medicines are spelt."""
