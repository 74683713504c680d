// One request over HTTP, with headers as they are: doubled ones too.
import { Agent, request as requestHttp } from 'node:http';

const TIMEOUT = 30_000;
const KEPT = 200_000;
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** `{ status, type, requestId, location, text, milliseconds }`, or `{ lost }` when the connection ended without an answer; of a stream, its beginning. */
export function send(origin, { method, path, headers, bytes }) {
  const { hostname, port } = new URL(origin);
  const from = performance.now();
  return new Promise((resolve) => {
    const lost = (error) => resolve({ lost: error.code ?? error.message, milliseconds: performance.now() - from });
    const request = requestHttp({ hostname, port, method, path, headers, agent, timeout: TIMEOUT, setDefaultHeaders: true }, (response) => {
      const chunks = [];
      let size = 0;
      const isStream = (response.headers['content-type'] ?? '').startsWith('text/event-stream');
      response.on('data', (chunk) => {
        size += chunk.length;
        if (size <= KEPT) chunks.push(chunk);
      });
      response.once('error', lost);
      const end = () =>
        resolve({
          status: response.statusCode,
          type: response.headers['content-type'] ?? '',
          requestId: response.headers['x-request-id'],
          location: response.headers.location,
          text: Buffer.concat(chunks).toString('utf8'),
          whole: size <= KEPT && !isStream,
          milliseconds: performance.now() - from,
        });
      response.once('end', end);
      if (isStream) {
        end();
        response.destroy();
      }
    });
    request.once('timeout', () => request.destroy(new Error(`no response within ${TIMEOUT / 1000} s`)));
    request.once('error', lost);
    request.end(bytes);
  });
}

export const closeConnections = () => agent.destroy();
