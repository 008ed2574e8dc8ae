"""The dashboard: pages and streams for tablets and phones. Flask is known only here."""
