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
    ['<meta name="robots" content="noindex nofollow">', '', true, true],
    ['<meta name="robots" content="max-image-preview:none, index">', '', false, false],
    ['<meta name="robots" content="index, follow, max-image-preview: none">', '', false, false],
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
    const data = '<div>Closed until May.</div><script type="application/ld+json">{"@type":"Place"}</script>';
    expect(await readPage(page(data), AT)).toMatchObject({ needsBrowser: false });
    const deferred = '<div id="root"></div><script type="f1-text/javascript" src="/app.js"></script>';
    expect(await readPage(page(deferred), AT)).toMatchObject({ needsBrowser: true });
    expect(await readPage(page(`<p>${WORDS}</p><script src="/app.js"></script>`), AT)).toMatchObject({ needsBrowser: false });
    for (const shell of ['<p>Loading, please wait</p>', '<noscript><p>You need to enable JavaScript to run this app.</p></noscript>'])
      expect(await readPage(page(`${shell}<div id="app"></div><script src="/app.js"></script>`), AT)).toMatchObject({ needsBrowser: true });
  });

  it.each([
    ['Chinese', '海港办公室每天开放回答有关泊位引航员费用和开放时间的问题。'],
    ['Japanese', '港の事務所は毎日開いており、停泊料についての質問に答えます。'],
    ['Thai', 'สำนักงานท่าเรือเปิดทุกวันเพื่อตอบคำถามเกี่ยวกับค่าธรรมเนียม'],
    ['Korean', '항만 사무소는 매일 문을 열고 요금에 대한 질문에 답합니다.'],
    ['a short notice', 'Open from Monday to Friday, 9 to 17.'],
  ])('needs none where its text is %s, whatever scripts are beside it', async (_, words) => {
    expect(await readPage(page(`<main><p>${words}</p></main><script>window.x=1</script>`), AT)).toMatchObject({ needsBrowser: false });
  });

  it('says where it sends its reader, and which pages it shows in frames', async () => {
    const sent = await readPage(page('<p>Moved.</p>', `<meta http-equiv="Refresh" content="0; URL='/new'">`), AT);
    expect(sent).toMatchObject({ refresh: 'https://example.com/new', frames: [] });
    const kept = await readPage(page('<p>Moved.</p>', '<noscript><meta http-equiv="refresh" content="0; url=/no-script"></noscript>'), AT);
    expect(kept.refresh).toBeNull();
    const apart = await readPage(page('<template><meta http-equiv="refresh" content="0; url=/no"></template><p>Here.</p>'), AT);
    expect(apart.refresh).toBeNull();
    expect((await readPage(page('<p>Moved.</p>'), AT, { refresh: '0; url=/header' })).refresh).toBe('https://example.com/header');
    const framed = await readPage(
      '<html><head><title>x</title></head><frameset cols="*,*"><frame src="menu.html"><frame src="//www.example.com/text.html"></frameset></html>',
      AT,
    );
    const frames = ['https://example.com/docs/menu.html', 'https://www.example.com/text.html'];
    expect(framed).toMatchObject({ frames, links: frames, markdown: '' });
  });

  it('has the links of its pictures', async () => {
    const { links } = await readPage(page(`<p>${WORDS}</p><map><area href="/north"></map>`), AT);
    expect(links).toEqual(['https://example.com/north']);
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
