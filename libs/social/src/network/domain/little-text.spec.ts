import fc from 'fast-check';
import { parseLittleText } from '@atrium/platform/testing';
import { readLittleText, writeLittleText } from './little-text';

const shownOf = (text: string) => parseLittleText(writeLittleText(text).commentary);

describe('little text', () => {
  it('arrives complete and literal, whatever is reserved in it', () => {
    const text = 'Now (really) [x] {y} <z> a_b *c* ~d~ @e | #1 C:\\';
    expect(shownOf(text)).toEqual({ text, hashtags: ['1'], mentions: [], isCut: false });
    expect(writeLittleText('a_b (c)').commentary).toBe('a\\_b \\(c\\)');
  });

  it('keeps hashtags at the start and behind white space, and escapes every other number sign', () => {
    const parts = writeLittleText('#one a#two #drei_vier\n#äöü # ## ,#no');
    expect(parts.hashtags).toEqual(['one', 'drei', 'äöü']);
    expect(parts.commentary).toBe('#one a\\#two #drei\\_vier\n#äöü \\# \\#\\# ,\\#no');
  });

  it('keeps mentions in their form, with the name escaped', () => {
    const text = 'Hello @[Acme (DE)](urn:li:organization:1001)!';
    expect(writeLittleText(text).commentary).toBe('Hello @[Acme \\(DE\\)](urn:li:organization:1001)!');
    expect(shownOf(text)).toMatchObject({ text, mentions: [{ name: 'Acme (DE)', urn: 'urn:li:organization:1001' }] });
  });

  it('sends a mention with a malformed urn as literal text, and says so', () => {
    const text = '@[Acme](urn:li:company:1) and @[B](x)';
    expect(shownOf(text)).toEqual({ text, hashtags: [], mentions: [], isCut: false });
    expect(writeLittleText(text).malformed).toEqual(['@[Acme](urn:li:company:1)', '@[B](x)']);
  });

  it('does not take a number sign directly behind a mention for a hashtag', () => {
    const text = '@[A](urn:li:person:a1)#tag';
    expect(shownOf(text)).toMatchObject({ text, hashtags: [] });
  });

  it('is read by the network as the text that was written, for every text', () => {
    const signs = fc.constantFrom(...'\\|{}[]()<>@*_~# \nabö1漢🙂', '@[A](urn:li:organization:1)', '@[b_c](urn:li:person:x-1)', '#tag');
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const shown = shownOf(text);
        expect(shown.isCut).toBe(false);
        expect(shown.text).toBe(text);
        expect(readLittleText(writeLittleText(text).commentary)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });
});
