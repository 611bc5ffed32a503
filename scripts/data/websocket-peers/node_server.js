// The server over the package ws of Node.js: node_server.js PORT WINDOWS-PORT…
const http = require('http');
const { WebSocketServer } = require('ws');

function serve(socket, request) {
  const url = new URL(request.url, 'http://localhost');
  socket.on('error', () => {});
  if (url.pathname === '/close') return socket.close(Number(url.searchParams.get('code')), url.searchParams.get('reason'));
  if (url.pathname === '/fragments') {
    const text = 'Grüße '.repeat(1000);
    for (let start = 0; start < text.length; start += 7) socket.send(text.slice(start, start + 7), { fin: start + 7 >= text.length });
    const data = Buffer.from(Array.from({ length: 100000 }, (_, index) => index & 255));
    for (let start = 0; start < data.length; start += 1000) socket.send(data.subarray(start, start + 1000), { fin: start + 1000 >= data.length });
  }
  if (url.pathname === '/pings') {
    const count = Number(url.searchParams.get('count'));
    socket.on('pong', (data) => { if (String(data) === String(count)) socket.send('done'); });
    for (let number = 1; number <= count; number += 1) socket.ping(String(number));
  }
  socket.on('message', (data, isBinary) => {
    socket.send(data, { binary: isBinary });
    // A reader that is slower than the sender must slow it down.
    if (socket.bufferedAmount > 1 << 20) {
      socket.pause();
      const timer = setInterval(() => { if (socket.bufferedAmount < 1 << 20) { clearInterval(timer); socket.resume(); } }, 1);
    }
  });
}

function makeServer(perMessageDeflate) {
  const server = new WebSocketServer({
    noServer: true, maxPayload: 1 << 30, perMessageDeflate,
    handleProtocols: (offered, request) =>
      request.url.startsWith('/subprotocol') && ['v2.prices', 'prices'].find((name) => offered.has(name)) || false,
  });
  server.on('connection', serve);
  return server;
}

const usual = makeServer({ threshold: 1 });
const listener = http.createServer((_, response) => { response.writeHead(426); response.end(); });
listener.on('upgrade', (request, socket, head) => {
  const url = new URL(request.url, 'http://localhost');
  socket.on('error', () => {});
  if (url.pathname === '/refuse') {
    return socket.end(`HTTP/1.1 ${url.searchParams.get('status')} Refused\r\nContent-Length: 8\r\n\r\nrefused\n`);
  }
  if (url.pathname === '/redirect') return socket.end('HTTP/1.1 302 Found\r\nLocation: /echo\r\nContent-Length: 0\r\n\r\n');
  let server = usual;
  if (url.pathname === '/windows') {
    const options = { threshold: 1 };
    if (url.searchParams.has('client')) options.clientMaxWindowBits = Number(url.searchParams.get('client'));
    if (url.searchParams.has('server')) options.serverMaxWindowBits = Number(url.searchParams.get('server'));
    server = makeServer(options);
  }
  server.handleUpgrade(request, socket, head, (connected) => server.emit('connection', connected, request));
});
listener.listen(Number(process.argv[2]), '127.0.0.1');
