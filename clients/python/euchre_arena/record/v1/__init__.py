"""Generated from proto/euchre_arena/record/v1: the whole truth about a match."""
