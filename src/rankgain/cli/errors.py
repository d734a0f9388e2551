"""What the command line calls bad usage."""


class UsageError(ValueError):
    """Arguments of the command line that mean nothing."""
