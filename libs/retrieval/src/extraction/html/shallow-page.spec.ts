import { shallowPage } from './shallow-page';

describe('a page without what is nested too deeply', () => {
  it('is the page itself where nothing is', () => {
    const page = '<p>One<br>two <img src="a.png"/> <a href="/x">three</a></p>'.repeat(2_000);
    expect(shallowPage(page)).toBe(page);
  });

  it('keeps a thousand levels and the text of those below', () => {
    const found = shallowPage(`${'<div>'.repeat(1_002)}deep${'</div>'.repeat(1_002)}<p>after</p>`);
    expect(found.match(/<div>/g)).toHaveLength(1_000);
    expect(found.match(/<\/div>/g)).toHaveLength(1_000);
    expect(found).toMatch(/>\s+deep\s+<\/div>/);
    expect(found).toContain('<p>after</p>');
  });

  it('ends soon with tags that never do', () => {
    for (const piece of ['<a', '<a b="', '</', '<a '.repeat(3)]) {
      const hostile = piece.repeat(300_000);
      expect(shallowPage(hostile)).toBe(hostile);
    }
    expect(shallowPage(`<${'a'.repeat(1_000_000)}`)).toHaveLength(1_000_001);
  });
});
