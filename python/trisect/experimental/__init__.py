"""Nothing here yet; programs look below this name for what they can do without."""
