// Echoes messages with the client of Node.js, undici, and prints rates: undici_client.js URL SIZE SECONDS WINDOW
const { url, measure } = require('./echo_rates.js');
const socket = new WebSocket(url);

socket.onopen = () => measure(socket, (listener) => { socket.onmessage = ({ data }) => listener(data); });
