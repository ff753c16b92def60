"""Computer players think here: in processes of their own, bounded in time and memory."""
