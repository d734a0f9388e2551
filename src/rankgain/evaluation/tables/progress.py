"""Progress of a long stream, in one line of a terminal."""

import sys
import time

EVERY = 0.5  # seconds


class Progress:
    """Writes the number of rows and lists to standard error, if that is a terminal."""

    def __init__(self, enabled: bool | None, what: str = "") -> None:
        self._enabled = sys.stderr.isatty() if enabled is None else bool(enabled)
        self._what, self._start, self._last, self._width = what, time.monotonic(), 0.0, 0

    def tell(self, rows: int, lists: int | None = None) -> None:
        """Show the numbers so far."""
        now = time.monotonic()
        if not self._enabled or now - self._last < EVERY:
            return
        self._last = now
        counted = "" if lists is None else f", {lists:,} lists"
        self._write(f"{self._what}{rows:,} rows{counted}, {now - self._start:.0f} s")

    def close(self) -> None:
        """Clear the line."""
        if self._width:
            self._write("")
            self._width = 0

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r{text:<{self._width}}" + ("" if text else "\r"))
        sys.stderr.flush()
        self._width = len(text)
