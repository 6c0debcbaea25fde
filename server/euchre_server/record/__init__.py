"""The record of a match: what is kept, how it is written, read, checked, shown and handed on."""
