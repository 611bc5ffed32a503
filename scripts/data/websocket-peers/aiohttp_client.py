"""Echoes messages with the client of aiohttp, and prints rates: aiohttp_client.py URL SIZE SECONDS WINDOW"""
import asyncio

import aiohttp
import echo_rates


async def main():
    async with aiohttp.ClientSession() as session, session.ws_connect(echo_rates.URL, compress=0, max_msg_size=0) as socket:
        await echo_rates.measure(socket.send_str, socket.receive_str)


asyncio.run(main())
