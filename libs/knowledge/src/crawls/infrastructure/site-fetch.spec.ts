import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { GuardedHttp } from '@atrium/platform/outbound';
import type { SiteCookies } from './site-cookies';
import { SiteFetch } from './site-fetch';

const AT = 'https://example.com/a';
/** Windows-1252, which nothing here says. */
const PAGE = Buffer.from('<html><title>Br\xfccke</title><p>\x80</html>', 'latin1');

function asked(body: Buffer, headers: Readonly<Record<string, string>>): ReturnType<SiteFetch['fetchPage']> {
  const open = jest.fn(() => Promise.resolve({ status: 200, headers, body: Readable.from([body]) }));
  const cookies = { headerFor: () => undefined, keepCookies: () => undefined } as unknown as SiteCookies;
  const wanted = { url: AT, etag: null, last_modified: null, cookies, admitRedirect: (address: string) => Promise.resolve({ address }) };
  return new SiteFetch({ openStream: open } as unknown as GuardedHttp).fetchPage(wanted, new AbortController().signal);
}

describe('a page of a site', () => {
  it.each([
    ['as it came', PAGE],
    ['unpacked', gzipSync(PAGE)],
  ])('is handed on in bytes, %s: what reads pages decodes them', async (_, body) => {
    const type = 'text/html; charset=iso-8859-1';
    const reading = await asked(body, { 'content-type': type, 'x-robots-tag': 'none' });
    expect(reading).toMatchObject({ kind: 'page', address: AT, type, robots: 'none' });
    expect(reading.kind === 'page' && PAGE.equals(reading.bytes)).toBe(true);
  });

  it('is where a header says in bytes of UTF-8, or in others', async () => {
    const answers = ['/\u00c3\u00bcber', '/\u00fcber'].map((location) => ({ status: 302, headers: { location }, body: Readable.from([]) }));
    const end = {
      status: 200,
      headers: { 'content-type': 'text/html, text/html', link: '</br\u00c3\u00bccke>; rel=canonical' },
      body: Readable.from([PAGE]),
    };
    const open = jest.fn((_: string) => Promise.resolve(answers.shift() ?? end));
    const cookies = { headerFor: () => undefined, keepCookies: () => undefined } as unknown as SiteCookies;
    const wanted = { url: AT, etag: null, last_modified: null, cookies, admitRedirect: (address: string) => Promise.resolve({ address }) };
    const reading = await new SiteFetch({ openStream: open } as unknown as GuardedHttp).fetchPage(wanted, new AbortController().signal);
    expect(open.mock.calls.map(([address]) => address)).toEqual([AT, 'https://example.com/%C3%BCber', 'https://example.com/%C3%BCber']);
    expect(reading).toMatchObject({ kind: 'page', canonical: 'https://example.com/br%C3%BCcke' });
  });

  it('is known by its beginning where its type does not say', async () => {
    expect(await asked(PAGE, {})).toMatchObject({ kind: 'page', type: '' });
    expect(await asked(Buffer.from('words'), { 'content-type': 'text/plain' })).toMatchObject({ kind: 'skipped' });
  });
});
