"""Worker processes: how they are started and replaced, and the messages exchanged with them."""
