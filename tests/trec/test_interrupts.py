"""Interrupted while reading: one line and status 130, or a KeyboardInterrupt before the end."""

import contextlib
import ctypes
import functools
import gc
import io
import os
import signal
import subprocess
import sys
import threading
import time
from operator import methodcaller

import numpy as np
import pytest

import rankgain as rg
from rankgain import _core
from rankgain.trec.stream import Stream
from sampling import sampled

posix = pytest.mark.skipif(os.name == "nt", reason="interrupts come otherwise there")
ROWS = b"".join(b"1 Q0 d%d 0 %d t\n" % (i, i * 7919 % 10007) for i in range(100_000))
COMMANDS = {
    "trec_eval": ["trec_eval", "qrels"],
    "trec_eval per query": ["trec_eval", "-q", "-c", "qrels"],
    "evaluate": ["evaluate", "-m", "AP", "qrels"],
    "evaluate with ties": ["evaluate", "-m", "AP", "--convention", "trec_eval-9", "qrels"],
    "explain": ["explain", "--query", "1", "qrels"],
    "reconcile": ["reconcile", "-m", "AP", "qrels"],
}


@pytest.fixture(autouse=True)
def interrupts_are_heard():
    """A shell has what it starts in the background ignore them, and all that this starts too."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@posix
@pytest.mark.parametrize(("command", "source"), sampled(COMMANDS, ["-", "pipe"], one_in=2))
def test_a_command_that_reads_ends_with_one_line(command, source, tmp_path):
    (tmp_path / "qrels").write_text("1 0 d1 1\n")
    os.mkfifo(tmp_path / "pipe")
    program = "import sys; from rankgain.cli import main; sys.exit(main(sys.argv[1:]))"
    rules = ["trec", "ranx"] if command == "reconcile" else []
    arguments = [sys.executable, "-c", program, *COMMANDS[command], source, *rules]
    channels = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(arguments, cwd=tmp_path, **channels) as process:
        target = process.stdin if source == "-" else opened(tmp_path / "pipe", process)
        with target:
            target.write(ROWS)  # more than a pipe holds: then it is reading
            target.flush()
            assert interrupted(process) == 130
        assert process.stdout.read() == b""
        assert process.stderr.read() == b"rankgain: interrupted\n"


def interrupted(process):
    """Interrupt a process that reads. Python notices a signal just before a read only after it,
    so that one of some hundred needs a second."""
    for _ in range(5):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(20)
    pytest.fail("five interrupts did not end it")


def opened(pipe, reader):
    """A pipe to write to, once its reader opened it. Opening it waits even for one that ended."""
    while reader.poll() is None:
        with contextlib.suppress(OSError):  # nobody reads yet
            end = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
            os.set_blocking(end, True)
            return os.fdopen(end, "wb")
        time.sleep(0.01)
    pytest.fail(f"ended with {reader.returncode}: {reader.stderr.read()}")


def with_pending_interrupt(*calls):
    """Make calls while an interrupt waits; no Python code runs before the first of them."""
    interrupt = ctypes.pythonapi.PyErr_SetInterrupt
    interrupt.restype = None
    gc.disable()  # who counts its runs, as hypothesis does, is Python code
    try:
        with pytest.raises(KeyboardInterrupt):
            list(map(methodcaller("__call__"), (interrupt, *calls)))
    finally:
        gc.enable()


def test_an_interrupt_that_waits_is_noticed_at_the_next_call():
    seen = []
    with_pending_interrupt(functools.partial(seen.append, 1))
    assert seen == [1]  # what checks nothing is done before


@pytest.mark.parametrize("lists", [[0, 200_000], list(range(0, 200_001, 1000))])
def test_ordering_long_and_many_lists_is_interrupted(lists):
    n = lists[-1]
    scores = np.random.default_rng(0).random(n)
    ids, starts = np.full(n, 65, np.uint8), np.arange(n + 1)
    order = np.arange(n)
    arguments = scores, ids, starts, np.array(lists), order
    with_pending_interrupt(functools.partial(_core.order_lists, *arguments))
    assert np.array_equal(order[n // 2 + 1000 :], np.arange(n // 2 + 1000, n))
    assert _core.order_lists(*arguments)
    assert np.all(np.diff(scores[order[: lists[1]]]) <= 0)


@pytest.mark.parametrize(
    "lists", sampled([[0, 2_200_000], list(range(0, 2_200_001, 1000))], one_in=2)
)
def test_the_index_of_long_and_many_lists_is_interrupted(lists):
    n = lists[-1]
    ids = np.frombuffer(b"".join(b"%07d" % i for i in range(n)), np.uint8)
    places = np.arange(n + 1) * 7
    tables = np.empty(len(lists), np.int64)
    slots = np.zeros(_core.table_starts(np.array(lists), tables), np.uint64)
    arguments = ids, places, np.array(lists), slots, tables
    with_pending_interrupt(functools.partial(_core.index_lists, *arguments))
    assert np.count_nonzero(slots) < n
    slots[:] = 0
    assert _core.index_lists(*arguments) is None
    assert np.count_nonzero(slots) == n


class Interrupts(io.RawIOBase):
    """Rows without end, and an interrupt after some of them."""

    reads = 0

    def readable(self):
        return True

    def readinto(self, block):
        self.reads += 1
        if self.reads == 5:
            signal.raise_signal(signal.SIGINT)
        rows = ROWS[: ROWS.rindex(b"\n", 0, len(block)) + 1]
        block[: len(rows)] = rows
        return len(rows)


@pytest.mark.parametrize(
    "read", [rg.Run, lambda source: rg.evaluate({"1": {"d1": 1}}, source, "AP")]
)
def test_reading_without_end_is_interrupted(read):
    source = Interrupts()
    with pytest.raises(KeyboardInterrupt):
        read(source)
    assert source.reads == 5


def test_who_interrupts_does_not_wait_for_the_second_reader(tmp_path, monkeypatch):
    path = tmp_path / "run"
    path.write_bytes(b"".join(b"%d Q0 d%d 0 1 t\n" % (q, d) for q in range(99) for d in range(99)))
    started, release, blocks = threading.Event(), threading.Event(), Stream.blocks
    late = []

    def stops(self, reader, stream, together):
        if threading.current_thread() is threading.main_thread():
            started.wait()
            raise KeyboardInterrupt
        late.append(stream)
        started.set()
        release.wait()
        return blocks(self, reader, stream, together)

    monkeypatch.setattr(Stream, "blocks", stops)
    with pytest.raises(KeyboardInterrupt):
        rg.evaluate({"1": {"d1": 1}}, path, "AP", threads=2)
    assert [part.wanted for part in late] == [False]
    release.set()


def interrupt_with_arguments():
    """A function in C that asks for an interrupt, whatever it is called with."""
    function = ctypes.PyDLL(None).PyErr_SetInterrupt
    function.restype = None
    return function


@posix
@pytest.mark.parametrize("relevant", [False, True])
def test_matching_the_ids_of_a_long_list_is_interrupted(relevant):
    long, short = [str(i) for i in range(200_000)], ["7"]
    core = _core.IdMatch(interrupt_with_arguments(), None, False)
    with pytest.raises(KeyboardInterrupt):
        core.match(*([short], [long]) if relevant else ([long], [short]))
    assert core.n_unique < len(long) * relevant + (not relevant)


@posix
def test_a_handler_may_let_go_of_ids_that_are_matched():
    rows, expected = [[str(i) for i in range(200_000)]], [[str(i) for i in range(199_999, 0, -3)]]
    core = _core.IdMatch(interrupt_with_arguments(), None, False)
    ran = []

    def let_go(*_):
        ran.append(len(expected[0]))
        for lists in (rows, expected):
            lists[0].clear()

    before = signal.signal(signal.SIGINT, let_go)
    try:
        assert core.match(rows, expected) is None
    finally:
        signal.signal(signal.SIGINT, before)
    assert ran == [66_667]
    assert core.n_unique == 66_667
    assert np.frombuffer(core.columns()[0], np.int64).tolist() == [66_667]
