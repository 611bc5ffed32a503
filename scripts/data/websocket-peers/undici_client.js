// Echoes messages with the client of Node.js, undici, and prints rates: undici_client.js URL SIZE SECONDS WINDOW
const [url, size, seconds, window] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const socket = new WebSocket(url);

function echo(count, size) {
  const message = '*'.repeat(size);
  return new Promise((resolve, reject) => {
    let [sent, received] = [Math.min(window, count), 0];
    socket.onmessage = ({ data }) => {
      if (data.length !== size) return reject(new Error(`${data.length} bytes`));
      received += 1;
      if (sent < count) { socket.send(message); sent += 1; }
      if (received === count) resolve();
    };
    for (let number = 0; number < sent; number += 1) socket.send(message);
  });
}

socket.onopen = async () => {
  await echo(100, 64);
  const [start, used] = [performance.now(), process.cpuUsage()];
  let messages = 0;
  while (performance.now() - start < seconds * 1000) {
    await echo(window * 4, size);
    messages += window * 4;
  }
  const { user, system } = process.cpuUsage(used);
  console.log(JSON.stringify({ messages, seconds: (performance.now() - start) / 1000, processorSeconds: (user + system) / 1e6 }));
  socket.close();
};
