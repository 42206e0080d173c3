"""Runs a command in a pseudo-terminal: types keys once a text has been written, and gives all that was written.

Reads {"argv", "cwd", "env", "columns", "rows", "steps": [{"until", "keys"}]} and writes {"output", "code"} as JSON.
"""

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time

task = json.load(sys.stdin)
child, terminal = pty.fork()
if child == 0:
    os.chdir(task["cwd"])
    os.execvpe(task["argv"][0], task["argv"], task["env"])

size = struct.pack("HHHH", task["rows"], task["columns"], 0, 0)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
output = b""
searched = 0
steps = list(task["steps"])
deadline = time.monotonic() + 30


def find():
    """Types the keys of the next step where its text has come."""
    global searched
    while steps:
        at = output.find(steps[0]["until"].encode(), searched)
        if at < 0:
            return
        searched = len(output)
        # The question listens a moment after it was written.
        time.sleep(0.05)
        os.write(terminal, steps.pop(0)["keys"].encode())


while time.monotonic() < deadline:
    ready, _, _ = select.select([terminal], [], [], 0.1)
    if not ready:
        continue
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    output += piece
    find()
else:
    os.kill(child, 9)

_, status = os.waitpid(child, 0)
json.dump({"output": output.decode(), "code": os.waitstatus_to_exitcode(status), "left": steps}, sys.stdout)
