"""Several processes of one bot at one PostgreSQL, with kills and restarts. See ``python -m bench.shards``."""
