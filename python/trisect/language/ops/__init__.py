"""The language's builtin functions, by theme. Each checks nothing itself: it unwraps and calls the
semantic object.
"""
