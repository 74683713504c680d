// Requests that no HTTP library would write, byte by byte.
import { connect } from 'node:net';

const PATIENCE = 3_000;

const crlf = (...lines) => lines.join('\r\n');

/** `[title, bytes]`: wrong framing, wrong headers, wrong request lines. */
export function rawRequests({ tenant_id, api_key }) {
  const auth = crlf('Host: localhost', `X-Api-Key: ${api_key}`, `X-Tenant-Id: ${tenant_id}`);
  const post = (path, ...rest) => crlf(`POST ${path} HTTP/1.1`, auth, 'Content-Type: application/json', ...rest);
  return [
    ['a chunk length that is no number', post('/api/v1/albums', 'Transfer-Encoding: chunked', '', 'zz', '{}', '0', '', '')],
    ['a chunk that is too long', post('/api/v1/albums', 'Transfer-Encoding: chunked', '', 'ffffffffffffffff', '{}', '0', '', '')],
    ['a good chunked body', post('/api/v1/albums', 'Transfer-Encoding: chunked', '', '15', '{"album_name":"raws"}', '0', '', '')],
    ['an empty chunked body', post('/api/v1/albums', 'Transfer-Encoding: chunked', '', '0', '', '')],
    ['both length and chunks', post('/api/v1/albums', 'Content-Length: 4', 'Transfer-Encoding: chunked', '', '2', '{}', '0', '', '')],
    ['two lengths', post('/api/v1/albums', 'Content-Length: 2', 'Content-Length: 3', '', '{}')],
    ['a negative length', post('/api/v1/albums', 'Content-Length: -1', '', '{}')],
    ['a length that is a text', post('/api/v1/albums', 'Content-Length: two', '', '{}')],
    ['a gigantic length', post('/api/v1/albums', 'Content-Length: 99999999999', '', '{}')],
    ['two workspaces', crlf('GET /api/v1/albums HTTP/1.1', auth, `X-Tenant-Id: ${tenant_id}`, '', '')],
    ['two keys', crlf('GET /api/v1/albums HTTP/1.1', auth, 'X-Api-Key: atk_a_b', '', '')],
    ['no host', crlf('GET /api/v1/albums HTTP/1.1', '', '')],
    ['HTTP/1.0', crlf('GET /api/v1/albums HTTP/1.0', auth, '', '')],
    ['HTTP/9.9', crlf('GET /api/v1/albums HTTP/9.9', auth, '', '')],
    ['no version', 'GET /api/v1/albums\r\n\r\n'],
    ['an unknown method', crlf('FROBNICATE /api/v1/albums HTTP/1.1', auth, '', '')],
    ['an absolute address', crlf('GET http://evil.example/api/v1/albums HTTP/1.1', auth, '', '')],
    ['a path that is no path', crlf('GET * HTTP/1.1', auth, '', '')],
    ['a path with spaces', crlf('GET /api/v1/albums ?a=b HTTP/1.1', auth, '', '')],
    [
      'a path with raw bytes',
      Buffer.concat([Buffer.from('GET /api/v1/albums/'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(crlf(' HTTP/1.1', auth, '', ''))]),
    ],
    ['a header without a colon', crlf('GET /api/v1/albums HTTP/1.1', auth, 'nonsense', '', '')],
    ['a header with NUL', crlf('GET /api/v1/albums HTTP/1.1', auth, 'X-A: a\u0000b', '', '')],
    ['a folded header', crlf('GET /api/v1/albums HTTP/1.1', auth, 'X-A: a', ' b', '', '')],
    ['headers of 40 kB', crlf('GET /api/v1/albums HTTP/1.1', auth, `X-A: ${'a'.repeat(40_000)}`, '', '')],
    ['a path of 40 kB', crlf(`GET /api/v1/albums?a=${'a'.repeat(40_000)} HTTP/1.1`, auth, '', '')],
    ['an upgrade', crlf('GET /api/v1/albums HTTP/1.1', auth, 'Connection: Upgrade', 'Upgrade: websocket', '', '')],
    ['an unknown expectation', post('/api/v1/albums', 'Expect: the-unexpected', 'Content-Length: 2', '', '{}')],
    ['two requests at once', crlf('GET /api/v1/albums HTTP/1.1', auth, '', 'GET /api/v1/files?repo_type=media HTTP/1.1', auth, '', '')],
    ['TLS', Buffer.from('16030100c8010000c40303', 'hex')],
    ['silence, then the end', ''],
  ];
}

/** The text of whatever came back until the other side closed or fell silent. */
export function sendRaw(origin, bytes) {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const chunks = [];
    const socket = connect({ host: hostname, port: Number(port) });
    const finish = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.setTimeout(PATIENCE, finish);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      socket.setTimeout(300);
    });
    socket.once('error', finish);
    socket.once('close', finish);
    socket.write(bytes);
    if (bytes.length === 0) socket.end();
  });
}
