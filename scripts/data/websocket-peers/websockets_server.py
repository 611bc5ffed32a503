"""The server over PyPI's websockets. Prints the ports: one without a demand for windows, and one for each demand."""
import asyncio
import functools
import http
import json
import sys
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed, NegotiationError
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory


class Deflate(ServerPerMessageDeflateFactory):
    """Demands the windows that the query of the current request names."""
    query = {}

    def process_request_params(self, params, accepted):
        demand = {}
        if "server" in Deflate.query:
            demand["server_max_window_bits"] = int(Deflate.query["server"])
        if "client" in Deflate.query:
            demand["client_max_window_bits"] = int(Deflate.query["client"])
        return ServerPerMessageDeflateFactory(**demand).process_request_params(params, accepted)


def parts(path):
    url = urlsplit(path)
    return url.path, {name: values[0] for name, values in parse_qs(url.query).items()}


def process_request(connection, request):
    path, query = parts(request.path)
    Deflate.query = query if path == "/windows" else {}
    if path == "/refuse":
        return connection.respond(http.HTTPStatus(int(query["status"])), "refused\n")
    if path == "/redirect":
        response = connection.respond(http.HTTPStatus.FOUND, "")
        response.headers["Location"] = "/echo"
        return response


def select_subprotocol(connection, offered):
    if parts(connection.request.path)[0] != "/subprotocol":
        return None
    return next((name for name in ["v2.prices", "prices"] if name in offered), None)


async def serve_socket(socket):
    path, query = parts(socket.request.path)
    try:
        if path == "/close":
            await socket.close(int(query["code"]), query["reason"])
        elif path == "/fragments":
            text = "Grüße " * 1_000
            await socket.send([text[start:start + 7] for start in range(0, len(text), 7)])
            data = bytes(i & 255 for i in range(100_000))
            await socket.send([data[start:start + 1_000] for start in range(0, len(data), 1_000)])
        elif path == "/stream":
            piece = bytes(1 << 16)

            async def pieces():
                for _ in range(int(query["bytes"]) // len(piece)):
                    yield piece
            await socket.send(pieces())
            return await socket.close()
        elif path == "/pings":
            pongs = []
            for _ in range(int(query["count"])):
                pongs.append(await socket.ping())
            # The client may answer the last of several pings only.
            await pongs[-1]
            await socket.send("done")
        async for message in socket:
            await socket.send(message)
    except ConnectionClosed:
        pass


async def main():
    async with serve(serve_socket, "127.0.0.1", int(sys.argv[1]), process_request=process_request, max_size=None, max_queue=4,
                     select_subprotocol=select_subprotocol, compression=None, extensions=[Deflate()], ping_interval=None) as server:
        await server.serve_forever()


asyncio.run(main())
