// Echoes messages, and prints rates, for the clients of this folder: CLIENT URL SIZE SECONDS WINDOW
const [url, size, seconds, window] = [process.argv[2], ...process.argv.slice(3).map(Number)];

// `setListener` replaces the function that gets the text of each message.
function echo(socket, setListener, count, size) {
  const message = '*'.repeat(size);
  return new Promise((resolve, reject) => {
    let [sent, received] = [Math.min(window, count), 0];
    setListener((text) => {
      if (text.length !== size) return reject(new Error(`${text.length} bytes`));
      received += 1;
      if (sent < count) { socket.send(message); sent += 1; }
      if (received === count) resolve();
    });
    for (let number = 0; number < sent; number += 1) socket.send(message);
  });
}

// Echoes texts on an open socket, prints the rates as JSON, and closes the socket.
async function measure(socket, setListener) {
  await echo(socket, setListener, 100, 64);
  const [start, used] = [performance.now(), process.cpuUsage()];
  let messages = 0;
  while (performance.now() - start < seconds * 1000) {
    await echo(socket, setListener, window * 4, size);
    messages += window * 4;
  }
  const { user, system } = process.cpuUsage(used);
  console.log(JSON.stringify({ messages, seconds: (performance.now() - start) / 1000, processorSeconds: (user + system) / 1e6 }));
  socket.close(1000);
}

module.exports = { url, measure };
