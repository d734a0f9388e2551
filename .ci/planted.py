"""What .ci/mutate puts beside the package: which planted error is on, and runs of chosen tests.

The file that RANKGAIN_PLANTED names has two bytes for each error: whether it is on, and whether its
place was reached. The core maps the same file. As a plugin of pytest, this module collects the
suite once and then runs what it is sent, each time in a fork of itself.
"""

import contextlib
import json
import mmap
import os
import signal
import time
from multiprocessing.connection import Connection

SIZE = 1 << 16
shared: mmap.mmap | bytearray = bytearray(SIZE)
if "RANKGAIN_PLANTED" in os.environ:
    with open(os.environ["RANKGAIN_PLANTED"], "r+b") as file:
        shared = mmap.mmap(file.fileno(), SIZE)
failures: list[str] = []


def is_on(number: int) -> int:
    shared[2 * number + 1] = 1
    return shared[2 * number]


def reached() -> list[int]:
    return [at // 2 for at in range(1, SIZE, 2) if shared[at]]


def pytest_runtest_logreport(report) -> None:
    if report.failed:
        failures.append(f"{report.nodeid}\n{report.longreprtext}")


def run_in_fork(session, tests: list, stop: bool, log: str) -> None:
    """Run (item, seconds it may take), if `stop` up to the first that fails; a line for each."""
    os.setpgid(0, 0)
    with open(log, "w", buffering=1) as file:
        for at, (item, limit) in enumerate(tests):
            shared[1::2] = bytes(SIZE // 2)
            failures.clear()
            following = tests[at + 1][0] if at + 1 < len(tests) else None
            began = time.monotonic()
            signal.alarm(limit)  # ends the fork
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            signal.alarm(0)
            seconds = time.monotonic() - began
            print(json.dumps((seconds, reached(), failures)), file=file)
            if failures and stop:
                break


def pytest_runtestloop(session) -> bool:
    pipe = Connection(int(os.environ.pop("RANKGAIN_PIPE")))
    log = os.environ["RANKGAIN_PLANTED"] + ".log"
    if session.testsfailed:  # a file could not be collected
        return True
    items = {item.nodeid: item for item in session.items}
    pipe.send((list(items), reached()))
    while job := pipe.recv():
        number, tests, stop = job
        if number is not None:
            shared[2 * number] = 1
        child = os.fork()
        if not child:
            try:
                run_in_fork(session, [(items[test], limit) for test, limit in tests], stop, log)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what its tests started
        if number is not None:
            shared[2 * number] = 0
        with open(log) as file:
            pipe.send([json.loads(line) for line in file])
    return True
