"""Echoes messages with the client of PyPI's websockets, and prints rates: websockets_client.py URL SIZE SECONDS WINDOW"""
import asyncio
import json
import sys
import time

from websockets.asyncio.client import connect


async def echo(socket, count, size, window):
    message = "*" * size
    if size >= 65_536:
        async def send():
            for _ in range(count):
                await socket.send(message)
        sending = asyncio.ensure_future(send())
        for _ in range(count):
            assert len(await socket.recv()) == size
        return await sending
    sent = min(window, count)
    for _ in range(sent):
        await socket.send(message)
    for number in range(count):
        assert len(await socket.recv()) == size
        if number + sent < count:
            await socket.send(message)


async def main():
    url, size, seconds, window = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    async with connect(url, compression=None, max_size=None, ping_interval=None) as socket:
        await echo(socket, 100, 64, window)
        start, used, messages = time.monotonic(), time.process_time(), 0
        while time.monotonic() - start < seconds:
            await echo(socket, window * 4, size, window)
            messages += window * 4
        print(json.dumps({"messages": messages, "seconds": time.monotonic() - start, "processorSeconds": time.process_time() - used}))


asyncio.run(main())
