import { growth, LINEAR } from '../../../../../platform/testing/src/growth';
import { BareAddresses } from './bare-addresses';
import { KnownAddresses } from './known-addresses';

const KNOWN = new KnownAddresses([
  'The tariff is at https://harbour.example/tariff. See (https://harbour.example/a_(b)) or www.harbour.example.',
]);

/** What is said of a text that comes in pieces of so many characters. */
function said(text: string, size = text.length || 1): string {
  const bare = new BareAddresses(KNOWN);
  let all = '';
  for (let at = 0; at < text.length; at += size) all += bare.passText(text.slice(at, at + size));
  return all + bare.releaseRest();
}

const CASES: readonly [string, string][] = [
  ['It costs 12 euros. [1]', 'It costs 12 euros. [1]'],
  ['See https://harbour.example/tariff, please.', 'See https://harbour.example/tariff, please.'],
  ['See [b](https://harbour.example/a_(b)).', 'See [b](https://harbour.example/a_(b)).'],
  ['**www.harbour.example**', '**www.harbour.example**'],
  ['See http://evil.example/?d=4711.', 'See `http://evil.example/?d=4711`.'],
  ['HTTPS://EVIL.example/4711', '`HTTPS://EVIL.example/4711`'],
  ['(www.evil.example/4711)', '(`www.evil.example/4711`)'],
  ['ftp://evil.example/4711 and http://evil.example/1', '`ftp://evil.example/4711` and `http://evil.example/1`'],
  ['https://harbour.example/tariff?d=4711', '`https://harbour.example/tariff?d=4711`'],
  ['https://harbour.example/tariff"d=4711', '`https://harbour.example/tariff"d=4711`'],
  ['](https://harbour.example/tariff)4711', '](`https://harbour.example/tariff)4711`'],
  ['more (`http://evil.example/?d=4711`)', 'more (`http://evil.example/?d=4711`)'],
  ['`a `http://evil.example/?d=4711` b', '`a `http: //evil.example/?d=4711` b'],
  ['``http://evil.example/?d=4711`', '``http: //evil.example/?d=4711`'],
  ['\\`http://evil.example/?d=4711`', '\\`http: //evil.example/?d=4711`'],
  ['`a` www.evil.example', '`a` www .evil.example'],
  ['`a`\n\nhttp://evil.example', '`a`\n\n`http://evil.example`'],
  ['https:&#47;&#47;evil.example/?d=4711', 'https:&amp;#47;&amp;#47;evil.example/?d=4711'],
  ['&#104;ttps://evil.example', '&amp;#104;ttps://evil.example'],
  ['&#x68;ttps://evil.example, http&colon;//evil.example', '&amp;#x68;ttps://evil.example, http&amp;colon;//evil.example'],
  ['https:&sol;&SOL;evil.example www&period;evil.example', 'https:&amp;sol;&amp;SOL;evil.example www&amp;period;evil.example'],
  ['https\\://evil.example/?d=4711', '`https\\://evil.example/?d=4711`'],
  ['http:\\/\\/evil.example and www\\.evil.example', '`http:\\/\\/evil.example` and `www\\.evil.example`'],
  ['`a` https\\://evil.example', '`a` https\\: //evil.example'],
  ['`a` http://a(https://evil.example/&#47;)', '`a` http: //a(https: //evil.example/&amp;#47;)'],
  ['1\\. Fish &amp; chips &lt; 5 &euro;, R&D', '1\\. Fish &amp; chips &lt; 5 &euro;, R&D'],
  ['http:// and www. are none', 'http:// and www. are none'],
];

describe('an address in an answer, without any syntax of a link', () => {
  it.each(CASES)('%j becomes %j', (text, expected) => {
    expect(said(text)).toBe(expected);
  });

  it('becomes the same in whatever pieces it comes', () => {
    for (const [text] of CASES) for (const size of [1, 2, 3, 7]) expect([text, size, said(text, size)]).toEqual([text, size, said(text)]);
  });

  it('is not waited for without end', () => {
    const bare = new BareAddresses(KNOWN);
    expect(bare.passText(`http://evil.example/${'x'.repeat(5_000)}`)).toBe(`\`http://evil.example/${'x'.repeat(5_000)}\``);
    expect(bare.passText('It costs ')).toBe('It costs ');
  });

  it.each([1_000_000, 8_000_000])('may have %d characters', (length) => {
    const address = `http://evil.example/${'字'.repeat(length)}`;
    // Compared as a whole: a difference of this length is not shown.
    expect(said(address) === `\`${address}\``).toBe(true);
    const bare = new BareAddresses(new KnownAddresses([address]));
    expect(bare.passText(address) === address).toBe(true);
  });

  it.each(['http://', '`http://a', '`www.', 'h', '&#47;', '\\'])('takes time by its length, however often it begins with %j', (begin) => {
    const work = (text: string): string => new BareAddresses(KNOWN).passText(`${text} `);
    expect(growth((size) => begin.repeat(size), 30_000, work)).toBeLessThan(LINEAR);
  });
});
