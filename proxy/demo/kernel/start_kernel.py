"""Runs one genuine OceanBase kernel until its standard input closes.

Usage: start_kernel.py DATA_DIR PORT     (in a virtual environment that has the package of requirements.txt)

Prints the line "kernel ready" once its MySQL port can be used; whatever else it prints is the kernel's own talk. The
process that started it holds the other end of standard input, so the kernel also ends when that process is killed.
"""

import os
import signal
import sys

import pylibseekdb

START_STATEMENTS = (
    "SET GLOBAL ob_tcp_invited_nodes = '127.0.0.1'",
    "ALTER SYSTEM SET syslog_level = 'ERROR'",
)


def end_at_once(_signal, _frame):
    os._exit(0)


def admit_this_machine_only():
    """The port is open on every address and cannot be told otherwise, and root has no password: refuse the rest."""
    connection = pylibseekdb.connect("oceanbase", True)
    cursor = connection.cursor()
    for statement in START_STATEMENTS:
        cursor.execute(statement)
    connection.close()


def main():
    if len(sys.argv) != 3 or not sys.argv[2].isdigit():
        sys.exit("usage: start_kernel.py DATA_DIR PORT")
    data_dir, port = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    os.makedirs(data_dir, exist_ok=True)
    # The kernel leaves log files in the directory it is started in.
    os.chdir(data_dir)
    pylibseekdb.open_with_service(data_dir, port)
    admit_this_machine_only()
    signal.signal(signal.SIGTERM, end_at_once)
    signal.signal(signal.SIGINT, end_at_once)
    print("kernel ready", flush=True)
    while sys.stdin.buffer.read(4096):
        pass
    # An orderly close takes seconds and keeps nothing that anybody wants: the data directory is thrown away.
    os._exit(0)


if __name__ == "__main__":
    main()
