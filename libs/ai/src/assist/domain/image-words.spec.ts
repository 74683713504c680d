import { describedByFacts, MOST_ALT, type ImageFacts } from './image-words';

const image = (facts: Partial<ImageFacts>): ImageFacts => ({
  file_name: 'IMG_0001.jpg',
  file_metadata: {},
  words: { tags: '' },
  ...facts,
});

describe('a description by what is known of an image', () => {
  it('takes its metadata, else its name with its tags', () => {
    const metadata = { exif: { ImageDescription: 'x' }, iptc: { Caption: 'Boats at dawn' } };
    expect(describedByFacts(image({ file_metadata: metadata }))).toBe('Boats at dawn');
    expect(describedByFacts(image({ file_name: 'old_harbour.png', words: { tags: 'gull  pier' } }))).toBe('old harbour: gull pier');
    expect(describedByFacts(image({ words: { tags: 'gull' } }))).toBe('gull');
  });

  it.each([
    'IMG_2041.jpg',
    'DSC-00012.jpeg',
    'image (3).png',
    '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed.png',
    'Screenshot 2026-11-23.png',
    '0001.tif',
  ])('knows that %s says nothing', (file_name) => {
    expect(describedByFacts(image({ file_name }))).toBeNull();
  });

  it('is at most 250 characters of whole words', () => {
    const long = describedByFacts(image({ file_metadata: { caption: 'boat '.repeat(100) } })) ?? '';
    expect(long.length).toBeLessThanOrEqual(MOST_ALT);
    expect(long).toMatch(/boat…$/);
  });
});
