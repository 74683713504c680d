import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import { htmlToMarkdown, pageText } from './page-text';
import { showSigns } from './shown-signs';

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

  it('keeps what only is named like a question for consent', async () => {
    const recipe = '<div class="cookie-recipe"><p>Two cups of flour.</p></div>';
    expect(await htmlToMarkdown(`<html><body><main>${recipe}</main></body></html>`)).toBe('Two cups of flour.');
    const policy =
      '<html><body><div id="cookies"><h1>Cookies</h1><p>We set none.</p></div><div class="cookie-bar">Agree</div></body></html>';
    expect(await htmlToMarkdown(policy)).toBe('# Cookies\n\nWe set none.');
  });

  it('has no title of a picture', async () => {
    const found = await pageText('<html><body><svg><title>icon</title></svg><h1>Lamp</h1><p>Lit.</p></body></html>');
    expect(found).toMatchObject({ title: 'Lamp', markdown: '# Lamp\n\nLit.' });
  });

  it('without a distinct main content is all of its text', async () => {
    const found = await htmlToMarkdown('<html><body><h1>Opening hours</h1><ul><li>Monday 9</li><li>Tuesday 10</li></ul></body></html>');
    expect(found).toBe('# Opening hours\n\n-   Monday 9\n-   Tuesday 10');
  });

  it('keeps the numbers of lists that do not count from one by one', async () => {
    const found = await htmlToMarkdown(
      '<ol start="3"><li>c<li>d</ol><ol><li>a<li value="7"><p>g</p><p>more</p><li>h</ol><ol type="a" start="2"><li>b<li>c</ol><ol reversed><li>x<li>y</ol>',
    );
    expect(
      found
        .replace(/\n+/g, '\n')
        .replace(/ +/g, ' ')
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual(['3. c', '4. d', '- 1\\. a', '- 7\\. g', 'more', '- 8\\. h', '- b. b', '- c. c', '- 2\\. x', '- 1\\. y']);
  });

  it('parts what is on lines of its own, and words from their readings', async () => {
    const found = await htmlToMarkdown(
      '<details><summary>Fees</summary>Twelve euros</details><fieldset><legend>Berth</legend>B4</fieldset><p><ruby>東京<rt>とうきょう</rt></ruby>で<ruby>京<rp>（</rp><rt>きょう</rt><rp>）</rp></ruby></p>',
    );
    const notes = 'In 2024<a epub:type="noteref" href="#n1">1</a> and 2025<sup><a role="doc-noteref" href="#n2">2</a></sup>';
    expect(await htmlToMarkdown(`<p>${notes}</p>`)).toBe('In 2024^1 and 2025^2');
    expect(found).toBe('Fees\n\nTwelve euros\n\nBerth\n\nB4\n\n東京(とうきょう)で京（きょう）');
  });

  it('parts many words from their readings in a time that grows with their number', async () => {
    const { load } = await import('cheerio');
    const pageOf = (size: number): string => `<ruby>${'東<rt>a</rt>'.repeat(size)}</ruby>`;
    expect(growth(pageOf, 500, (html) => showSigns(load(html)))).toBeLessThan(LINEAR);
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

  it('has the ticks of its boxes where words are beside them', async () => {
    const list = '<ul><li><input type="checkbox" checked disabled> Crane</li><li><label><input type=checkbox>Pilot</label></li></ul>';
    const choice =
      '<div><input type="RADIO" id="a" checked="checked"><label for="a">Red</label> <input type="radio" id="b"><label for="b">Blue</label></div>';
    const others =
      '<div><input type="checkbox" id="menu"><label for="menu"></label></div><p><input value="no words"><input type=checkbox hidden></p>';
    expect(await htmlToMarkdown(list + choice + others)).toBe('-   [x] Crane\n-   [ ] Pilot\n\n[x] Red [ ] Blue');
  });

  it.each([
    ['<table><tr><td>Pier</td><td><input type=checkbox checked> Crane</td></tr></table>', '| Pier | [x] Crane |\n| --- | --- |'],
    ['<div><input type=checkbox checked> Crane</div>', '[x] Crane'],
    ['<form><span>Crane</span> <input type=radio></form>', 'Crane [ ]'],
    ['<div><input type=checkbox checked><!-- of --> <b>Crane</b></div>', '[x] **Crane**'],
    ['<label><span><input type=checkbox checked></span> Crane</label>', '[x] Crane'],
    ['<label class=switch><input type=checkbox><i></i></label><p>Crane</p>', 'Crane'],
    ['<label for="">Crane</label><div><input type=checkbox></div>', 'Crane'],
    ['<div><input type=checkbox><div>Crane</div></div>', 'Crane'],
    ['<div><input type=checkbox> Crane<div><i></i><input type=checkbox></div></div>', '[ ] Crane'],
    ['<div><label for=a>Crane</label><input type=checkbox></div>', 'Crane'],
  ])('has a tick where words of a line are beside its box or around it: %s', async (boxes, markdown) => {
    expect(await htmlToMarkdown(boxes)).toBe(markdown);
  });

  it.each([
    ['<msup><mn>10</mn><mn>6</mn></msup>', '10^6'],
    ['<mfrac><mn>1</mn><mn>2</mn></mfrac><mo>&lt;</mo><mn>2</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>', '1/2<2 1/2'],
    ['<msup><mn>2</mn><mn>3</mn></msup><mn>4</mn>', '2^3 4'],
    ['<msub><mi>log</mi><mn>10</mn></msub><mn>100</mn>', 'log_10 100'],
    ['<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>', 'E=mc^2'],
    ['<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt><mroot><mi>y</mi><mn>3</mn></mroot>', '√(x+1)(y)^(1/3)'],
    ['<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>', '∑\\_(i=1)^n i'],
    ['<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>', '(n choose k)'],
    [
      '<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable>',
      '[1 0; 0 1]',
    ],
    [
      '<semantics><mrow><mi>sin</mi><mo>\u2061</mo><mi>x</mi></mrow><annotation encoding="application/x-tex">\\sin x</annotation></semantics>',
      'sin x',
    ],
    ['<mmultiscripts><mi>C</mi><none/><mo>+</mo><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>', '\\_6^14C^(+)'],
    ['<mn>5</mn><mtext> of </mtext><mfenced><mi>a</mi><mi>b</mi></mfenced>', '5 of (a,b)'],
    ['<mfenced separators=""><mn>2</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></mfenced>', '(2 1/2)'],
    ['<mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><msup><mo>)</mo><mn>2</mn></msup>', '(a+b)^2'],
    ['<mo>|</mo><mi>x</mi><msup><mrow><mo>|</mo></mrow><mn>2</mn></msup>', '|x|^2'],
    ['<msubsup><mo>∑</mo><mn>1</mn><mi>n</mi></msubsup>', '∑\\_1^n'],
  ])('writes equations in a line: %s', async (math, line) => {
    expect(await htmlToMarkdown(`<p>If <math>${math}</math> holds</p>`)).toBe(`If ${line} holds`);
  });

  it.each([
    ['SO<sub>4</sub><sup>2−</sup>', 'SO4^(2−)'],
    ['SO<sub>4</sub><span><sup>2−</sup></span>', 'SO4^(2−)'],
    ['10<sup>6</sup><sub>2</sub>', '10^6_2'],
    ['<sup>1</sup>2019', '1 2019'],
  ])('writes raised and lowered signs in a line: %s', async (signs, line) => {
    expect((await htmlToMarkdown(`<p>${signs} here</p>`)).replaceAll('\\', '')).toBe(`${line} here`);
  });

  it.each([
    ['Take 2', '1', ' cups', 'Take 2 1/2 cups'],
    ['Take <b>2</b><!-- and -->', '1', '<i>5</i>', 'Take **2** 1/2 *5*'],
    ['', '1', '<math><mn>3</mn></math>4', '1/2 3 4'],
    ['<span>2', '1', '</span>5', '2 1/2 5'],
    ['2', 'x', '', '2x/2'],
  ])('keeps the numbers of an equation apart from those beside it: %s', async (before, above, behind, line) => {
    const half = `<math><mfrac><mi>${above}</mi><mn>2</mn></mfrac></math>`;
    expect(await htmlToMarkdown(`<p>${before}${half}${behind}</p>`)).toBe(line);
  });

  it('writes equations whose signs are over signs as deep as pages go, and elements of any name', async () => {
    const deep = `${'<mover><mi>x</mi>'.repeat(90)}<mi>y</mi>${'</mover>'.repeat(90)}`;
    expect(await htmlToMarkdown(`<p><math>${deep}</math></p>`)).toMatch(/^x\^\(x\^\(x/);
    expect(await htmlToMarkdown('<p><math><__proto__><mn>1</mn></__proto__><constructor><mn>2</mn></constructor></math></p>')).toContain(
      '2',
    );
  });

  it('survives elements nested a hundred thousand deep, and spans that cover millions', async () => {
    const deep = await htmlToMarkdown(`${'<div>'.repeat(100_000)}bottom${'</div>'.repeat(100_000)}`);
    expect(deep).toBe('bottom');
    const wide = await htmlToMarkdown('<table><tr><td colspan="9999999" rowspan="9999999">x</td><td>y</td></tr></table>');
    expect(wide.split('\n').map((row) => row.split(' | ').length)).toEqual([101, 101]);
    expect(await htmlToMarkdown('')).toBe('');
  });
});
