import { readPage } from './read-page';

const WORDS = 'The keeper of the lamp writes down every evening which boats came in and who has paid for the berth at last.';
const page = (body: string, head = ''): string => `<html lang="en-GB"><head><title>Lamp</title>${head}</head><body>${body}</body></html>`;
const AT = 'https://example.com/docs/lamp';

describe('a page', () => {
  it('says its title, text, language, canonical address and links', async () => {
    const read = await readPage(
      page(
        `<main><h1>Lamp</h1><p>${WORDS}</p><a href="next">n</a><a href="/top#x">t</a><a href="next">n</a><a rel="nofollow" href="/ad">a</a></main>`,
        '<link rel="canonical" href="/lamp">',
      ),
      AT,
    );
    expect(read).toMatchObject({
      title: 'Lamp',
      language: 'en',
      canonical: 'https://example.com/lamp',
      noindex: false,
      nofollow: false,
      needsBrowser: false,
    });
    expect(read.links).toEqual(['https://example.com/docs/next', 'https://example.com/top#x']);
    expect(read.markdown).toContain('writes down every evening');
  });

  it('starts its links where its base says', async () => {
    const read = await readPage(page(`<p>${WORDS}</p><a href="a">a</a>`, '<base href="/other/">'), AT);
    expect(read.links).toEqual(['https://example.com/other/a']);
  });

  it.each([
    ['<meta name="robots" content="noindex">', '', true, false],
    ['<meta name="ROBOTS" content="NOINDEX, NOFOLLOW">', '', true, true],
    ['<meta name="robots" content="none">', '', true, true],
    ['<meta name="robots" content="max-image-preview:none, index">', '', false, false],
    ['<meta name="otherbot" content="noindex">', '', false, false],
    ['<meta name="atrium" content="nofollow">', '', false, true],
    ['', 'noindex', true, false],
    ['', 'atrium: noindex', true, false],
    ['', 'otherbot: noindex', false, false],
  ])('asks with %s and "%s": noindex %s, nofollow %s', async (head, robots, noindex, nofollow) => {
    expect(await readPage(page(`<p>${WORDS}</p>`, head), AT, { robots })).toMatchObject({ noindex, nofollow });
  });

  it('needs a browser where scripts write its text', async () => {
    expect(await readPage(page('<div id="root"></div><script src="/app.js"></script>'), AT)).toMatchObject({ needsBrowser: true });
    expect(await readPage(page('<p>Short.</p>'), AT)).toMatchObject({ needsBrowser: false });
    expect(await readPage(page(`<p>${WORDS}</p><script src="/app.js"></script>`), AT)).toMatchObject({ needsBrowser: false });
  });

  it('names no address that is longer than any', async () => {
    const long = `/${'"'.repeat(4_000)}`;
    const { links, canonical } = await readPage(
      page(`<p>${WORDS}</p><a href='${long}'>x</a><a href="/a">a</a>`, `<link rel="canonical" href='${long}'>`),
      AT,
    );
    expect([links, canonical]).toEqual([['https://example.com/a'], null]);
  });

  it('is read by chosen elements, all of them', async () => {
    const { markdown, links } = await readPage(
      page(`<p class="x">One ${WORDS}</p><p>Two</p><p class="x">Three</p><a href="/a">a</a>`),
      AT,
      { selector: '.x' },
    );
    expect(markdown).toContain('One');
    expect(markdown).toContain('Three');
    expect(markdown).not.toContain('Two');
    expect(links).toEqual(['https://example.com/a']);
  });
});
