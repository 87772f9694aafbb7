"""What the explorer asks of the server, and scripts may too: suggestions as one types, saved views."""
