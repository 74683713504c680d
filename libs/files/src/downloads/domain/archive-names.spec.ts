import { ArchiveNames, SKIPPED_NOTE, unpackableName } from './archive-names';

describe('names inside an archive', () => {
  it.each([
    ['photo.jpg', 'photo.jpg'],
    ['naïve — 写真.jpg', 'naïve — 写真.jpg'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\temp\\x.txt', 'C__temp_x.txt'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['Lpt1.tar.gz', '_Lpt1.tar.gz'],
    ['console.log', 'console.log'],
    ['a\u202egnp.exe', 'a_gnp.exe'],
    ['what?.md', 'what_.md'],
    [' .hidden. ', 'hidden'],
    ['...', 'file'],
    ['half \ud83d.txt', 'half _.txt'],
  ])('writes %j as %j', (given, written) => {
    expect(unpackableName(given)).toBe(written);
  });

  it('keeps long names within what file systems take, extension included', () => {
    const name = unpackableName(`${'長'.repeat(255)}.jpeg`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
    expect(name.endsWith('長.jpeg')).toBe(true);
  });

  it('numbers what is named alike, before the extension', () => {
    const names = new ArchiveNames();
    expect(['a.jpg', 'a.jpg', 'A.JPG', 'b', 'b', 'a (2).jpg'].map((name) => names.nameFor(name))).toEqual([
      'a.jpg',
      'a (2).jpg',
      'A (3).JPG',
      'b',
      'b (2)',
      'a (2) (2).jpg',
    ]);
  });

  it('numbers what file systems that ignore case take for one name, whatever letters it has', () => {
    const names = new ArchiveNames();
    const pairs = ['Straße.txt', 'STRASSE.txt', 'ΟΔΟΣ.md', 'οδος.md', 'Äpfel.md', 'a\u0308pfel.md'];
    expect(pairs.map((name) => names.nameFor(name))).toEqual([
      'Straße.txt',
      'STRASSE (2).txt',
      'ΟΔΟΣ.md',
      'οδος (2).md',
      'Äpfel.md',
      'äpfel (2).md',
    ]);
  });

  it('leaves the name of the note about skipped files free', () => {
    expect(new ArchiveNames().nameFor(SKIPPED_NOTE)).toBe('_skipped (2).txt');
  });

  it('names ten thousand equal files without trying every number again', () => {
    const names = new ArchiveNames();
    const given = Array.from({ length: 10_000 }, () => names.nameFor('x.png'));
    expect(new Set(given).size).toBe(10_000);
    expect(given.at(-1)).toBe('x (10000).png');
  });
});
