"""The arena: referee, sessions, matches, records and the command line."""
