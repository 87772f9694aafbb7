"""What documents tell, read as questions are."""
