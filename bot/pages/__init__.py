"""What messages look like."""
