import { Problem } from '@atrium/platform/kernel';
import { DEFAULT_OPTIONS, downloadsOf, mergedOptions, storedOptions, type ShareOptions } from './share-options';

const faults = (changed: Partial<ShareOptions>): string[] => {
  try {
    mergedOptions(DEFAULT_OPTIONS, changed);
    return [];
  } catch (error) {
    return error instanceof Problem ? (error.errors ?? []).map(({ path }) => path) : [String(error)];
  }
};

describe('options of a link', () => {
  it('are laid over what is there, key by key', () => {
    const merged = mergedOptions(mergedOptions(DEFAULT_OPTIONS, { max_views: 3, terms: 'Please' }), { allow_zip: false });
    expect(merged).toMatchObject({ max_views: 3, terms: 'Please', allow_zip: false, allow_download: true });
    expect(mergedOptions(merged, { terms: '  ' }).terms).toBeNull();
  });

  it('switch downloads off with a new watermark, unless the same request asks for them', () => {
    const watermark = { text: 'ACME' };
    const marked = mergedOptions(DEFAULT_OPTIONS, { watermark });
    expect([marked.allow_download, downloadsOf(marked)]).toEqual([false, 'off_for_watermark']);
    expect(downloadsOf(mergedOptions(DEFAULT_OPTIONS, { watermark, allow_download: true }))).toBe('on');
    const asked = mergedOptions(marked, { allow_download: true });
    expect(downloadsOf(mergedOptions(asked, { watermark: { text: 'ACME 2' }, layout: 'list' }))).toBe('on');
    expect(downloadsOf(mergedOptions(marked, { watermark: null }))).toBe('off');
    expect(downloadsOf(DEFAULT_OPTIONS)).toBe('on');
  });

  it('have their default where a stored row knows nothing of them', () => {
    expect(storedOptions({ layout: 'list' })).toEqual({ ...DEFAULT_OPTIONS, layout: 'list' });
  });

  it('name each fault', () => {
    expect(faults({ sizes: ['original', 'huge' as 'large'] })).toEqual(['share_options.sizes[1]']);
    expect(faults({ sizes: [] })).toEqual(['share_options.sizes']);
    expect(faults({ sizes: [], allow_download: false })).toEqual([]);
    expect(faults({ allowed_kinds: ['image', 'picture'], allowed_formats: ['jpg', '.PNG'] })).toEqual([
      'share_options.allowed_kinds[1]',
      'share_options.allowed_formats[1]',
    ]);
    expect(faults({ watermark: { text: 'a', file_id: '0190163d-8694-739b-aea5-966c26f8ad91' } })).toEqual(['share_options.watermark']);
    expect(faults({ watermark: {} })).toEqual(['share_options.watermark']);
  });
});
