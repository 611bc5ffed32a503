"""Echoes messages, and prints rates, for the clients of this folder: CLIENT URL SIZE SECONDS WINDOW"""
import asyncio
import json
import sys
import time

URL, SIZE, SECONDS, WINDOW = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])


async def echo(send, receive, count, size):
    message = "*" * size
    if size >= 65_536:
        async def send_all():
            for _ in range(count):
                await send(message)
        sending = asyncio.ensure_future(send_all())
        for _ in range(count):
            assert len(await receive()) == size
        return await sending
    sent = min(WINDOW, count)
    for _ in range(sent):
        await send(message)
    for number in range(count):
        assert len(await receive()) == size
        if number + sent < count:
            await send(message)


async def measure(send, receive):
    """Echoes texts with the functions of a client for SECONDS, and prints the rates as JSON."""
    await echo(send, receive, 100, 64)
    start, used, messages = time.monotonic(), time.process_time(), 0
    while time.monotonic() - start < SECONDS:
        await echo(send, receive, WINDOW * 4, SIZE)
        messages += WINDOW * 4
    print(json.dumps({"messages": messages, "seconds": time.monotonic() - start, "processorSeconds": time.process_time() - used}))
