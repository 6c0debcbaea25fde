"""The one part of the record that knows protobuf: values to bytes and back."""

from euchre_server.record.codec.reading import UnreadableEntry, decode
from euchre_server.record.codec.writing import encode

__all__ = ["UnreadableEntry", "decode", "encode"]
