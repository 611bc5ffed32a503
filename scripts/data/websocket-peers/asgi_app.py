"""The application of hypercorn."""
from urllib.parse import parse_qs


async def app(scope, receive, send):
    if scope["type"] != "websocket":
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 404, "headers": []})
            await send({"type": "http.response.body", "body": b""})
        return
    path = scope["path"]
    query = {name: values[0] for name, values in parse_qs(scope["query_string"].decode()).items()}
    await receive()
    if path in ("/refuse", "/redirect"):
        status, headers = (int(query["status"]), []) if path == "/refuse" else (302, [(b"location", b"/echo")])
        await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
        return await send({"type": "websocket.http.response.body", "body": b"refused\n"})
    names = [name for name in ["v2.prices", "prices"] if name in scope["subprotocols"] and path == "/subprotocol"]
    await send({"type": "websocket.accept", "subprotocol": names[0] if names else None})
    if path == "/close":
        return await send({"type": "websocket.close", "code": int(query["code"]), "reason": query["reason"]})
    while True:
        event = await receive()
        if event["type"] != "websocket.receive":
            return
        key = "text" if event.get("text") is not None else "bytes"
        await send({"type": "websocket.send", key: event[key]})
