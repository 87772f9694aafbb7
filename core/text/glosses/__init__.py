"""Questions put into English word by word."""
