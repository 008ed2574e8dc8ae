"""Real lines of a real kernel: User-Mode Linux with gpio-sim runs the service with gpiozero's own lgpio factory."""
