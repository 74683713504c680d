import fc from 'fast-check';
import { marked, type Token } from 'marked';
import { growth, LINEAR } from '../../../platform/testing/src/growth';
import { withoutHtml } from './rich-text';

/** Raw HTML that a reader of markdown finds, as an independent one does. */
function htmlIn(markdown: string): string[] {
  const found: string[] = [];
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.type === 'html') found.push(token.raw);
      if ('tokens' in token && token.tokens) walk(token.tokens);
      if (token.type === 'list') for (const item of (token as { items: { tokens: Token[] }[] }).items) walk(item.tokens);
    }
  };
  walk(marked.lexer(markdown));
  return found;
}

describe('rich text', () => {
  it.each([
    ['a <b>bold</b> word', 'a bold word'],
    ['10<sup>6</sup> and 1010<sub>2</sub>, log<sub>10</sub>100, <b>m</b><sup>2</sup>', '10^6 and 1010_2, log10 100, m^2'],
    ['<script>alert(1)</script>', 'alert(1)'],
    ['x <!-- hidden --> y', 'x  y'],
    ['1 < 2 and a<b', '1 < 2 and a&lt;b'],
    ['`<b>` stays', '`<b>` stays'],
    ['```html\n<b>\n```\n<i>x</i>', '```html\n<b>\n```\nx'],
    ['<https://example.com> and <a@b.example>', '<https://example.com> and <a@b.example>'],
    ['<img src=x onerror=alert(1)', '&lt;img src=x onerror=alert(1)'],
    ['\\<b> is written', '\\<b> is written'],
  ])('%j becomes %j', (markdown, expected) => {
    expect(withoutHtml(markdown)).toBe(expected);
  });

  it.each([
    ['a span that only seems to reach over a block', '`\n<script>alert(1)</script>\n`'],
    ['a fence within a list that ends with it', '- a\n  ```\n<script>alert(1)</script>'],
    ['a fence within a quotation', '> ```\n<script>alert(1)</script>'],
    ['a tag made of what is left of others', '<scr<b>ipt>alert(1)</scr<b>ipt>'],
    ['a fence that appears when a tag goes', '<b>```\n<script>x</script>\n```</b>\n<script>y</script>'],
    ['code within an attribute', '<a title="`">`<script>x</script>`'],
  ])('finds %s', (_, markdown) => {
    expect(htmlIn(withoutHtml(markdown))).toEqual([]);
  });

  it('leaves no raw HTML of any text, and nothing to take out a second time', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '<b>',
      '</b>',
      '<script>',
      '<!--',
      '-->',
      '`',
      '``',
      '```',
      '~~~',
      '\n',
      '\n\n',
      '- ',
      '> ',
      '    ',
      '\\',
      'a',
      ' ',
      '"',
      '<a href="',
      '<?',
      '?>',
      '<![CDATA[',
      ']]>',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = withoutHtml(pieces.join(''));
        expect(withoutHtml(text)).toBe(text);
        expect(htmlIn(text)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes out tags in time that grows with the text', () => {
    expect(growth((size) => 'a<b>'.repeat(size), 20_000, withoutHtml)).toBeLessThan(LINEAR);
  });

  it('reads long hostile texts in time that grows with them', () => {
    for (const piece of ['<a ', '`', '<!--', '<a b="', '``` \n', '<', '</a '])
      expect(withoutHtml(piece.repeat(100_000 / piece.length)).length).toBeLessThanOrEqual(400_000);
  });
});
