"""The process of a `script` step in Python: reads batches of rows from one pipe and writes what the function makes of them to another,
a line of JSON each. It denies the code files, other processes and the network as far as Python's audit events tell of them; that keeps
mistakes away, and is no wall against an author who means harm."""

import asyncio
import base64
import inspect
import json
import os
import signal
import sys
import threading
import time
import traceback

ROWS_FD, ANSWERS_FD, LIFELINE_FD = 3, 4, 5
BEAT_SECONDS = 0.5
ROWS_OF_ITEM_MAX = 100_000
MESSAGE_CHARS_MAX = 1_000
SAFE_MAX = 2**53 - 1
DENIED = (
    "socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.startfile", "os.system", "os.kill",
    "os.killpg", "os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate",
    "os.utime", "pty.", "shutil.", "ctypes.", "signal.pthread_kill", "sqlite3.", "ftplib.", "http.client.", "urllib.", "smtplib.",
)
# How many of an event's arguments are paths that it changes.
CHANGING = {"os.mkdir": 1, "os.remove": 1, "os.rename": 2, "os.rmdir": 1}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
LIBRARIES = tuple({os.path.realpath(path) + os.sep for path in (sys.prefix, sys.base_prefix, *sys.path) if path})

answers = os.fdopen(ANSWERS_FD, "w", buffering=1, encoding="utf-8", newline="\n")


def watch():
    """Ends this process with its parent, whatever the function is busy with."""
    while os.read(LIFELINE_FD, 1):
        pass
    os.kill(os.getpid(), signal.SIGKILL)


def under(path, folders):
    return os.path.realpath(os.fsdecode(path)).startswith(folders)


def folders_of(paths):
    return tuple(os.path.realpath(path).rstrip(os.sep) + os.sep for path in paths)


class Guard:
    """Denies what nobody has granted, by Python's audit events."""

    def __init__(self, grants):
        self.readable = LIBRARIES + folders_of(grants["read"])
        self.writable = folders_of(grants["write"])
        self.hosts = frozenset(grants["network"])
        self.addresses = set()

    def __call__(self, event, args):
        if event == "open":
            if not isinstance(args[0], int):
                self.open(*args)
        elif event.startswith(DENIED) and not self.allows(event, args):
            raise PermissionError(f"{event} is not allowed in a script")

    def open(self, path, _, flags):
        if not under(path, self.writable if flags & WRITING else self.readable):
            raise PermissionError(f"The file {os.path.realpath(os.fsdecode(path))} is not open to a script")

    def allows(self, event, args):
        if event in CHANGING:
            return all(under(path, self.writable) for path in args[: CHANGING[event]])
        # Packages with native code look their own libraries up.
        if event == "ctypes.dlopen":
            return args[0] is None or under(args[0], LIBRARIES)
        if event == "ctypes.dlsym":
            return True
        return bool(self.hosts) and self.connects(event, args)

    def connects(self, event, args):
        if event in ("socket.__new__", "urllib.Request", "http.client.connect", "http.client.send", "socket.gethostname"):
            return True
        if event == "socket.getaddrinfo":
            self.require_host(args[0], args[1])
            return True
        if event == "socket.connect":
            address = args[1]
            return isinstance(address, tuple) and (address[0], address[1]) in self.addresses
        return False

    def require_host(self, host, port):
        name = (host.decode() if isinstance(host, bytes) else host or "localhost").lower()
        if name not in self.hosts and f"{name}:{port}" not in self.hosts:
            raise PermissionError(f'The script may not connect to "{name}:{port}": see SVC_SCRIPT_NETWORK')

    def watch_names(self):
        """Keeps the addresses of the hosts that may be connected to."""
        import socket

        plain = socket.getaddrinfo

        def watched(host, port, *args, **named):
            found = plain(host, port, *args, **named)
            self.addresses.update((address[0], address[1]) for *_, address in found)
            return found

        socket.getaddrinfo = watched


def tag(value):
    if isinstance(value, (bytes, bytearray)):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > SAFE_MAX:
        return {"$bigint": str(value)}
    if isinstance(value, dict):
        return {str(name): tag(one) for name, one in value.items()}
    return [tag(one) for one in value] if isinstance(value, (list, tuple)) else value


def untag(value):
    if "$bigint" in value:
        return int(value["$bigint"])
    return base64.b64decode(value["$bytes"]) if "$bytes" in value else value


def is_plain(value):
    if isinstance(value, dict):
        return all(map(is_plain, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    return not isinstance(value, (bytes, bytearray)) and not (
        isinstance(value, int) and not isinstance(value, bool) and abs(value) > SAFE_MAX
    )


def other(value):
    """Dates, times and decimals as texts."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if type(value).__name__ in ("Decimal", "UUID"):
        return str(value)
    raise TypeError(f"A value of type {type(value).__name__} cannot be part of an item")


def text(message):
    plain = is_plain(message)
    value = message if plain else tag(message)
    return ("" if plain else "!") + json.dumps(value, default=other, allow_nan=False, ensure_ascii=False, separators=(",", ":"))


def write(message):
    answers.write(text(message) + "\n")


def read(line):
    return json.loads(line[1:], object_hook=untag) if line.startswith("!") else json.loads(line)


def told(error):
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<script>"]
    line = lines[-1] if lines else error.lineno if isinstance(error, SyntaxError) else None
    words = error.msg if isinstance(error, SyntaxError) else str(error)
    return [f"{type(error).__name__}: {words}"[:MESSAGE_CHARS_MAX], line]


def load(start):
    scope = {"__name__": "script", "__builtins__": __builtins__}
    exec(compile(start["code"], "<script>", "exec"), scope)
    name = start["function"] or "transform"
    if not callable(scope.get(name)):
        raise NameError(f'The code has no function "{name}"')
    function = scope[name]
    takes_context = len(inspect.signature(function).parameters) > 1
    return function, takes_context


def rows_of(made):
    if made is None:
        return []
    if isinstance(made, dict):
        return [made]
    if isinstance(made, (str, bytes, int, float)) or not hasattr(made, "__iter__"):
        raise TypeError(f"The function gave {type(made).__name__}, and not an item")
    rows = []
    for one in made:
        if not isinstance(one, dict):
            raise TypeError(f"The function gave a list with {type(one).__name__}, and not an item")
        if len(rows) >= ROWS_OF_ITEM_MAX:
            raise OverflowError(f"One item became more than {ROWS_OF_ITEM_MAX:,} items")
        rows.append(one)
    return rows


async def listed(made):
    return [one async for one in made]


def settled(made, loop):
    if inspect.isawaitable(made):
        return loop.run_until_complete(made)
    return loop.run_until_complete(listed(made)) if inspect.isasyncgen(made) else made


def apply(function, takes_context, args, given, loop):
    out, counts, errors = [], [], []
    beat = time.monotonic()
    for at, row in enumerate(given["rows"]):
        now = time.monotonic()
        if now - beat > BEAT_SECONDS:
            write({"at": at})
            beat = now
        try:
            made = function(row, {"args": args, "index": given["first"] + at}) if takes_context else function(row)
            rows = rows_of(made if isinstance(made, dict) else settled(made, loop))
            out.extend(rows)
            counts.append(len(rows))
        except MemoryError:
            raise
        except BaseException as error:
            errors.append([at, *told(error)])
            counts.append(0)
    try:
        answer(out, counts, errors)
    except (TypeError, ValueError):
        answer(*without_unwritable(out, counts, errors))


def answer(out, counts, errors):
    write({"rows": out, "counts": None if all(count == 1 for count in counts) else counts, "errors": errors})


def without_unwritable(out, counts, errors):
    """The items whose rows JSON can hold; the others are errors."""
    kept, left, wrong, first = [], [], list(errors), 0
    for at, count in enumerate(counts):
        rows = out[first:first + count]
        first += count
        try:
            text(rows)
            kept.extend(rows)
            left.append(count)
        except (TypeError, ValueError) as error:
            wrong.append([at, told(error)[0], None])
            left.append(0)
    return kept, left, wrong


def serve():
    lines = os.fdopen(ROWS_FD, "r", encoding="utf-8", newline="\n")
    loop = asyncio.new_event_loop()
    threading.Thread(target=watch, daemon=True).start()
    start = read(lines.readline())
    guard = Guard(start["grants"])
    if guard.hosts:
        guard.watch_names()
    sys.addaudithook(guard)
    try:
        function, takes_context = load(start)
    except BaseException as error:
        message, line = told(error)
        write({"fault": {"message": message, "line": line}})
        answers.flush()
        time.sleep(1)
        return
    write({"ready": True})
    for line in lines:
        apply(function, takes_context, start["args"], read(line), loop)
    sys.stdout.flush()
    os._exit(0)


serve()
