"""One session for all tests: a classic one, or a Connect server on the loopback that is stopped."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import rankgain

QUIET = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "3",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def _workers_find_the_package() -> None:
    home = str(Path(rankgain.__file__).parents[1])
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join([home, os.environ.get("PYTHONPATH", "")])


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


# A server of Spark Connect in a process of its own, until its input ends.
SERVER = """
import sys
from pyspark.sql import SparkSession
builder = SparkSession.builder.master("local[2]")
for one in sys.argv[1:]:
    builder = builder.config(*one.split("=", 1))
session = builder.getOrCreate()
print("ready", flush=True)
sys.stdin.read()
session.stop()
"""


@contextmanager
def connected(sql: Any) -> Iterator[Any]:
    port = _free_port()
    own = {
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.port": str(port),
        "spark.connect.grpc.binding.address": "127.0.0.1",
    }
    settings = [f"{name}={value}" for name, value in (QUIET | own).items()]
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, *settings],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        while server.stdout.readline().strip() != "ready":
            assert server.poll() is None, "the server did not start"
        session = sql.SparkSession.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate()
        yield session
        session.stop()
    finally:
        server.stdin.close()
        server.wait(120)
        server.stdout.close()


@pytest.fixture(scope="session", params=["classic", "connect"])
def spark(request: Any) -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql")
    _workers_find_the_package()
    if request.param == "connect":
        pytest.importorskip("grpc")
        pytest.importorskip("grpc_status")
        jars = Path(sql.__file__).parents[1] / "jars"
        if not any(jars.glob("spark-connect_*.jar")):  # before 4.0 it is no part of the wheel
            pytest.skip("pyspark has no server of Spark Connect")
        with connected(sql) as session:
            yield session
        return
    builder = sql.SparkSession.builder.master("local[2]")
    for name, value in QUIET.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()
