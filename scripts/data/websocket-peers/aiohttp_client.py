"""Echoes messages with the client of aiohttp, and prints rates: aiohttp_client.py URL SIZE SECONDS WINDOW"""
import asyncio
import json
import sys
import time

import aiohttp


async def echo(socket, count, size, window):
    message = "*" * size
    if size >= 65_536:
        async def send():
            for _ in range(count):
                await socket.send_str(message)
        sending = asyncio.ensure_future(send())
        for _ in range(count):
            assert len(await socket.receive_str()) == size
        return await sending
    sent = min(window, count)
    for _ in range(sent):
        await socket.send_str(message)
    for number in range(count):
        assert len(await socket.receive_str()) == size
        if number + sent < count:
            await socket.send_str(message)


async def main():
    url, size, seconds, window = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    async with aiohttp.ClientSession() as session, session.ws_connect(url, compress=0, max_msg_size=0) as socket:
        await echo(socket, 100, 64, window)
        start, used, messages = time.monotonic(), time.process_time(), 0
        while time.monotonic() - start < seconds:
            await echo(socket, window * 4, size, window)
            messages += window * 4
        print(json.dumps({"messages": messages, "seconds": time.monotonic() - start, "processorSeconds": time.process_time() - used}))


asyncio.run(main())
