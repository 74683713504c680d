import { deflateRawSync } from 'node:zlib';
import { drawPicture, jpeg2000Picture, pageNamedPicture, type PictureFormat } from '../../../../platform/testing/src/pictures';
import { extensionOf, isExecutable, isExecutableName, kindOf } from './file-kinds';
import { TYPE_HEAD_BYTES, typeByBytes } from './type-by-bytes';

const typeOf = (content: string | Buffer, name: string): Promise<string> => {
  const bytes = Buffer.from(content);
  return typeByBytes({ head: bytes.subarray(0, TYPE_HEAD_BYTES), name, size: bytes.length });
};

describe('the type of a file by its bytes', () => {
  it.each<[PictureFormat, string]>([
    ['jpeg', 'image/jpeg'],
    ['png', 'image/png'],
    ['webp', 'image/webp'],
    ['tiff', 'image/tiff'],
    ['avif', 'image/avif'],
    ['gif', 'image/gif'],
    ['bmp', 'image/bmp'],
  ])('knows a %s picture whatever its name says', async (format, type) => {
    const bytes = await drawPicture({ width: 40, height: 30, format });
    expect(await typeOf(bytes, 'notes.txt')).toBe(type);
  });

  it.each([
    ['%PDF-1.7\n%âãÏÓ\n1 0 obj', 'x.jpg', 'application/pdf'],
    ['# Title\n\nSome *words*.', 'readme.md', 'text/markdown'],
    ['<div align="center">\n\n# Title', 'readme.md', 'text/markdown'],
    ['a,b\n1,2\n', 'table.csv', 'text/csv'],
    ['{"a": [1, 2]}', 'data.json', 'application/json'],
    ['{"a": [1, 2]}', 'data', 'application/json'],
    ['{"a": [1, 2', 'data.json', 'text/plain'],
    ['just words', 'notes.txt', 'text/plain'],
    ['just words', 'picture.png', 'text/plain'],
    ['42', 'answer', 'text/plain'],
    ['BMW is a car', 'car.txt', 'text/plain'],
    ['solid advice for everybody', 'advice.txt', 'text/plain'],
    ['MZ are two letters', 'letters.txt', 'text/plain'],
    ['<?xml version="1.0"?><catalog/>', 'data.xml', 'application/xml'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'logo.svg', 'image/svg+xml'],
    ['<?xml version="1.0"?>\n<!-- made by hand -->\n<!DOCTYPE svg [<!ENTITY a "b">]>\n<svg:svg/>', 'logo.txt', 'image/svg+xml'],
    ['#!/bin/sh\necho hello', 'run', 'text/x-shellscript'],
    ['\u00e4\u00f6\u00fc gr\u00fc\u00df dich', 'umlaut.txt', 'text/plain'],
  ])('%j named %s is %s', async (content, name, type) => {
    expect(await typeOf(content, name)).toBe(type);
  });

  it('knows a page under the name of a picture as a page', async () => {
    expect(await typeOf(pageNamedPicture(), 'prize.png')).toBe('text/html');
    expect(await typeOf('  \n<script>alert(1)</script>', 'a.jpg')).toBe('text/html');
    expect(await typeOf('<p>hello <img src=x onerror=alert(1)>', 'a.gif')).toBe('text/html');
    expect(await typeOf('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', 'a.png')).toBe('text/html');
    expect(await typeOf('<html><body>page</body></html>', 'a.txt')).toBe('text/html');
  });

  it('decides a file that is two formats at once by what it begins as', async () => {
    const gif = await drawPicture({ width: 10, height: 10, format: 'gif' });
    expect(await typeOf(Buffer.concat([gif, pageNamedPicture()]), 'both.html')).toBe('image/gif');
    expect(await typeOf(Buffer.concat([pageNamedPicture(), gif]), 'both.gif')).toBe('text/html');
    expect(await typeOf(Buffer.concat([Buffer.from('GIF89a=1;alert(1)//'), Buffer.alloc(20)]), 'both.js')).toBe('image/gif');
  });

  it('knows a text by what it is, though it quotes the mark of a document, rings a bell or ends as in DOS', async () => {
    expect(await typeOf('# A header\n\nIt begins with `%PDF-1.7` and ends with `%%EOF`.\n', 'about.md')).toBe('text/markdown');
    expect(await typeOf('%PDF-1.4 is the mark of a document.\n', 'about.txt')).toBe('text/plain');
    expect(await typeOf('%PDF-1.7\n%%EOF\n', 'about.jpg')).toBe('application/pdf');
    expect(await typeOf('%PDF-1.4 cut off', 'scan.pdf')).toBe('application/pdf');
    expect(await typeOf(Buffer.from('Liegepl\x84tze\n\x1a', 'latin1'), 'dos.txt')).toBe('text/plain');
    expect(await typeOf(`a;b\n1;2\n${'\x1a'.repeat(100)}`, 'dos.csv')).toBe('text/csv');
    expect(await typeOf('\x07Bell\b\b rung at noon. \x1b[31mred\x1b[0m\n'.repeat(3), 'log.txt')).toBe('text/plain');
    expect(await typeOf(Buffer.from('\x01\x02\x03\x04\x05\x06 bytes', 'latin1'), 'a.txt')).toBe('application/octet-stream');
  });

  it('knows UTF-16 that bears no mark', async () => {
    expect(await typeOf(Buffer.from('姓名,年龄\n王小明,30\n', 'utf16le'), 'a.csv')).toBe('text/csv');
    expect(await typeOf(Buffer.from('Имя,Город\nИван,Москва\n', 'utf16le').swap16(), 'a.txt')).toBe('text/plain');
  });

  it('takes a Windows Media file with pictures for a film, whichever stream comes first', async () => {
    const header = '3026b2758e66cf11a6d900aa0062ce6c';
    const stream = (kind: string): string => `9107dcb7b7a9cf118ee600c00c2053654e00000000000000${kind}${'00'.repeat(38)}`;
    const [sound, pictures] = ['409e69f84d5bcf11a8fd00805f5c442b', 'c0ef19bc4d5bcf11a8fd00805f5c442b'].map(stream);
    const file = (...streams: readonly (string | undefined)[]): Buffer =>
      Buffer.from(`${header}ff0000000000000002000000${'0102'}${streams.join('')}`, 'hex');
    expect(await typeOf(file(sound, pictures), 'a.wmv')).toBe('video/x-ms-asf');
    expect(await typeOf(file(sound), 'a.wma')).toBe('audio/x-ms-asf');
    expect(await typeOf(file(), 'a.wmv')).toBe('video/x-ms-asf');
  });

  it('takes pictures of AV1 that move for pictures, in whatever order they name their brands', async () => {
    const file = (...brands: readonly string[]): Buffer =>
      Buffer.concat([
        Buffer.of(0, 0, 0, 8 + 4 * (brands.length + 1)),
        Buffer.from(`ftyp${brands[0] ?? ''}\0\0\0\0${brands.slice(1).join('')}`),
        Buffer.alloc(40),
      ]);
    expect(await typeOf(file('avis', 'avif', 'msf1', 'mif1'), 'a.avif')).toBe('image/avif');
    expect(await typeOf(file('msf1', 'avis', 'iso8'), 'a.avif')).toBe('image/avif');
    expect(await typeOf(file('iso8', 'avis', 'mif1'), 'a.avif')).toBe('image/avif');
    expect(await typeOf(file('isom', 'iso2', 'av01', 'mp41'), 'a.mp4')).toBe('video/mp4');
    expect(await typeOf(file('mif1', 'heic'), 'a.heic')).toMatch(/^image\/hei/);
  });

  it('reads text in UTF-16 and Latin-1', async () => {
    expect(await typeOf(Buffer.from('\ufeffname,city\n', 'utf16le'), 'a.csv')).toBe('text/csv');
    expect(await typeOf(Buffer.from('Stra\u00dfe', 'latin1'), 'a.txt')).toBe('text/plain');
    expect(await typeOf(Buffer.from('\ufeff<html></html>', 'utf16le'), 'a.png')).toBe('text/html');
  });

  it('finds the mark of a document within its first kilobyte, behind what mail and printers put there', async () => {
    const document = '%PDF-1.4\n%\u00e2\u00e3\n1 0 obj\n<</Type/Catalog>>\nendobj\n';
    for (const before of [
      '\n\n',
      'Content-Type: application/pdf\r\n\r\n',
      '\x1b%-12345X@PJL ENTER LANGUAGE=PDF\n',
      '\0'.repeat(900),
      'x'.repeat(1000),
    ]) {
      expect(await typeOf(Buffer.from(before + document, 'latin1'), 'scan.bin')).toBe('application/pdf');
    }
    expect(await typeOf(`${'x'.repeat(1100)}${document}`, 'a.txt')).toBe('text/plain');
    expect(await typeOf('A file that begins with %PDF-1.4 is a document.', 'a.txt')).toBe('text/plain');
    expect(await typeOf(`<html><script>alert(1)</script>${document}`, 'a.pdf')).toBe('text/html');
    expect(await typeOf(Buffer.concat([await drawPicture({ width: 9, height: 9, format: 'gif' }), Buffer.from(document)]), 'a.pdf')).toBe(
      'image/gif',
    );
  });

  it.each([
    ['WK1 of 1-2-3', '0000020006040600080000000000'],
    ['WKS of 1-2-3', '0000020004040600080000000000'],
    ['Symphony', '0000020005040600080000000000'],
    ['WK3', '00001a000010040000000000'],
    ['WK4', '00001a000210040000000000'],
    ['123 of 97', '00001a000310040000000000'],
    ['Works', 'ff00020004040554020000000000'],
  ])('knows a sheet of Lotus (%s) from icons and pointers', async (_, bytes) => {
    expect(await typeOf(Buffer.concat([Buffer.from(bytes, 'hex'), Buffer.alloc(200)]), 'plan.bin')).toBe('application/vnd.lotus-1-2-3');
    expect(kindOf('application/vnd.lotus-1-2-3')).toBe('document');
  });

  it('knows icons and pointers by the pictures they list', async () => {
    const entry = '10100000010020006800000016000000';
    expect(await typeOf(Buffer.concat([Buffer.from(`000001000100${entry}`, 'hex'), Buffer.alloc(200)]), 'a')).toBe('image/x-icon');
    expect(await typeOf(Buffer.concat([Buffer.from(`000002000100${entry}`, 'hex'), Buffer.alloc(200)]), 'a')).toBe('image/x-icon');
    expect(await typeOf(Buffer.concat([Buffer.from('00000200', 'hex'), Buffer.alloc(200)]), 'a')).toBe('application/octet-stream');
  });

  it('knows JPEG 2000 in its forms, and Motion JPEG 2000 as a film', async () => {
    expect(
      await Promise.all([jpeg2000Picture(), jpeg2000Picture('jp2 '), jpeg2000Picture('jpx ')].map((bytes) => typeOf(bytes, 'a'))),
    ).toEqual(['image/j2c', 'image/jp2', 'image/jpx']);
    const film = jpeg2000Picture('jp2 ');
    film.write('mjp2', film.indexOf('ftyp') + 4, 'latin1');
    expect(await typeOf(film, 'a')).toBe('video/mj2');
    expect(kindOf('video/mj2')).toBe('video');
  });

  it('keeps a character that the head cuts in two', async () => {
    const bytes = Buffer.from('ä'.repeat(TYPE_HEAD_BYTES));
    expect(await typeByBytes({ head: bytes.subarray(0, 1001), name: 'long.md', size: bytes.length })).toBe('text/markdown');
  });

  it('lets the name choose for empty files among the kinds of text, which alone can be empty', async () => {
    expect(await typeOf('', 'new.md')).toBe('text/markdown');
    expect(await typeOf('', 'new.txt')).toBe('text/plain');
    expect(await typeOf('', 'new.png')).toBe('application/octet-stream');
    expect(await typeOf('', 'new')).toBe('application/octet-stream');
  });

  it('distinguishes office documents from other archives, and the old ones by name', async () => {
    const docx = zipped('word/document.xml', '[Content_Types].xml');
    expect(await typeOf(docx, 'a.zip')).toBe('application/vnd.openxmlformats-officedocument.wordprocessingml.document');
    expect(await typeOf(zipped('notes.txt'), 'a.docx')).toBe('application/zip');
    const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1000)]);
    expect(await typeOf(compound, 'old.doc')).toBe('application/msword');
    expect(await typeOf(compound, 'setup.msi')).toBe('application/x-msi');
    expect(await typeOf(compound, 'old')).toBe('application/x-cfb');
  });

  it('answers octet-stream for bytes nobody knows', async () => {
    expect(await typeOf(Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 0, 255]), 'a.jpg')).toBe('application/octet-stream');
  });

  it('recognizes programs by their bytes and, before there are any, by their name', async () => {
    const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]);
    expect(isExecutable(await typeOf(program, 'photo.jpg'))).toBe(true);
    expect(isExecutable(await typeOf(Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(100)]), 'a'))).toBe(true);
    expect(isExecutable(await typeOf('just words', 'notes.txt'))).toBe(false);
    expect(isExecutableName('Setup.EXE')).toBe(true);
    expect(isExecutableName('exe')).toBe(false);
  });

  it('sorts types into kinds', () => {
    expect(
      ['image/heic', 'video/mp4', 'audio/mpeg', 'application/pdf', 'text/csv', 'font/woff2', 'application/zip', 'application/wasm'].map(
        kindOf,
      ),
    ).toEqual(['image', 'video', 'audio', 'document', 'document', 'font', 'archive', 'other']);
    expect(kindOf('application/vnd.oasis.opendocument.text')).toBe('document');
    expect([extensionOf('A.B.JPG'), extensionOf('.env'), extensionOf('plain')]).toEqual(['jpg', '', '']);
  });
});

/** A ZIP of small entries, as far as type detection reads it. */
function zipped(...names: string[]): Buffer {
  const content = Buffer.from(
    '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  );
  const packed = deflateRawSync(content);
  const entries = names.map((name) => {
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(8, 8);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(content.length, 22);
    header.writeUInt16LE(name.length, 26);
    return Buffer.concat([header, Buffer.from(name), packed]);
  });
  return Buffer.concat(entries);
}
