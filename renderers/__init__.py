"""The painters of the games: views in, pictures out."""
