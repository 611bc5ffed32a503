"""The server over aiohttp."""
import sys

from aiohttp import WSMsgType, web


async def echo(request, socket=None):
    if socket is None:
        socket = web.WebSocketResponse(max_msg_size=0, autoclose=False)
        await socket.prepare(request)
    while True:
        message = await socket.receive()
        if message.type == WSMsgType.TEXT:
            await socket.send_str(message.data)
        elif message.type == WSMsgType.BINARY:
            await socket.send_bytes(message.data)
        elif message.type == WSMsgType.CLOSE:
            # By itself, the server would answer each code with 1000.
            await socket.close(code=message.data, message=(message.extra or "").encode())
        else:
            return socket


async def close(request):
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    await socket.close(code=int(request.query["code"]), message=request.query["reason"].encode())
    return socket


async def pings(request):
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    for number in range(int(request.query["count"])):
        await socket.ping(str(number).encode())
    await socket.send_str("done")
    return await echo(request, socket)


async def subprotocol(request):
    socket = web.WebSocketResponse(protocols=["v2.prices", "prices"])
    await socket.prepare(request)
    return await echo(request, socket)


async def refuse(request):
    return web.Response(status=int(request.query["status"]), text="refused\n")


async def redirect(request):
    raise web.HTTPFound("/echo")


app = web.Application()
app.add_routes([web.get("/" + f.__name__, f) for f in [echo, close, pings, subprotocol, refuse, redirect]])
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None, access_log=None)
