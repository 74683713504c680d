import { nextHop } from './outbound-request';

const SECRETS = { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'k' };
const headersAt = (location: string, address = 'https://files.example/a', status = 307): Readonly<Record<string, string>> | undefined =>
  nextHop({ address, method: 'POST', headers: { ...SECRETS, 'content-type': 'text/plain' }, body: 'x' }, status, location)?.headers;

describe('a redirect', () => {
  it.each(['/b', 'https://files.example/b', 'https://files.example:443/b'])(
    'within the origin (%s) takes the credentials along',
    (location) => {
      expect(headersAt(location)).toEqual({ ...SECRETS, 'content-type': 'text/plain' });
    },
  );

  it.each([
    ['another host', 'https://other.example/b'],
    ['a host below it', 'https://www.files.example/b'],
    ['another port', 'https://files.example:8443/b'],
    ['http instead of https', 'http://files.example/b'],
    ['http on the same port', 'http://files.example:443/b'],
    ['an address without a scheme', '//other.example/b'],
  ])('to %s takes no credentials along', (_, location) => {
    const headers = headersAt(location);
    expect(headers).toMatchObject({ 'content-type': 'text/plain' });
    for (const name of Object.keys(SECRETS)) expect(headers).not.toHaveProperty(name);
  });

  it('from http to https of the same host takes none either', () => {
    expect(Object.keys(headersAt('https://files.example/b', 'http://files.example/a') ?? {})).toEqual(['content-type']);
  });

  it('is none without an address or with another status', () => {
    const hop = { address: 'https://files.example/a', method: 'GET', headers: {}, body: null } as const;
    expect([nextHop(hop, 302, undefined), nextHop(hop, 200, '/b'), nextHop(hop, 302, 'http://[')]).toEqual([null, null, null]);
  });
});
