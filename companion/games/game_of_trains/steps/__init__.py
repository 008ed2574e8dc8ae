"""The steps of Game of Trains: set-up, turns and pool."""
