"""The PostgreSQL store, which several processes may share: imported only if an address names it."""
