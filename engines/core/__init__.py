"""What all games share: contract, base class, kit, randomness, matches and replay, texts, the console."""
