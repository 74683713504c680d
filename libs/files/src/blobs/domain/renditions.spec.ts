import { closestRendition, nameOf, type Rendition } from './renditions';

const rendition = (w: number): Rendition => ({ key: `k${w}`, w, h: w, size: w, type: 'image/webp' });

describe('renditions', () => {
  it('answers the wanted one', () => {
    expect(closestRendition({ small: rendition(320), large: rendition(2048) }, 'small')?.name).toBe('small');
  });

  it('answers the next larger one where the wanted is absent', () => {
    expect(closestRendition({ small: rendition(320), large: rendition(2048) }, 'medium')?.name).toBe('large');
  });

  it('never answers a smaller one', () => {
    expect(closestRendition({ small: rendition(320) }, 'medium')).toBeNull();
  });

  it.each([
    ['harbour.jpg', 'harbour.webp'],
    ['harbour', 'harbour.webp'],
    ['a.b.tiff', 'a.b.webp'],
  ])('names the rendition of %s %s', (name, expected) => {
    expect(nameOf(name, rendition(320))).toBe(expected);
  });
});
