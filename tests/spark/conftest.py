"""One session for all tests: a classic one, or a Connect server on the loopback that is stopped."""

import os
import socket
import sys
from collections.abc import Iterator
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


@pytest.fixture(scope="session", params=["classic", "connect"])
def spark(request: Any) -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql")
    _workers_find_the_package()
    if request.param == "connect":
        pytest.importorskip("grpc")
        pytest.importorskip("grpc_status")
        builder = sql.SparkSession.builder.remote("local[2]")
        builder = builder.config("spark.connect.grpc.binding.port", str(_free_port()))
    else:
        builder = sql.SparkSession.builder.master("local[2]")
    for name, value in QUIET.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()
