"""A rehearsal on a real server: all that the bot relies on is tried once, and told in a table."""
