import { meaningText } from './meaning-text';

const textOf = (file_name: string, file_summary: string | null = null, tags = '', analysis = ''): string | null =>
  meaningText({ file_name, file_summary, words: { tags, analysis } });

describe('the text that a file is found by when its meaning is sought', () => {
  it.each([
    'IMG_4711.JPG',
    'DSC00042.ARW',
    '20240517_083000.jpg',
    'P1010203.RW2',
    '---.png',
    '.jpg',
    'WA-0001.jpg',
    'GOPR0001.MP4',
    'scan 7.pdf',
  ])('is none for %s, which says nothing', (name) => {
    expect(textOf(name)).toBeNull();
  });

  it.each([
    ['Harbour_at-night.jpg', 'Harbour at night'],
    ['IMG_4711 harbour.jpg', 'IMG 4711 harbour'],
    ['日本.jpg', '日本'],
    ['scan.pdf', 'scan'],
    ['Übersicht 3.xlsx', 'Übersicht 3'],
  ])('is the words of %s', (name, text) => {
    expect(textOf(name)).toBe(text);
  });

  it('is what people and models said of it, whatever its name', () => {
    expect(textOf('IMG_1.jpg', 'Boats in a harbour')).toBe('IMG 1\nBoats in a harbour');
    expect(textOf('1.jpg', null, 'Harbour', 'two boats')).toBe('1\nHarbour\ntwo boats');
    expect(textOf('1.jpg', ' ', '', '42')).toBeNull();
  });
});
