import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner';
import { encode } from 'iconv-lite';
import { documentOf, wordParagraph } from '../../../../platform/testing/src/archives/office-of';
import { packageOf } from '../../../../platform/testing/src/archives/package-of';
import { extractFile } from '../extract';
import { EXTRACTION_LIMITS, type ExtractedText, type ExtractionLimits } from '../extracted-text';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-mail-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = async (text: string | Buffer, limits: Partial<ExtractionLimits> = {}): Promise<ExtractedText> => {
  const path = join(folder, 'original');
  await writeFile(path, typeof text === 'string' ? text.replaceAll('\n', '\r\n') : text);
  const found = await extractFile({ path, type: 'message/rfc822', name: 'a.eml', limits: { ...EXTRACTION_LIMITS, ...limits } });
  expect(found.loss).toBeNull();
  return found;
};

const HEAD = `From: =?utf-8?Q?J=C3=BCrgen_Maier?= <j@example.org>
To: Ann <ann@example.org>, b@example.org
Date: Tue, 12 May 2020 14:45:17 +0900
Subject: =?utf-8?B?R3LDvMOfZQ==?= from here
MIME-Version: 1.0
`;
const attached = (name: string, type: string, content: Buffer | string): string =>
  `Content-Type: ${type}; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(
    content,
  )
    .toString('base64')
    .replace(/.{76}/g, '$&\n')}\n`;
const mixed = (...parts: readonly string[]): string =>
  `Content-Type: multipart/mixed; boundary="b0"\n\n${parts.map((part) => `--b0\n${part}\n`).join('')}--b0--\n`;

describe('a mail', () => {
  it('is its head, its body, and the text of its attachments', async () => {
    const found = await read(
      HEAD +
        mixed(
          'Content-Type: text/html; charset=utf-8\n\n<html><body><p>Dear Ann,</p><table><tr><th>Day</th><th>Sum</th></tr><tr><td>Mon</td><td>5</td></tr></table><script>x()</script><footer>Yours, J.</footer></body></html>',
          attached('plan.docx', 'application/octet-stream', documentOf({ body: wordParagraph('The plan of it.') })),
          attached('data.zip', 'application/zip', packageOf({ 'a.txt': 'x' })),
        ),
    );
    expect(found.markdown).toBe(
      [
        '# Grüße from here',
        '**From:** Jürgen Maier <j@example.org>  \n**To:** Ann <ann@example.org>, b@example.org  \n**Date:** Tue, 12 May 2020 14:45:17 +0900',
        'Dear Ann,',
        '| Day | Sum |\n| --- | --- |\n| Mon | 5 |',
        'Yours, J.',
        '## Attachment: plan.docx',
        'The plan of it.',
        '## Attachment: data.zip',
        '(An archive contains files, not text. Unpack it and upload the files.)',
      ]
        .join('\n\n')
        .replace('<j@', '\\<j@')
        .replace('<ann@', '\\<ann@'),
    );
    expect(found).toMatchObject({ status: 'ready', engine: 'eml/1', metadata: { title: 'Grüße from here', author: 'Jürgen Maier' } });
    expect(await readdir(folder)).toEqual(['original']);
  });

  it('in plain text keeps its lines and what it quotes', async () => {
    const found = await read(
      `${HEAD}Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nGr=F6=DFe\n> quoted\n`,
    );
    expect(found.markdown.endsWith('Größe\n\\> quoted')).toBe(true);
  });

  it.each(['windows-1252', 'iso-8859-1', 'us-ascii'])('has its quotes, dashes and euros where it says %s', async (charset) => {
    const found = await read(
      `${HEAD.replace('=?utf-8?B?R3LDvMOfZQ==?=', `=?${charset}?Q?=93Gr=FC=DFe=94?=`)}${mixed(
        `Content-Type: text/html; charset=${charset}\nContent-Transfer-Encoding: quoted-printable\n\n<p>=8412 =80 =96 don=92t=94</p>`,
        attached('n=.txt', 'text/plain', 'a'),
      )}`,
    );
    expect(found.markdown).toContain('# “Grüße” from here');
    expect(found.markdown).toContain('„12 € – don’t”');
    expect(found.markdown).not.toMatch(/[\x80-\x9f]/);
  });

  it('is read in the encoding that it seems to be in where it names none', async () => {
    const mail = 'From: ann@example.org\r\nSubject: Gr\xfc\xdfe\r\n\r\nDie M\xf6we von T\xf6nning\r\n';
    const found = await read(Buffer.from(mail, 'latin1'));
    expect(found.markdown).toContain('# Grüße');
    expect(found.markdown).toContain('Die Möwe von Tönning');
    const named = await read(Buffer.from(mail.replace('\r\n\r\n', '\r\nContent-Type: text/plain; charset=windows-1251\r\n\r\n'), 'latin1'));
    expect(named.markdown).toContain('Die Mцwe von Tцnning');
  });

  it('inside a mail is read with its attachments, to a depth', async () => {
    let mail = `${HEAD}\nthe innermost words`;
    for (let depth = 4; depth > 0; depth--)
      mail =
        HEAD.replace('from here', `number ${depth}`) +
        mixed(`Content-Type: text/plain\n\nwords of ${depth}`, attached(`m${depth}.eml`, 'message/rfc822', mail));
    const found = await read(mail);
    expect(found.markdown).toContain('words of 3');
    expect(found.markdown).toContain('Attachment: m3.eml');
    expect(found.markdown).not.toContain('words of 4');
    expect(found.truncated).toBe(true);
  });

  it('inside a mail is read as one where its name alone says that it is', async () => {
    const inner = `${HEAD}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nviele Gr=C3=BC=C3=9Fe\n`;
    const found = await read(HEAD + mixed('Content-Type: text/plain\n\nSee below.', attached('a.EML', 'application/octet-stream', inner)));
    expect(found.markdown).toContain('viele Grüße');
    const other = await read(
      HEAD + mixed('Content-Type: text/plain\n\nSee below.', attached('a.eml', 'application/octet-stream', 'no mail at all')),
    );
    expect(other.markdown).toContain('## Attachment: a.eml\n\nno mail at all');
  });

  it('with very many attachments names them, reads some and says so', async () => {
    const parts = Array.from({ length: 600 }, (_, at) => attached(`n${at}.txt`, 'text/plain', `text of ${at}.`));
    const found = await read(HEAD + mixed(...parts));
    expect(found.markdown).toContain('text of 49.');
    expect(found.markdown).not.toContain('text of 50.');
    expect(found.markdown).toContain('Attachment: n499.txt');
    expect(found).toMatchObject({ status: 'ready', truncated: true });
    expect((await read(HEAD + mixed(...parts), { maxMarkdown: 500 })).markdown.length).toBeLessThanOrEqual(500);
  });

  it('whose attachments take too long together names the others and says so', async () => {
    const found = await read(HEAD + mixed(attached('a.txt', 'text/plain', 'text of it.')), { clockMs: 0 });
    expect(found.markdown).toContain('Attachment: a.txt');
    expect(found.markdown).not.toContain('text of it.');
    expect(found).toMatchObject({ status: 'ready', truncated: true });
  });

  it('that is encrypted says so, and one that holds a bomb is read without it', async () => {
    expect(await read(HEAD + attached('smime.p7m', 'application/pkcs7-mime', 'x'))).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('encrypted') as string,
    });
    const bomb = packageOf({ 'xl/workbook.xml': Buffer.alloc(60 * 1024 * 1024) });
    const found = await read(HEAD + mixed('Content-Type: text/plain\n\nhello', attached('b.xlsx', 'application/zip', bomb)));
    expect(found.markdown).toContain('hello');
    expect(found.markdown).toContain('expands beyond the limit');
  });
});

describe('a mail of Outlook', () => {
  const [DIRECTORY, DOCUMENT, ROOT] = [1, 2, 5] as const;
  const properties = (head: number): Buffer => Buffer.alloc(head);
  const unicode = (text: string): Buffer => Buffer.from(text, 'utf16le');

  /** How the texts of the message are stored. */
  const unicodeText = { kind: '001F', subject: 'Grüße', of: unicode, page: Buffer.alloc(0) };

  /** A message with a recipient and an attachment, stream by stream. */
  const messageOf = (name: string, content: Buffer, text = unicodeText): Buffer => {
    const entries: Entry[] = [{ name: 'Root Entry', type: ROOT, length: 0, children: [] }];
    const put = (parent: number, entry: Entry): number => {
      const at = entries.push(entry) - 1;
      entries[parent]?.children?.push(at);
      return at;
    };
    const stream = (parent: number, called: string, bytes: Buffer): number =>
      put(parent, { name: called, type: DOCUMENT, length: bytes.length, binaryProvider: () => Uint8Array.from(bytes) });
    const folderOf = (called: string): number => put(0, { name: called, type: DIRECTORY, length: 0, children: [] });
    stream(0, '__properties_version1.0', Buffer.concat([properties(32), text.page]));
    stream(0, '__substg1.0_001A001F', unicode('IPM.Note'));
    stream(0, `__substg1.0_0037${text.kind}`, text.of(text.subject));
    stream(0, '__substg1.0_0C1A001F', unicode('Jürgen Maier'));
    stream(0, '__substg1.0_5D01001F', unicode('j@example.org'));
    stream(0, `__substg1.0_1000${text.kind}`, text.of('The body\r\nof it.'));
    const person = folderOf('__recip_version1.0_#00000000');
    stream(person, '__properties_version1.0', properties(8));
    stream(person, '__substg1.0_3001001F', unicode('Ann'));
    stream(person, '__substg1.0_39FE001F', unicode('ann@example.org'));
    const attachment = folderOf('__attach_version1.0_#00000000');
    stream(attachment, '__properties_version1.0', properties(8));
    stream(attachment, '__substg1.0_3707001F', unicode(name));
    stream(attachment, '__substg1.0_37010102', content);
    return Buffer.from(burn(entries));
  };

  it('is its head, its body, and the text of its attachments', async () => {
    const path = join(folder, 'original');
    await writeFile(path, messageOf('plan.docx', documentOf({ body: wordParagraph('The plan of it.') })));
    const found = await extractFile({ path, type: 'application/vnd.ms-outlook', name: 'a.msg', limits: EXTRACTION_LIMITS });
    expect(found.markdown).toBe(
      '# Grüße\n\n**From:** Jürgen Maier \\<j@example.org>  \n**To:** Ann \\<ann@example.org>\n\nThe body\nof it.\n\n## Attachment: plan.docx\n\nThe plan of it.',
    );
    expect(found).toMatchObject({ status: 'ready', engine: 'msg/1', loss: null, metadata: { title: 'Grüße', author: 'Jürgen Maier' } });
  });

  it('whose texts are in a code page is read by it', async () => {
    const path = join(folder, 'original');
    const page = Buffer.alloc(16);
    page.writeUInt32LE(0x3ffd0003, 0);
    page.writeUInt32LE(1251, 8);
    const text = { kind: '001E', subject: 'Привет', of: (words: string): Buffer => encode(words, 'windows-1251'), page };
    await writeFile(path, messageOf('a.txt', Buffer.from('a'), text));
    const found = await extractFile({ path, type: 'application/vnd.ms-outlook', name: 'a.msg', limits: EXTRACTION_LIMITS });
    expect(found.markdown.split('\n')[0]).toBe('# Привет');
  });
});
