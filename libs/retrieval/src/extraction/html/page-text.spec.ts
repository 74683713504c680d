import { htmlToMarkdown, pageText } from './page-text';

const prose = (n: number): string =>
  `<p>Paragraph ${n} says something at length, with commas, and with more than enough words to count as the content of a page, as articles do, again and again.</p>`;
const page = (
  main: string,
): string => `<!doctype html><html lang="de-AT"><head><title>Site title</title><meta name="author" content="A. Author"><script>var a = "<p>script</p>";</script><style>p{}</style></head><body>
  <nav><a href="/">Home</a><a href="/about">About us</a></nav><div id="cookie-banner">We use cookies. <button>Accept</button></div>
  <article><h1>The heading</h1>${main}</article><footer>Imprint and more</footer></body></html>`;

describe('a page as markdown', () => {
  it('is its main content under its heading, with headings, tables, code, lists and absolute links', async () => {
    const main = `${prose(1)}<h2 onclick="x()">Sub &amp; more</h2>${prose(2)}<p><a href="../other?a=1#b">link</a> and <a href="javascript:x()">none</a> <img src="/p.png" alt="A picture" onerror="x()"></p>
      <table><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody><tr><td rowspan="2">Chair</td><td>1 | 2</td></tr><tr><td>3</td></tr></tbody></table>
      <pre><code class="language-js">if (a &lt; b) {\n  c();\n}</code></pre><ul><li>One<ul><li>Deeper</li></ul></li><li>Two</li></ul>${prose(3)}${prose(4)}`;
    const found = await pageText(page(main), 'https://example.org/docs/guide/');
    expect(found).toMatchObject({ title: 'Site title', language: 'de', author: 'A. Author' });
    const { markdown } = found;
    expect(markdown.startsWith('# The heading\n\nParagraph 1')).toBe(true);
    for (const part of [
      '## Sub & more',
      '[link](https://example.org/docs/other?a=1#b) and none ![A picture](https://example.org/p.png)',
      '| Name | Price |\n| --- | --- |\n| Chair | 1 \\| 2 |\n| Chair | 3 |',
      '```js\nif (a < b) {\n  c();\n}\n```',
      '-   One\n    -   Deeper\n-   Two',
    ]) {
      expect(markdown).toContain(part);
    }
    expect(await htmlToMarkdown(`<article><h1>One</h1>${prose(1)}${prose(2)}<h2>Two</h2>${prose(3)}</article>`)).toMatch(
      /^# One\n[^]*\n## Two\n/,
    );
    for (const gone of ['About us', 'cookies', 'Imprint', 'script', 'onclick', 'javascript']) expect(markdown).not.toContain(gone);
  });

  it('without a distinct main content is all of its text', async () => {
    const found = await htmlToMarkdown('<html><body><h1>Opening hours</h1><ul><li>Monday 9</li><li>Tuesday 10</li></ul></body></html>');
    expect(found).toBe('# Opening hours\n\n-   Monday 9\n-   Tuesday 10');
  });

  it('has more parts than a call takes arguments', async () => {
    const deep = `${'<div>'.repeat(201)}<p>begin</p>${'<br>'.repeat(130_000)}<p>end</p>`;
    expect(await htmlToMarkdown(deep)).toMatch(/^begin\s+end$/);
    const ticks = '```\n'.repeat(130_000);
    expect((await htmlToMarkdown(`<pre>a\n${ticks}</pre>`)).startsWith('````\na\n```\n')).toBe(true);
  });

  it('holds no HTML, whatever the text of it says', async () => {
    const text = '&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=y&gt; &amp;lt;b&amp;gt;';
    const found = await htmlToMarkdown(
      `<p>${text}</p><svg onload="x()"><text>drawn</text></svg><iframe src="https://a.b"></iframe><p>5 &lt; 6</p>`,
    );
    expect(found).toBe('\\<script>alert(1)\\</script> \\<img src=x onerror=y> \\&lt;b\\&gt;\n\n5 < 6');
  });

  it('shows text that looks like markdown as it is', async () => {
    expect(await htmlToMarkdown('<p># no heading</p><p>1. no list</p><p>*no* _emphasis_ snake_case 2 * 3 `code` [a](b)</p>')).toBe(
      '\\# no heading\n\n1\\. no list\n\n\\*no\\* \\_emphasis\\_ snake_case 2 * 3 \\`code\\` \\[a](b)',
    );
  });

  it('takes tables that are layout for their text, and tables in tables for words of a cell', async () => {
    expect(await htmlToMarkdown('<table><tr><td><h2>Head</h2><p>Text</p></td></tr></table>')).toBe('## Head\n\nText');
    const found = await htmlToMarkdown('<table><tr><td>a</td><td><table><tr><td>x</td><td>y</td></tr></table></td></tr></table>');
    expect(found).toBe('| a | \\| x \\| y \\| |\n| --- | --- |');
  });

  it('survives elements nested a hundred thousand deep, and spans that cover millions', async () => {
    const deep = await htmlToMarkdown(`${'<div>'.repeat(100_000)}bottom${'</div>'.repeat(100_000)}`);
    expect(deep).toBe('bottom');
    const wide = await htmlToMarkdown('<table><tr><td colspan="9999999" rowspan="9999999">x</td><td>y</td></tr></table>');
    expect(wide.split('\n').map((row) => row.split(' | ').length)).toEqual([101, 101]);
    expect(await htmlToMarkdown('')).toBe('');
  });
});
