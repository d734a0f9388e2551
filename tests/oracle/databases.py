"""Databases that run the queries of `rg.sql`: each has `fill` and `ask`."""

import csv
import io
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

Columns = Mapping[str, str]  # name -> "text", "bigint" or "double precision"
Rows = Sequence[Sequence[Any]]


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class Embedded:
    """A database with cursors in this process."""

    def __init__(self, dialect: str, connection: Any) -> None:
        self.dialect, self.connection = dialect, connection

    def fill(self, table: str, columns: Columns, rows: Rows) -> None:
        named = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns.items())
        self.connection.execute(f"DROP TABLE IF EXISTS {quoted(table)}")
        self.connection.execute(f"CREATE TABLE {quoted(table)} ({named})")
        marks = ", ".join("?" * len(columns))
        if rows:
            self.connection.executemany(
                f"INSERT INTO {quoted(table)} VALUES ({marks})", list(map(list, rows))
            )

    def ask(self, text: str) -> Any:
        return self.connection.execute(text)


class Postgres:
    """A server on a socket of its own, through psql, which gives CSV."""

    dialect = "postgres"

    def __init__(self, folder: str, command: str, user: str | None) -> None:
        self.folder, self.command, self.user = folder, command, user

    def run(self, text: str) -> str:
        command = [self.command, "-h", self.folder, "-U", "postgres", "-d", "postgres", "-q"]
        command += ["-X", "--csv", "-v", "ON_ERROR_STOP=1"]
        result = subprocess.run(
            command, input=text, capture_output=True, encoding="utf-8", cwd="/", user=self.user
        )
        if result.returncode:
            raise ValueError(result.stderr)
        return result.stdout

    def fill(self, table: str, columns: Columns, rows: Rows) -> None:
        named = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns.items())
        out = io.StringIO()
        write = csv.writer(out, lineterminator="\n")
        write.writerows(["" if one is None else one for one in row] for row in rows)
        name = quoted(table)
        self.run(
            f"DROP TABLE IF EXISTS {name}; CREATE TABLE {name} ({named});\n"
            f"COPY {name} FROM STDIN WITH (FORMAT csv);\n{out.getvalue()}\\.\n"
        )

    def ask(self, text: str) -> Any:
        rows = csv.DictReader(io.StringIO(self.run(text + ";"), newline=""))
        return [{name: one or None for name, one in row.items()} for row in rows]


class ClickHouse:
    """ClickHouse in this process."""

    dialect = "clickhouse"

    def __init__(self) -> None:
        self.session = pytest.importorskip("chdb.session").Session()
        self.session.query("SET output_format_json_quote_denormals = 1")
        self.session.query("CREATE DATABASE lab")

    def _name(self, table: str) -> str:
        return "lab." + quoted(table)

    def fill(self, table: str, columns: Columns, rows: Rows) -> None:
        kinds = {"text": "String", "bigint": "Int64", "double precision": "Float64"}
        named = ", ".join(
            f"{quoted(name)} Nullable({kinds[kind]})" for name, kind in columns.items()
        )
        self.session.query(f"DROP TABLE IF EXISTS {self._name(table)}")
        self.session.query(f"CREATE TABLE {self._name(table)} ({named}) ENGINE = Memory")
        texts = (", ".join(map(self._value, row)) for row in rows)
        values = ", ".join(f"({text})" for text in texts)
        self.session.query(f"INSERT INTO {self._name(table)} VALUES {values}")

    def _value(self, one: Any) -> str:
        if one is None:
            return "NULL"
        return repr(one) if isinstance(one, str) else str(one)

    def ask(self, text: str) -> Any:
        result = str(self.session.query(text, "JSONEachRow"))
        return [json.loads(line) for line in result.splitlines()]


class Spark:
    dialect = "spark"

    def __init__(self, session: Any) -> None:
        self.session = session

    def fill(self, table: str, columns: Columns, rows: Rows) -> None:
        kinds = {"text": "string", "bigint": "bigint", "double precision": "double"}
        schema = ", ".join(
            "`" + name.replace("`", "``") + "` " + kinds[kind] for name, kind in columns.items()
        )
        doubles = [kind == "double precision" for kind in columns.values()]
        values = [
            tuple(
                float(one) if is_double and one is not None else one
                for one, is_double in zip(row, doubles, strict=True)
            )
            for row in rows
        ]
        frame = self.session.createDataFrame(values, schema)
        frame.createOrReplaceTempView(table)

    def ask(self, text: str) -> Any:
        return self.session.sql(text).collect()


def clickhouse() -> ClickHouse:
    return ClickHouse()


def sqlite() -> Embedded:
    return Embedded("sqlite", sqlite3.connect(":memory:"))


def duckdb() -> Embedded:
    return Embedded("duckdb", pytest.importorskip("duckdb").connect())


def _program(name: str) -> str | None:
    """A program of Postgres, which Debian puts beside its others, not on the path."""
    result = shutil.which(name)
    beside = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return result or (str(beside[-1]) if beside else None)


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A new cluster, whose text is in the order of English where the server can."""
    programs = {name: _program(name) for name in ("initdb", "postgres", "psql")}
    missing = [name for name, path in programs.items() if path is None]
    if missing:
        pytest.skip(f"Postgres is not installed: no {missing[0]}")
    user = None
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # the server refuses to run as root
        import pwd

        if "postgres" not in {one.pw_name for one in pwd.getpwall()}:
            pytest.skip("Postgres does not run as root, and there is no user postgres")
        user = "postgres"
    folder = tempfile.mkdtemp(prefix="rg")
    if user:
        shutil.chown(folder, user)
    data, options = (
        f"{folder}/data",
        {"cwd": "/", "user": user, "env": {"PATH": os.environ["PATH"]}},
    )
    make = [programs["initdb"], "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"]
    make += ["--locale=C.UTF-8"]
    icu = [*make, "--locale-provider=icu", "--icu-locale=en"]
    server = None
    try:
        for command in (icu, make):
            shutil.rmtree(data, ignore_errors=True)
            made = subprocess.run(command, capture_output=True, **options)  # type: ignore[call-overload]
            if not made.returncode:
                break
        else:
            pytest.skip(f"initdb failed: {made.stderr.decode()[-200:]}")
        command = [programs["postgres"], "-D", data, "-k", folder, "-c", "listen_addresses="]
        command += ["-F"]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload]
        assert server.stderr is not None
        for line in server.stderr:
            if "ready to accept connections" in line:
                break
        else:
            pytest.skip("Postgres did not start")
        yield Postgres(folder, str(programs["psql"]), user)
    finally:
        if server is not None:
            server.terminate()
            server.communicate(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)
