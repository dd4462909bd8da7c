"""An origin behind the servers, and relays in front of them, in one event loop.

    python3 origin.py ORIGIN_PORT CONTROL_PORT [RELAY_PORT=TARGET_PORT ...]

The origin speaks HTTP/1.1. Its paths:

    /slow       waits 50 ms, and counts the request's field X-Request
    /busy       429 with Retry-After: 1 for the first two requests of an X-Request, then 200;
                `?status=503` for another status
    /cut/HOW    ends the response in the middle: chunked, length, reset (with RST)
    /cached     a response that may be stored for a minute, with the number of its request

Any other path returns the length of the request's body.

A relay forwards to its target. The control port takes:

    /count?run=R             the number of X-Requests that begin with R, and that of those that came again
    /stall?relay=PORT        forwards nothing more over the connections that are open now, whose bytes
                             are still read
    /connections?relay=PORT  the number of connections that the relay has accepted
"""

import asyncio
import json
import socket
import struct
import sys
from urllib.parse import parse_qs, urlsplit

processed = {}  # requests by X-Request
refused = {}  # refusals by X-Request
stored = {"count": 0}
relays = {}


class Relay:
    def __init__(self, target):
        self.target = target
        self.accepted = 0
        self.open = []

    async def connected(self, reader, writer):
        self.accepted += 1
        connection = {"stalls": False}
        try:
            to_client, to_server = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        self.open.append(connection)
        await asyncio.gather(
            pump(reader, to_server, connection), pump(to_client, writer, connection))
        self.open.remove(connection)

    def stall(self):
        """Forwards nothing more over the connections that are open now. Returns their number."""
        for connection in self.open:
            connection["stalls"] = True
        return len(self.open)


async def pump(reader, writer, connection):
    try:
        while True:
            data = await reader.read(65536)
            if not data:
                break
            if not connection["stalls"]:
                writer.write(data)
                await writer.drain()
    except OSError:
        pass
    writer.close()


async def read_request(reader):
    """Returns the method, the target, the fields, and the body's length, or None at the end."""
    start = await reader.read(1)
    if start == b"\x16":
        raise ValueError("TLS, whose hello has no end of a line")
    line = start + await reader.readline()
    if not line.strip():
        return None
    method, target, _ = line.decode("latin-1").split(" ", 2)
    fields = {}
    while True:
        line = (await reader.readline()).decode("latin-1").strip()
        if not line:
            break
        name, value = line.split(":", 1)
        fields[name.lower()] = value.strip()
    length = 0
    if fields.get("transfer-encoding", "").lower() == "chunked":
        while True:
            size = int((await reader.readline()).split(b";")[0], 16)
            await reader.readexactly(size)
            await reader.readline()
            if size == 0:
                break
            length += size
    else:
        length = int(fields.get("content-length", 0))
        await reader.readexactly(length)
    return method, target, fields, length


def response(status, body, fields=""):
    body = body.encode()
    head = "HTTP/1.1 %d X\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n%s\r\n" % (
        status, len(body), fields)
    return head.encode() + body


async def respond(reader, writer):
    try:
        while True:
            request = await read_request(reader)
            if request is None:
                break
            if not await answer(writer, *request):
                break
            await writer.drain()
    except ValueError:
        writer.write(response(400, "no HTTP"))
    except (OSError, asyncio.IncompleteReadError):
        pass
    writer.close()


async def answer(writer, method, target, fields, length):
    """Writes the response, and returns False if the connection ends with it."""
    parts = urlsplit(target)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    number = fields.get("x-request", "")
    if parts.path == "/slow":
        processed[number] = processed.get(number, 0) + 1
        await asyncio.sleep(0.05)
        writer.write(response(200, number))
    elif parts.path == "/busy":
        refused[number] = refused.get(number, 0) + 1
        status = int(query.get("status", 429))
        if refused[number] <= 2:
            writer.write(response(status, "later", "Retry-After: 1\r\n"))
        else:
            writer.write(response(200, str(refused[number])))
    elif parts.path == "/cached":
        stored["count"] += 1
        writer.write(response(200, str(stored["count"]), "Cache-Control: max-age=60\r\n"))
    elif parts.path.startswith("/cut/"):
        cut(writer, parts.path)
        await writer.drain()
        # By then, the server in front has read and forwarded the beginning.
        await asyncio.sleep(0.02)
        if parts.path == "/cut/reset":
            writer.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False
    else:
        writer.write(response(200, str(length)))
    return True


def cut(writer, path):
    piece = b"x" * 4096
    if path == "/cut/length":
        writer.write(b"HTTP/1.1 200 X\r\nContent-Length: 1000000\r\n\r\n" + piece * 3)
    else:
        writer.write(b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n")
        writer.write((b"1000\r\n" + piece + b"\r\n") * 3)


async def control(reader, writer):
    request = await read_request(reader)
    if request is not None:
        parts = urlsplit(request[1])
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        writer.write(response(200, json.dumps(told(parts.path, query))))
        await writer.drain()
    writer.close()


def told(path, query):
    if path == "/count":
        counts = [count for number, count in processed.items() if number.startswith(query["run"])]
        return {"seen": len(counts), "repeated": sum(1 for count in counts if count > 1)}
    relay = relays[int(query["relay"])]
    return {"connections": relay.stall() if path == "/stall" else relay.accepted}


async def main():
    await asyncio.start_server(respond, "127.0.0.1", int(sys.argv[1]), backlog=2000)
    for pair in sys.argv[3:]:
        port, target = map(int, pair.split("="))
        relays[port] = Relay(target)
        await asyncio.start_server(relays[port].connected, "127.0.0.1", port, backlog=1000)
    server = await asyncio.start_server(control, "127.0.0.1", int(sys.argv[2]))
    await server.serve_forever()


asyncio.run(main())
