"""Echoes messages with the client of PyPI's websockets, and prints rates: websockets_client.py URL SIZE SECONDS WINDOW"""
import asyncio

import echo_rates
from websockets.asyncio.client import connect


async def main():
    async with connect(echo_rates.URL, compression=None, max_size=None, ping_interval=None) as socket:
        await echo_rates.measure(socket.send, socket.recv)


asyncio.run(main())
