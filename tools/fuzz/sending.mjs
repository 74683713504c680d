// One request over HTTP, with headers as they are: doubled ones too.
import { Agent, request as requestHttp } from 'node:http';

const TIMEOUT = 30_000;
const KEPT = 200_000;
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** `{ status, type, requestId, text, milliseconds }`, or `{ lost }` when the connection ended without an answer. */
export function send(origin, { method, path, headers, bytes }) {
  const { hostname, port } = new URL(origin);
  const from = performance.now();
  return new Promise((resolve) => {
    const lost = (error) => resolve({ lost: error.code ?? error.message, milliseconds: performance.now() - from });
    const request = requestHttp({ hostname, port, method, path, headers, agent, timeout: TIMEOUT, setDefaultHeaders: true }, (response) => {
      const chunks = [];
      let size = 0;
      response.on('data', (chunk) => {
        size += chunk.length;
        if (size <= KEPT) chunks.push(chunk);
      });
      response.once('error', lost);
      response.once('end', () =>
        resolve({
          status: response.statusCode,
          type: response.headers['content-type'] ?? '',
          requestId: response.headers['x-request-id'],
          text: Buffer.concat(chunks).toString('utf8'),
          whole: size <= KEPT,
          milliseconds: performance.now() - from,
        }),
      );
    });
    request.once('timeout', () => request.destroy(new Error(`no response within ${TIMEOUT / 1000} s`)));
    request.once('error', lost);
    request.end(bytes);
  });
}

export const closeConnections = () => agent.destroy();
