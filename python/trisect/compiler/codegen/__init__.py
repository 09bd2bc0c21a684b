"""From Python syntax trees to TTIR, by theme: source, names, expressions, statements, control flow, calls."""
