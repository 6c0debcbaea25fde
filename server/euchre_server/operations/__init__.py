"""What an arena tells those who keep it running."""
