// Echoes messages with the client of the package ws of Node.js, and prints rates: ws_client.js URL SIZE SECONDS WINDOW
const WebSocket = require('ws');
const [url, size, seconds, window] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 1 << 30 });

function echo(count, size) {
  const message = '*'.repeat(size);
  return new Promise((resolve, reject) => {
    let [sent, received] = [Math.min(window, count), 0];
    socket.removeAllListeners('message');
    socket.on('message', (data) => {
      // The other clients return a text, too.
      if (data.toString().length !== size) return reject(new Error(`${data.length} bytes`));
      received += 1;
      if (sent < count) { socket.send(message); sent += 1; }
      if (received === count) resolve();
    });
    for (let number = 0; number < sent; number += 1) socket.send(message);
  });
}

socket.on('open', async () => {
  await echo(100, 64);
  const [start, used] = [performance.now(), process.cpuUsage()];
  let messages = 0;
  while (performance.now() - start < seconds * 1000) {
    await echo(window * 4, size);
    messages += window * 4;
  }
  const { user, system } = process.cpuUsage(used);
  console.log(JSON.stringify({ messages, seconds: (performance.now() - start) / 1000, processorSeconds: (user + system) / 1e6 }));
  socket.close(1000);
});
