"""The commands of ``bauta`` beside serving."""
