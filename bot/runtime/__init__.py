"""What keeps the process going: background tasks, heartbeat, memory, time, logs."""
