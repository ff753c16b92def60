"""Processes that paint pictures and think for computer players."""
