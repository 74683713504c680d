// What streams are compared with: node:http alone. GET /events follows; what is posted to /emit is written once, and sent to all.
import { createServer } from 'node:http';

const [port] = process.argv.slice(2);
const followers = new Set();
let last = 0;

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write('retry: 1000\n\n');
    followers.add(response);
    response.once('close', () => followers.delete(response));
    return;
  }
  let body = '';
  for await (const chunk of request) body += chunk;
  const text = `event: assistant_message\nid: ${++last}\ndata: ${JSON.stringify(JSON.parse(body))}\n\n`;
  for (const follower of followers) follower.write(text);
  response.writeHead(204).end();
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
