import { Readable } from 'node:stream';
import { Problem } from '@atrium/platform/kernel';
import { readSitemap } from './sitemap';

const source = (text: string | Buffer): Readable => Readable.from([Buffer.from(text)]);
const entry = (loc: string): string => `<url><loc>${loc}</loc></url>`;
const urlset = (...locs: readonly string[]): string => `<urlset>${locs.map(entry).join('')}</urlset>`;
const PROLOG = '<?xml version="1.0" encoding="UTF-8"?>\n';
const [A, B] = ['https://a.example/a', 'https://a.example/b'];
const WHOLE = { pages: [A, B], sitemaps: [], isSitemap: true, flaw: null };

describe('a sitemap', () => {
  it('names pages, and an index names sitemaps', async () => {
    expect(
      await readSitemap(
        source(`${PROLOG}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="x"><url><loc> https://a.example/?x=1&amp;y=2 </loc><i:image><i:loc>https://a.example/p.png</i:loc></i:image></url>
          <url><loc><![CDATA[https://a.example/b?c&d]]></loc></url><s:url><s:loc>https://a.example/%20&#x2F;</s:loc></s:url></urlset>`),
      ),
    ).toEqual({ ...WHOLE, pages: ['https://a.example/?x=1&y=2', 'https://a.example/b?c&d', 'https://a.example/%20/'] });
    const index = '<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>';
    expect(await readSitemap(source(index))).toEqual({ ...WHOLE, pages: [], sitemaps: ['https://a.example/1.xml'] });
  });

  it.each([
    ['a blank line before its beginning', `\n${PROLOG}${urlset(A, B)}`],
    ['a mark of its encoding', `\uFEFF${PROLOG}${urlset(A, B)}`],
    ['a mark and a blank line', `\uFEFF\r\n \n${PROLOG}${urlset(A, B)}`],
    ['a document type', `${PROLOG}<!DOCTYPE urlset SYSTEM "http://127.0.0.1/x.dtd">${urlset(A, B)}`],
    ['comments and a style', `${PROLOG}<?xml-stylesheet href="x.xsl"?><!-- <url> -->${urlset(A, B)}<!-- end -->`],
    ['words behind its end', `${PROLOG}${urlset(A, B)}<script>x()</script>`],
    ['addresses alone, one in a line', `\uFEFF# ours\r\n${A}\r\n\r\n${B}`],
    ['a feed of items', `<rss><channel><link>${A}</link><item><link>${A}</link></item><item><link>${B}</link></item></channel></rss>`],
    ['a feed of entries', `<feed><entry><link href="${A}"/><link rel="edit" href="/e"/></entry><entry><link href="${B}"/></entry></feed>`],
    [
      'a feed whose entries link to themselves and to answers first',
      `<feed><entry><link rel="replies" href="/r"/><link href="/s" rel="self"/><link rel="alternate" href="${A}"/></entry><entry><link href="${B}" rel="alternate"/></entry></feed>`,
    ],
    [
      'a feed whose items hold links of another kind first',
      `<rss xmlns:a="x"><channel><item><a:link rel="self" href="/s"/><link>${A}</link></item><item><link>${B}</link></item></channel></rss>`,
    ],
  ])('is read whole with %s', async (_, text) => expect(await readSitemap(source(text))).toEqual(WHOLE));

  it('is read in UTF-16, and in pieces of any length', async () => {
    const utf16 = Buffer.from(`\uFEFF${PROLOG}${urlset(A, B)}`, 'utf16le');
    expect(await readSitemap(source(utf16))).toEqual(WHOLE);
    expect(await readSitemap(source(utf16.swap16()))).toEqual(WHOLE);
    const bytes = [...Buffer.from(`\n\n${PROLOG}${urlset(A, B)}`)].map((byte) => Buffer.from([byte]));
    expect(await readSitemap(Readable.from(bytes))).toEqual(WHOLE);
  });

  it('has addresses that are escaped twice', async () => {
    const { pages } = await readSitemap(source(urlset('https://a.example/?a=1&amp;amp;b=2', '<![CDATA[https://a.example/?x&amp;y]]>')));
    expect(pages).toEqual(['https://a.example/?a=1&b=2', 'https://a.example/?x&y']);
  });

  it.each(['ISO-8859-1', 'windows-1252', 'UTF-16', 'unicode', 'unknown'])('is read in the encoding that it declares: %s', async (label) => {
    const isSingle = /^(?:ISO|win)/.test(label);
    const text = `<?xml version="1.0" encoding="${label}"?>${urlset('https://a.example/\u00fc')}`;
    expect((await readSitemap(source(Buffer.from(text, isSingle ? 'latin1' : 'utf8')))).pages).toEqual(['https://a.example/\u00fc']);
  });

  it('has signs in its addresses that should be written by their names', async () => {
    const { pages, flaw } = await readSitemap(source(urlset('https://a.example/?a=1&b=2&c', 'https://a.example/?x=1&y&amp;z', B)));
    expect([pages, flaw]).toEqual([['https://a.example/?a=1&b=2&c', 'https://a.example/?x=1&y&z', B], null]);
  });

  it.each(['<!--', '<![CDATA[', '<?x ', '<url x="', '<', '</', '<url><loc '])(
    'is read up to a part that does not end: %s',
    async (part) => {
      let asked = 0;
      const pieces = function* (): Generator<Buffer> {
        yield Buffer.from(`<urlset>${entry(A)}${part}`);
        for (; asked < 1_000; asked++) yield Buffer.from('a='.repeat(5_000));
      };
      expect(await readSitemap(Readable.from(pieces()))).toEqual({
        ...WHOLE,
        pages: [A],
        flaw: 'It has a tag or a comment that is longer than this service reads.',
      });
      expect(asked).toBeLessThan(100);
    },
  );

  it('is read whole where much that is no address comes between', async () => {
    const between = ['</x>', '<x/>', 'word ', '&amp;', '<!-- a -->', '<![CDATA[b]]>'].map((part) => part.repeat(30_000));
    const pieces = `<urlset>${entry(A)}${between.join('')}${entry(B)}</urlset>`.match(/[^]{1,10000}/g) ?? [];
    expect(await readSitemap(Readable.from(pieces.map((piece) => Buffer.from(piece))))).toEqual(WHOLE);
  });

  it('expands no entities of its own', async () => {
    const text = `<!DOCTYPE x [<!ENTITY a "https://a.example/secret"><!ENTITY f SYSTEM "file:///etc/passwd">]>${urlset('&a;', '&f;', B)}`;
    expect(await readSitemap(source(text))).toMatchObject({ pages: [B], flaw: 'It has 2 entries without the URL of a page.' });
  });

  it.each([
    [`<urlset>${entry(A)}<url><loc>https://a.example/x</lok></url>${entry(B)}</urlset>`, [A, 'https://a.example/x', B], null],
    [`<urlset>${entry(A)}<url><lastmod>2024</lastmod></url>${entry(B)}</urlset>`, [A, B], '1 entry'],
    [`<urlset>${entry(A)}${entry('not an address')}${entry('')}${entry(B)}</urlset>`, [A, B], '2 entries'],
    [`<urlset>${entry(A)}\u0001<<>>${entry(B)}</urlset>`, [A, B], null],
    [`<urlset>${entry(A)}${entry(B)}<url><loc>https://a.example/brok`, [A, B], 'is incomplete'],
    [`${A}\nnot an address\n${B}\n`, [A, B], '1 entry'],
    ['', [], 'not a sitemap'],
    ['not xml', [], 'not a sitemap'],
    ['<!doctype html><html><body><a href="/">Home</a></body></html>', [], 'not a sitemap'],
  ])('with a flaw says so, and what can be read is used: %s', async (text, pages, flaw) => {
    const read = await readSitemap(source(text));
    expect(read.pages).toEqual(pages);
    expect(read.flaw).toEqual(flaw === null ? null : (expect.stringContaining(flaw) as string));
  });

  it('that breaks off keeps what came before', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from(`<urlset>${entry(A)}`);
      await Promise.resolve();
      throw new Problem('upstream_failed', 'The other side closed the connection.');
    }
    expect(await readSitemap(broken())).toMatchObject({ pages: [A], flaw: 'The other side closed the connection.' });
  });

  it('is read up to its bounds', async () => {
    expect(await readSitemap(source(urlset(`https://a.example/${'"'.repeat(10_000)}`, B)))).toMatchObject({ pages: [B] });
    const urls = Array.from({ length: 30 }, (_, at) => `https://a.example/${at}`);
    expect((await readSitemap(source(urlset(...urls)), 10)).pages).toHaveLength(10);
    expect((await readSitemap(source(urls.join('\n')), 10)).pages).toHaveLength(10);
    expect(await readSitemap(source(`<urlset>${'<a>'.repeat(1_000_000)}`))).toMatchObject({
      flaw: expect.stringContaining('deep') as string,
    });
  });
});
