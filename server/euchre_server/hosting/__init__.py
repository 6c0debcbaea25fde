"""The course of matches: bots let in, legs played, records kept; any number side by side."""
