// Echoes messages with the client of the package ws of Node.js, and prints rates: ws_client.js URL SIZE SECONDS WINDOW
const WebSocket = require('ws');
const { url, measure } = require('./echo_rates.js');
const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 1 << 30 });

socket.on('open', () => measure(socket, (listener) => {
  socket.removeAllListeners('message');
  // The other clients return a text, too.
  socket.on('message', (data) => listener(data.toString()));
}));
