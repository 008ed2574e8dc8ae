"""Ten thousand games of each kind by the rules alone, without a table: `make soak`, resumable."""
