import { packageOf } from '../../testing/src/archives/package-of';
import { Package } from './package';
import { readXml } from './xml-events';

const MIB = 1024 * 1024;

describe('a package', () => {
  it('answers its entries by name, whatever the case, and nothing else', async () => {
    const pack = await Package.open(packageOf({ 'word/Document.xml': '<a/>', 'media/': '', 'b.txt': 'two' }));
    expect(pack.names).toEqual(['word/Document.xml', 'b.txt']);
    expect((await pack.bytes('/Word/document.XML', 100)).toString()).toBe('<a/>');
    expect([pack.has('c.txt'), pack.size('b.txt')]).toEqual([false, 3]);
    await expect(pack.stream('c.txt')).rejects.toMatchObject({ code: 'unprocessable_content' });
    await expect(pack.bytes('b.txt', 2)).rejects.toMatchObject({ code: 'payload_too_large' });
    pack.close();
  });

  it('refuses names that lead out of it', async () => {
    for (const name of ['../outside.txt', 'a/../../b.txt', '/../c', 'C:/d.txt', '..\\e.txt']) {
      await expect(Package.open(packageOf([{ name, content: 'x' }]))).rejects.toMatchObject({
        detail: expect.stringContaining('leads out') as string,
      });
    }
  });

  it('refuses what needs a password', async () => {
    const locked = packageOf([{ name: 'a.txt', content: 'secret', encrypted: true }]);
    await expect(Package.open(locked, { what: 'document' })).rejects.toMatchObject({
      detail: 'The document is protected by a password. Remove the password and upload it again.',
    });
  });

  it('refuses too many entries, too many bytes, and bytes that only a bomb has', async () => {
    const many = packageOf(Array.from({ length: 12 }, (_, at) => ({ name: `${at}.txt`, content: 'x' })));
    await expect(Package.open(many, { limits: { maxEntries: 11 } })).rejects.toMatchObject({ code: 'payload_too_large' });
    const bomb = packageOf({ 'zeros.xml': Buffer.alloc(11 * MIB) });
    await expect(Package.open(bomb)).rejects.toMatchObject({ detail: 'The file expands beyond the limit for unpacked data.' });
    await expect(Package.open(packageOf({ 'a.xml': Buffer.alloc(9 * MIB) }))).resolves.toBeInstanceOf(Package);
    await expect(Package.open(many, { limits: { maxBytes: 11 } })).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  it('counts bytes that several entries share once', async () => {
    const packed = packageOf({ 'a.xml': Buffer.alloc(1 * MIB) });
    const entry = packed.subarray(packed.readUInt32LE(packed.length - 6), packed.length - 22);
    const entries = Array.from({ length: 20 }, (_, at) => {
      const copy = Buffer.from(entry);
      copy.write(String.fromCharCode(97 + at), 46);
      return copy;
    });
    const end = Buffer.from(packed.subarray(-22));
    end.writeUInt16LE(20, 8);
    end.writeUInt16LE(20, 10);
    end.writeUInt32LE(entry.length * 20, 12);
    const overlapping = Buffer.concat([packed.subarray(0, packed.readUInt32LE(packed.length - 6)), ...entries, end]);
    await expect(Package.open(overlapping)).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  it.each([
    ['larger', 'small', MIB, 100],
    ['larger', 'large', 2 * MIB, MIB],
    ['smaller', 'small', 100, 101],
    ['smaller', 'large', MIB, MIB + 1],
  ])('does not believe an entry that is %s than it declares, a %s one', async (_, __, size, declaredSize) => {
    const pack = await Package.open(packageOf([{ name: 'a.xml', content: Buffer.alloc(size), declaredSize }]));
    await expect(pack.bytes('a.xml', 2 * MIB)).rejects.toMatchObject({ code: 'unprocessable_content' });
  });

  it('calls what is cut or no package damaged', async () => {
    const whole = packageOf({ 'a.xml': '<a/>', 'b.xml': '<b/>' });
    for (const bytes of [whole.subarray(0, whole.length - 30), whole.subarray(0, 40), Buffer.from('PK no package'), Buffer.alloc(0)]) {
      await expect(Package.open(bytes)).rejects.toMatchObject({ detail: expect.stringContaining('is damaged') as string });
    }
  });

  it('throws the trouble of the machine as it is', async () => {
    await expect(Package.open('/nonexistent/file.zip')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('XML of a package', () => {
  const read = async (xml: string | Buffer): Promise<string> => {
    let text = '';
    await readXml(asChunks(Buffer.from(xml as string)), {
      open: (element) => void (text += `<${element.name}${element.reference('id') ? ` ${element.reference('id')}` : ''}>`),
      text: (piece) => void (text += piece),
      close: (name) => void (text += `</${name}>`),
    });
    return text;
  };

  it('reports local names, with what prefixed attributes refer to', async () => {
    expect(await read('<x:a xmlns:x="u" xmlns:r="v" id="1" r:id="rId7">é&amp;&#65;<![CDATA[<]]></x:a>')).toBe('<a rId7>é&A<</a>');
  });

  it('is read in both byte orders of UTF-16', async () => {
    const little = Buffer.from('\uFEFF<a>né</a>', 'utf16le');
    expect(await read(little)).toContain('né');
    expect(await read(Buffer.from(little).swap16())).toContain('né');
  });

  it('resolves no entity and opens no document type', async () => {
    const laughs = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>';
    await expect(read(laughs)).rejects.toMatchObject({ detail: expect.stringContaining('declares entities') as string });
    await expect(read('<a>&unknown;</a>')).rejects.toMatchObject({ detail: expect.stringContaining('is damaged') as string });
    await expect(read('<a>'.repeat(1000))).rejects.toMatchObject({ detail: expect.stringContaining('is damaged') as string });
    await expect(read('<a><b></a>')).rejects.toMatchObject({ detail: expect.stringContaining('is damaged') as string });
  });
});

async function* asChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}
