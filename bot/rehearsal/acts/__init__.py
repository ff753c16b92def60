"""The lines of the rehearsal's table, by what they are about. A new line is one function in one of these."""
