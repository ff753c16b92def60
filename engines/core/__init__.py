"""What all games share: contract, randomness, encoding, replay, texts."""
