"""What a game of Game of Trains waits for, step by step: the set-up, the turns, the pool."""
