import { growth, LINEAR } from '../../../../platform/testing/src/growth';
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

describe('the name of a picture saved from a social network', () => {
  const described = (file_name: string): string | null => describedByFacts(image({ file_name }));

  it('says nothing', () => {
    expect(described('471234567_10161234567890123_4567890123456789012_n.jpg')).toBeNull();
    expect(described('IMG_2041 (2) (1).jpg')).toBeNull();
    expect(described('2041 boats.jpg')).toBe('2041 boats');
  });

  it('is read in a time that grows with its length alone', () => {
    expect(growth((length) => `${'7'.repeat(length)}x.jpg`, 2_000, described)).toBeLessThan(LINEAR);
    expect(growth((length) => `${'(1) '.repeat(length)}x.jpg`, 2_000, described)).toBeLessThan(LINEAR);
  });
});
