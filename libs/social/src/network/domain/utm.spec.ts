import { findLinks, taggedText, taggedUrl } from './utm';

const UTM = { source: 'linkedin', medium: 'social', campaign: 'Spring & co' };

describe('campaign parameters', () => {
  it('are added once, and keep what the link has', () => {
    const once = taggedUrl('https://example.com/a?utm_source=mail&x=1#top', UTM);
    expect(once).toBe('https://example.com/a?utm_source=mail&x=1&utm_medium=social&utm_campaign=Spring%20%26%20co#top');
    expect(taggedUrl(once, UTM)).toBe(once);
    expect(taggedUrl('https://example.com', UTM)).toBe(
      'https://example.com?utm_source=linkedin&utm_medium=social&utm_campaign=Spring%20%26%20co',
    );
  });

  it('reach each link of a text, which ends where a reader would end it', () => {
    const text = 'See https://example.com/a_b. Or (http://example.org/c)! Not mail@example.com, not example.net.';
    expect(findLinks(text).map(({ url }) => url)).toEqual(['https://example.com/a_b', 'http://example.org/c']);
    expect(taggedText(text, { source: 's' })).toBe(
      'See https://example.com/a_b?utm_source=s. Or (http://example.org/c?utm_source=s)! Not mail@example.com, not example.net.',
    );
    expect(taggedText(text, null)).toBe(text);
  });
});
