"""What is measured, and how: see each module."""
