import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageOf } from '../../../../platform/testing/src/archives/package-of';
import { extractFile } from '../extract';
import { EXTRACTION_LIMITS, type ExtractedText } from '../extracted-text';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-epub-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const chapter = (inside: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x.js"/></head><body>${inside}</body></html>`;
const BOOK = {
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>',
  'OEBPS/content.opf': `<?xml version="1.0"?><!DOCTYPE package PUBLIC "a" "b"><package xmlns:dc="d"><metadata><dc:title>The book</dc:title><dc:creator>A. Author</dc:creator><dc:language>en</dc:language></metadata>
    <manifest><item id="two" href="b%20b.xhtml"/><item id="one" href="text/a.xhtml"/></manifest><spine><itemref idref="one"/><itemref idref="two"/><itemref idref="absent"/></spine></package>`,
  'OEBPS/b b.xhtml': chapter('<h1>Second</h1><aside><p>A note of it.</p></aside>'),
  'OEBPS/text/a.xhtml': chapter('<a id="x"/><h1>First</h1><p>Words of the first chapter.</p><footer>Its end.</footer>'),
};
const read = async (parts: Readonly<Record<string, string | Buffer>>): Promise<ExtractedText> => {
  const path = join(folder, 'original');
  await writeFile(path, packageOf(parts));
  const found = await extractFile({ path, type: 'application/epub+zip', name: 'a.epub', limits: EXTRACTION_LIMITS });
  expect(found.loss).toBeNull();
  return found;
};
const encryption = (method: string, part: string): string =>
  `<encryption><enc:EncryptedData xmlns:enc="e"><enc:EncryptionMethod Algorithm="${method}"/><enc:CipherData><enc:CipherReference URI="${part}"/></enc:CipherData></enc:EncryptedData></encryption>`;

describe('a book', () => {
  it('is its chapters in the order of reading', async () => {
    const found = await read(BOOK);
    expect(found.markdown).toBe('# First\n\nWords of the first chapter.\n\nIts end.\n\n# Second\n\nA note of it.');
    expect(found.outline.map(({ level, title }) => [level, title])).toEqual([
      [1, 'First'],
      [1, 'Second'],
    ]);
    expect(found).toMatchObject({
      status: 'ready',
      engine: 'epub/1',
      metadata: { title: 'The book', author: 'A. Author', language: 'en' },
    });
  });

  it('has its quotes and dashes where a chapter is written in windows-1252', async () => {
    const old = Buffer.from(chapter('<p>\x84Gr\xfc\xdfe\x93 \x96 5 \x80</p>').replace('utf-8', 'windows-1252'), 'latin1');
    expect((await read({ ...BOOK, 'OEBPS/b b.xhtml': old })).markdown).toContain('„Grüße“ – 5 €');
  });

  it('has its equations, also with a prefix', async () => {
    const power = '<m:msup><m:mn>10</m:mn><m:mn>6</m:mn></m:msup>';
    const inside = `<p><m:math xmlns:m="m"><m:semantics>${power}<m:annotation>ten</m:annotation></m:semantics></m:math> units</p>`;
    const found = await read({ ...BOOK, 'OEBPS/b b.xhtml': chapter(inside) });
    expect(found.markdown).toContain('10^6 units');
  });

  it('whose chapters are encrypted says so; fonts may be', async () => {
    const fonts = encryption('http://www.idpf.org/2008/embedding', 'OEBPS/font.otf');
    expect(await read({ ...BOOK, 'META-INF/encryption.xml': fonts })).toMatchObject({ status: 'ready' });
    const chapters = encryption('http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'OEBPS/text/a.xhtml');
    expect(await read({ ...BOOK, 'META-INF/encryption.xml': chapters })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('copy-protected') as string,
    });
  });

  it('without chapters, or with entities in its parts, is refused', async () => {
    expect(await read({ ...BOOK, 'OEBPS/content.opf': '<package/>' })).toMatchObject({ status: 'failed' });
    const hostile = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><container>&x;</container>';
    expect(await read({ ...BOOK, 'META-INF/container.xml': hostile })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('declares entities') as string,
    });
  });
});
