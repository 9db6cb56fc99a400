"""Does the clients' common work with PyMySQL or MySQL Connector/Python; see ../steps.ts for what each step is."""

import datetime
import decimal
import os
import sys
from importlib.metadata import version

HOST, PORT = os.environ["ODP_HOST"], int(os.environ["ODP_PORT"])
USER, PASSWORD = os.environ["ODP_USER"], os.environ["ODP_PASSWORD"]
DATABASE, TABLE = os.environ["ODP_DATABASE"], os.environ["ODP_TABLE"]
CA, FILE = os.environ["ODP_CA"], os.environ["ODP_FILE"]

TEXT = "héllo 漢字 🎉 'quoted' \\"
BYTES = bytes([0, 1, 255, 39, 92, 10, 26])
ROW = (
    decimal.Decimal("-1234567890.12345"),
    1.5,
    datetime.date(2026, 2, 28),
    datetime.datetime(2026, 2, 28, 23, 59, 58, 123456),
    BYTES,
    TEXT,
    None,
)
INSERT = f"INSERT INTO {TABLE} (id, d, f, dt, ts, b, s, n) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"
SELECT = f"SELECT d, f, dt, ts, b, s, n FROM {TABLE} WHERE id = %s"


def step(name, work):
    try:
        work()
        print(f"ok {name}", flush=True)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the step's result
        print(f"FAIL {name}: {type(error).__name__}: {error}", flush=True)


def same(left, right):
    if left != right:
        raise AssertionError(f"{left!r} in place of {right!r}")


class PyMySQL:
    def __init__(self):
        import pymysql

        self.module = pymysql
        self.version = version("PyMySQL")

    def connect(self, **more):
        tls = {"ssl": {"ca": CA}} if CA else {}
        return self.module.connect(
            host=HOST, port=PORT, user=USER, password=PASSWORD, database=DATABASE, **tls, **more
        )

    def cipher(self, connection):
        return connection._sock.cipher() if hasattr(connection._sock, "cipher") else None

    def multi(self):
        from pymysql.constants import CLIENT

        connection = self.connect(client_flag=CLIENT.MULTI_STATEMENTS)
        cursor = connection.cursor()
        cursor.execute("SELECT 1; SELECT 2, 3")
        results = [cursor.fetchall()]
        while cursor.nextset():
            results.append(cursor.fetchall())
        same(results, [((1,),), ((2, 3),)])
        connection.close()

    def load(self):
        return self.connect(local_infile=True)


class Connector:
    def __init__(self):
        import mysql.connector

        self.module = mysql.connector
        self.version = version("mysql-connector-python")

    def connect(self, **more):
        tls = {"ssl_ca": CA, "ssl_verify_cert": True} if CA else {}
        return self.module.connect(
            host=HOST, port=PORT, user=USER, password=PASSWORD, database=DATABASE, **tls, **more
        )

    def cipher(self, connection):
        return connection._socket.sock.cipher() if hasattr(connection._socket.sock, "cipher") else None

    def prepared(self):
        connection = self.connect()
        cursor = connection.cursor(prepared=True)
        cursor.execute(INSERT, (2, *ROW))
        connection.commit()
        for _ in range(3):
            cursor.execute(SELECT, (2,))
            (row,) = cursor.fetchall()
            same(plain(row), ROW)
        connection.close()

    def multi(self):
        connection = self.connect()
        cursor = connection.cursor()
        results = []
        cursor.execute("SELECT 1; SELECT 2, 3")
        results.append(cursor.fetchall())
        while cursor.nextset():
            results.append(cursor.fetchall())
        same(results, [[(1,)], [(2, 3)]])
        connection.close()

    def load(self):
        return self.connect(allow_local_infile=True)


def plain(row):
    return tuple(bytes(value) if isinstance(value, bytearray) else value for value in row)


def main(kind):
    client = PyMySQL() if kind == "pymysql" else Connector()
    print(f"version {client.version}", flush=True)
    connection = client.connect()
    cursor = connection.cursor()

    def connect():
        cursor.execute("SELECT 5")
        same(plain(cursor.fetchall()[0]), (5,))
        if CA and not client.cipher(connection):
            raise AssertionError("the connection is not in TLS")
        connection.ping()

    def charset():
        cursor.execute("SELECT %s, CHAR_LENGTH(%s)", (TEXT, TEXT))
        same(plain(cursor.fetchall()[0]), (TEXT, len(TEXT)))

    def text():
        cursor.execute(
            f"CREATE TABLE {TABLE} (id BIGINT PRIMARY KEY, d DECIMAL(15,5), f DOUBLE, dt DATE, ts DATETIME(6),"
            " b VARBINARY(1000), s VARCHAR(200), n INT)"
        )
        cursor.execute(INSERT, (1, *ROW))
        same(cursor.rowcount, 1)
        connection.commit()
        cursor.execute(SELECT, (1,))
        same(plain(cursor.fetchall()[0]), ROW)

    def transaction():
        connection.rollback()
        cursor.execute(f"UPDATE {TABLE} SET n = 1 WHERE id = 1")
        connection.rollback()
        cursor.execute(f"SELECT n FROM {TABLE} WHERE id = 1")
        same(plain(cursor.fetchall()[0]), (None,))
        cursor.execute(f"UPDATE {TABLE} SET n = 2 WHERE id = 1")
        connection.commit()
        cursor.execute(f"SELECT n FROM {TABLE} WHERE id = 1")
        same(plain(cursor.fetchall()[0]), (2,))
        connection.commit()

    def error():
        try:
            cursor.execute("SELECT * FROM no_such_table")
        except Exception as problem:  # noqa: BLE001 - two drivers, two classes
            same(problem.args[0], 1146)
        else:
            raise AssertionError("no error")
        cursor.execute("SELECT 6")
        same(plain(cursor.fetchall()[0]), (6,))

    def big():
        size = 5_000_000
        cursor.execute("SELECT %s", ("x" * size,))
        same(cursor.fetchall()[0][0], "x" * size)

    def load():
        other = client.load()
        into = other.cursor()
        into.execute(f"LOAD DATA LOCAL INFILE '{FILE}' INTO TABLE {TABLE} FIELDS TERMINATED BY ',' (id, s)")
        same(into.rowcount, 1000)
        other.commit()
        into.execute(f"SELECT COUNT(*), MAX(s) FROM {TABLE} WHERE id >= 1000")
        same(plain(into.fetchall()[0]), (1000, "line 1999"))
        other.close()

    step("connect", connect)
    step("charset", charset)
    step("text", text)
    if hasattr(client, "prepared"):
        step("prepared", client.prepared)
    step("transaction", transaction)
    step("multi", client.multi)
    step("error", error)
    step("big", big)
    step("load", load)
    connection.close()


main(sys.argv[1])
