"""A server over PyPI's websockets that echoes messages, and resets each connection after some of them: resets_server.py PORT"""
import asyncio
import random
import socket
import struct
import sys

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed


async def serve_socket(connection):
    lifetime = random.expovariate(1 / 30)
    try:
        async for message in connection:
            await connection.send(message)
            lifetime -= 1
            if lifetime < 0:
                connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return connection.transport.abort()
    except ConnectionClosed:
        pass


async def main():
    async with serve(serve_socket, "127.0.0.1", int(sys.argv[1]), backlog=4096, ping_interval=None) as server:
        await server.serve_forever()


asyncio.run(main())
