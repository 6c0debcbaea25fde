"""Holds the generated stubs of the record's format."""
