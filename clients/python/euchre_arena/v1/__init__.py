"""Generated from proto/euchre_arena/v1: what a bot may see and say."""
