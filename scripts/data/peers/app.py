"""An ASGI application for scripts/check/peers, which hypercorn serves over HTTP/1.1 and HTTP/2."""
import asyncio
import gzip
import hashlib


def pattern(offset, count):
    start = offset % 251
    whole = bytes(range(251)) * (count // 251 + 2)
    return whole[start : start + count]


async def body_of(receive):
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        yield message.get("body", b"")
        more = message.get("more_body", False)


async def respond(send, status=200, headers=(), body=b""):
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body})


async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return
    path = scope["path"]
    last = path.rsplit("/", 1)[-1]
    if path == "/ok":
        await respond(send, body=b"HTTP/" + scope["http_version"].encode())
    elif path.startswith("/bytes/"):
        count = int(last)
        await send({
            "type": "http.response.start", "status": 200,
            "headers": [(b"content-length", str(count).encode())],
        })
        sent = 0
        while sent < count and scope["method"] != "HEAD":
            size = min(32768, count - sent)
            await send({"type": "http.response.body", "body": pattern(sent, size), "more_body": True})
            sent += size
        await send({"type": "http.response.body", "body": b""})
    elif path == "/digest":
        digest, count = hashlib.sha256(), 0
        async for piece in body_of(receive):
            digest.update(piece)
            count += len(piece)
        await respond(send, body=f"{count} {digest.hexdigest()}".encode())
    elif path == "/reset-middle":
        await send({
            "type": "http.response.start", "status": 200, "headers": [(b"content-length", b"100000")],
        })
        await send({"type": "http.response.body", "body": pattern(0, 50000), "more_body": True})
        raise RuntimeError("the response breaks off")
    elif path.startswith("/early/"):
        await respond(send, int(last), body=b"early")
    elif path == "/hints":
        for _ in range(3):
            await send({"type": "http.response.early_hint", "links": [b"</style.css>; rel=preload"]})
        await respond(send, body=b"hints came first")
    elif path.startswith("/status/"):
        await respond(send, int(last))
    elif path == "/gzip":
        await respond(send, headers=[(b"content-encoding", b"gzip")], body=gzip.compress(pattern(0, 100000)))
    elif path == "/large-head":
        await respond(send, headers=[(b"x-large-%d" % i, b"x" * 1024) for i in range(30)], body=b"large head")
    elif path == "/head-size":
        size = sum(len(value) for name, value in scope["headers"] if name.startswith(b"x-large-"))
        await respond(send, body=str(size).encode())
    elif path == "/slow":
        await asyncio.sleep(0.05)
        await respond(send, body=b"HTTP/" + scope["http_version"].encode())
    elif path == "/trailers":
        await send({"type": "http.response.start", "status": 200, "headers": [], "trailers": True})
        await send({"type": "http.response.body", "body": b"trailers follow"})
        await send({"type": "http.response.trailers", "headers": [(b"x-checksum", b"1")]})
    else:
        await respond(send, 404)
