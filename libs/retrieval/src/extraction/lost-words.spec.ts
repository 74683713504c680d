import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentOf, presentationOf, slideShape, wordParagraph } from '../../../platform/testing/src/archives/office-of';
import { openDocumentOf } from '../../../platform/testing/src/archives/open-document-of';
import { packageOf } from '../../../platform/testing/src/archives/package-of';
import { workbookOf } from '../../../platform/testing/src/archives/workbook-of';
import { extractFile } from './extract';
import { EXTRACTION_LIMITS, type ExtractedText } from './extracted-text';
import { writeAttachments } from './mail/attachments';
import { MarkdownWriter } from './text/markdown-writer';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-lost-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function textOf(bytes: Buffer | string, name: string): Promise<ExtractedText> {
  const path = join(folder, 'original');
  await writeFile(path, bytes);
  const type = name.endsWith('.eml') ? 'message/rfc822' : 'application/octet-stream';
  return extractFile({ path, type, name, limits: EXTRACTION_LIMITS });
}

const [KEPT, LOST] = ['Seven words that the text does keep', 'five are missing from it'];
const applet = `<p>${KEPT}</p><applet>${LOST}</applet>`;
const page = `<html><body>${applet}</body></html>`;
const book = (inside: string): Buffer =>
  packageOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="content.opf"/></rootfiles></container>',
    'content.opf':
      '<package xmlns:dc="d"><metadata/><manifest><item id="one" href="a.xhtml"/></manifest><spine><itemref idref="one"/></spine></package>',
    'a.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${inside}</body></html>`,
  });
const row = (words: string): string => `<table:table-row><table:table-cell><text:p>${words}</text:p></table:table-cell></table:table-row>`;

/** A file of each engine that counts the words of its files by themselves: with words where it does not look for any. */
const FILES: readonly (readonly [engine: string, name: string, bytes: Buffer | string])[] = [
  ['docx', 'a.docx', documentOf({ body: `${wordParagraph(KEPT)}<w:unknown>${wordParagraph(LOST)}</w:unknown>` })],
  [
    'pptx',
    'a.pptx',
    presentationOf([{ shapes: `${slideShape([KEPT])}<p:graphicFrame><a:p><a:r><a:t>${LOST}</a:t></a:r></a:p></p:graphicFrame>` }]),
  ],
  ['odt', 'a.odt', openDocumentOf({ kind: 'text', body: `<text:p>${KEPT}</text:p><text:section>${LOST}</text:section>` })],
  [
    'odp',
    'a.odp',
    openDocumentOf({
      kind: 'presentation',
      body: `<draw:page><draw:frame><draw:text-box><text:p>${KEPT}</text:p>${LOST}</draw:text-box></draw:frame></draw:page>`,
    }),
  ],
  [
    'ods',
    'a.ods',
    openDocumentOf({
      kind: 'spreadsheet',
      body: `<table:table table:name="Seven">${row(KEPT)}<table:table-cell><text:p>${LOST}</text:p></table:table-cell></table:table>`,
    }),
  ],
  ['epub', 'a.epub', book(applet)],
  ['eml', 'a.eml', `From: ann@example.org\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${page}\r\n`],
  ['html', 'a.html', page],
  [
    'xlsx',
    'a.xlsx',
    workbookOf({
      sheets: [{ name: 'Sheet', rows: `<row r="1"><c r="A1" t="inlineStr"><is><t>${KEPT}</t></is></c></row>` }],
      others: {
        'xl/worksheets/_rels/sheet1.xml.rels':
          '<Relationships><Relationship Id="r1" Type="x/drawing" Target="../drawings/a.xml"/></Relationships>',
        'xl/drawings/a.xml': `<xdr:sp><a:p><a:r><a:t>${LOST}</a:t></a:r></a:p></xdr:sp>`,
      },
    }),
  ],
  ['rtf', 'a.rtf', String.raw`{\rtf1\ansi\pard ${KEPT}\par{\background ${LOST}}}`],
];

describe('words of a file that its text does not have', () => {
  it.each(FILES)('are counted in a file of %s', async (engine, name, bytes) => {
    const found = await textOf(bytes, name);
    expect(found).toMatchObject({
      status: 'ready',
      engine: expect.stringMatching(`^${engine}/`) as string,
      markdown: expect.stringContaining(KEPT) as string,
      loss: { reason: expect.stringMatching(/^5 of the \d+ words and numbers of the file are missing from its text\.$/) as string },
    });
    expect(found.markdown).not.toContain(LOST);
  });

  it('are counted in what is attached to a mail', async () => {
    const part = (head: string, body: string): string => `--b\r\n${head}\r\n\r\n${body}\r\n`;
    const mail = [
      'From: ann@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n',
      part('Content-Type: text/plain', 'See the page.'),
      part('Content-Type: text/html; name="a.html"\r\nContent-Disposition: attachment; filename="a.html"', page),
      '--b--\r\n',
    ].join('');
    const found = await textOf(mail, 'a.eml');
    expect(found.markdown).toContain(KEPT);
    expect(found.loss?.reason).toMatch(/^a\.html: 5 of the \d+ words and numbers of the file are missing from its text\.$/);
  });

  it('count as many of all attachments as the files have, not as their texts do', async () => {
    const outcomes = [
      { status: 'empty', markdown: '', words: 0, file_words: 2_000, loss: { share: 1, reason: 'No letter means anything.' } },
      { status: 'ready', markdown: 'whole', words: 1_800, loss: null },
      { status: 'ready', markdown: 'part', words: 100, file_words: 200, loss: { share: 0.5, reason: 'Half of it.' } },
    ];
    const attachments = outcomes.map((_, at) => ({ name: `${at}.pdf`, type: 'application/pdf', bytes: () => new Uint8Array() }));
    const read = (): Promise<ExtractedText> => Promise.resolve(outcomes.shift() as unknown as ExtractedText);
    const task = { path: join(folder, 'mail'), type: 'message/rfc822', name: 'a.eml', limits: EXTRACTION_LIMITS };
    const { loss } = await writeAttachments(new MarkdownWriter(10_000), attachments, task, read);
    expect(loss).toEqual({ share: 0.525, reason: '0.pdf: No letter means anything. 2.pdf: Half of it.' });
  });

  it('are counted beside how many the file has', async () => {
    expect(await textOf(page, 'a.html')).toMatchObject({ words: 7, file_words: 12 });
  });
});
