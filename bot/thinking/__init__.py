"""Computer players think here: in worker processes with limited time and memory."""
