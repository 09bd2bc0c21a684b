"""The parts of trisect.testing."""
