"""`python -m trisect cache`: what is kept of kernels, looked at, removed and put in order."""
