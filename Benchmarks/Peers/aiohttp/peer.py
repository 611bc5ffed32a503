"""A peer of the benchmarks: aiohttp. The protocol is described in ../README.md."""

import argparse
import asyncio
import dataclasses
import json
import resource
import ssl
import sys
import time

import aiohttp


@dataclasses.dataclass
class User:
    """The value that is sent and received."""

    id: int
    login: str
    name: str
    isAdmin: bool
    score: float
    tags: list


SAMPLE = User(583231, "octocat", "The Octocat", False, 97.5, ["swift", "http", "linux"])
HEADERS = {"Accept": "application/json", "X-Client": "benchmarks/1.0"}
JSON_HEADERS = {**HEADERS, "Content-Type": "application/json"}


async def get(session, base):
    async with session.get(base + "/user", headers=HEADERS) as response:
        check(response.status, await response.read())


async def post(session, base):
    body = json.dumps(dataclasses.asdict(SAMPLE)).encode()
    async with session.post(base + "/echo", data=body, headers=JSON_HEADERS) as response:
        check(response.status, await response.read())


def check(status, body):
    if status != 200 or User(**json.loads(body)) != SAMPLE:
        raise ValueError("the response is wrong")


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def perform(session, words):
    command, workload, base, concurrency, milliseconds = words
    if command != "run":
        raise ValueError("unknown command")
    step = post if workload == "post" else get
    before = processor_time()
    start = time.monotonic()
    end = start + int(milliseconds) / 1000

    async def loop():
        count = 0
        while time.monotonic() < end:
            await step(session, base)
            count += 1
        return count

    total = sum(await asyncio.gather(*(loop() for _ in range(int(concurrency)))))
    return f"{total} {time.monotonic() - start:.6f} {processor_time() - before:.6f}"


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--connections", type=int, default=1)
    parser.add_argument("--ca")
    options = parser.parse_args()
    context = ssl.create_default_context(cafile=options.ca)
    connector = aiohttp.TCPConnector(limit=0, limit_per_host=options.connections, ssl=context)
    async with aiohttp.ClientSession(connector=connector) as session:
        while line := await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline):
            try:
                print("ok", await perform(session, line.split()), flush=True)
            except Exception as error:  # Whatever it is, the driver shows it.
                print("error", repr(error), flush=True)


asyncio.run(main())
