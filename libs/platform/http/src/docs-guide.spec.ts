import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GuidePages } from './docs-guide';

const GUIDE = join(__dirname, '../../../../docs/guide');
const names = readdirSync(GUIDE)
  .filter((file) => file.endsWith('.md') && file !== 'README.md')
  .map((file) => file.slice(0, -'.md'.length));
const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe('a page of the guide', () => {
  const pages = new GuidePages();

  it('shows what a command answers on a line of its own, marked, and still a comment for a shell', () => {
    const lines = (pages.findPage('lists') ?? '').split('\n');
    const at = lines.indexOf('<span class="answer"># → Lighthouse</span>');
    expect(lines[at - 1]).toMatch(/atrium &quot;\$ATRIUM\/albums\?album_name=house&quot;$/);
  });

  it.each(names)('shows every answer that is expected: %s', (name) => {
    const expected = [...readFileSync(join(GUIDE, `${name}.md`), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
      .flatMap(([, block = '']) => block.split('\n'))
      .filter((line) => line.includes('# → '))
      .map((line) => line.slice(line.indexOf('# → ')));
    const shown = [...(pages.findPage(name) ?? '').matchAll(/^<span class="answer">(.*)<\/span>$/gm)].map(([, answer = '']) =>
      plain(answer),
    );
    expect(shown).toEqual(expected);
  });
});
