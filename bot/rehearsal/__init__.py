"""A rehearsal on a real server: tries once everything that the bot relies on, and reports it in a table."""
