import { baseAddress, previewAddress } from './site-addresses';

const refusal = (work: () => string): string | undefined => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

describe('the address of a site', () => {
  it.each([
    ['https://www.example.com/', 'https://www.example.com'],
    ['HTTP://Example.com/shop/', 'http://example.com/shop'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('%s is kept as %s', (text, kept) => {
    expect(baseAddress('site_base_url', text)).toBe(kept);
  });

  it.each([
    'javascript:alert(1)',
    'ftp://example.com',
    'example.com',
    'https://a:b@example.com',
    'https://example.com?a=1',
    'https://example.com#a',
  ])('%s is refused', (text) => {
    expect(refusal(() => baseAddress('site_base_url', text))).toMatch(/^site_base_url: must /);
  });
});

describe('the address of previews', () => {
  it('keeps its placeholders', () => {
    const text = 'https://preview.example.com/{locale}{path}?t={token}';
    expect(previewAddress('site_preview_url', text)).toBe(text);
  });

  it.each(['https://{token}.example.com', 'https://{locale}/x', '{path}', 'https://example.com/{other}', 'data:{token}'])(
    '%s is refused',
    (text) => {
      expect(refusal(() => previewAddress('site_preview_url', text))).toMatch(/^site_preview_url: /);
    },
  );
});
