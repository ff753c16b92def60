"""PostgreSQL, which several processes may share: imported only where an address names it."""
