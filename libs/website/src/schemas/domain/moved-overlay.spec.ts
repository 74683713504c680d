import { changeOverlay } from './moved-overlay';

const OVERLAY = { 'aaaaaaaa.title': 'Eins', 'bbbbbbbb.title': 'Zwei', 'seo.title': 'Drei' };

describe('an overlay', () => {
  it('changes in the named blocks alone', () => {
    const next = changeOverlay(OVERLAY, new Set(['aaaaaaaa']), ({ title, ...rest }) => ({ ...rest, headline: title ?? null }));
    expect(next).toEqual({ 'bbbbbbbb.title': 'Zwei', 'seo.title': 'Drei', 'aaaaaaaa.headline': 'Eins' });
  });

  it('is the same object where nothing changes', () => {
    expect(changeOverlay(OVERLAY, new Set(['aaaaaaaa']), (values) => values)).toBe(OVERLAY);
    expect(changeOverlay(OVERLAY, new Set(), () => ({}))).toBe(OVERLAY);
  });
});
