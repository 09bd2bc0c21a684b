"""What upstream keeps under this name; nothing of it is here."""
