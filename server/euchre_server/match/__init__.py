"""Boards, schedules, standings and statistics of a match; pure."""
