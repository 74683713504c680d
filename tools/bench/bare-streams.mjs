// What streams are compared with: node:http and pg alone. GET /events follows; what the store sends is written once, and sent to all.
import { createServer } from 'node:http';
import pg from 'pg';

const [port, databaseUrl] = process.argv.slice(2);
const followers = new Set();

const store = new pg.Client({ connectionString: databaseUrl });
store.on('notification', ({ payload }) => {
  const [id, text] = JSON.parse(payload);
  const { kind, data } = JSON.parse(text);
  const event = `event: ${kind}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
  for (const follower of followers) follower.write(event);
});
await store.connect();
await store.query('LISTEN bare_events');

const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write('retry: 1000\n\n');
  followers.add(response);
  response.once('close', () => followers.delete(response));
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
