"""The lines of the rehearsal's table, by topic. A new line is one function in one of these modules."""
