"""What is shown where."""
