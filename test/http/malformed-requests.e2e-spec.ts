import { connect } from 'node:net';
import type { RunningApi } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;

beforeAll(async () => {
  api = await sharedAtrium();
});
afterAll(() => api.close());

/** What a server says to bytes that a client library would not send. */
const answerTo = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => socket.end(bytes));
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    socket.once('end', () => resolve(text)).once('error', reject);
  });

describe('a request that is none', () => {
  it.each([
    ['names no host', 'GET /api/v1/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['has a broken request line', 'HELLO\r\n\r\n'],
    ['has a broken header', 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n'],
    ['has headers without end', `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('is refused with a problem when it %s', async (_, bytes) => {
    const answer = await answerTo(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('application/problem+json');
    expect(answer).toContain('"code":"validation_failed"');
  });
});

describe('an unknown parameter', () => {
  it('reveals nothing to a stranger: the caller is checked before the request', async () => {
    const stranger = await fetch(`${api.url}/api/v1/me?colour=blue`);
    expect(stranger.status).toBe(401);
    const workspace = await api.workspace();
    expect((await workspace.owner.client.get('/me?colour=blue').expect(400)).body).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'colour', code: 'unknown_field' }],
    });
  });
});
