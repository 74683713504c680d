// Files that are as large as their texts are read, in every format that jobs read, filled with one of the sixteen shapes.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';

const MIB = 1024 * 1024;
/** Of a text, as much is kept as its reading may make of it. */
export const LARGEST_TEXT = 20 * MIB;
/** Of a cell; Excel takes twice as much. */
const CELL = 16_000;
const COLUMNS = ['external id', 'name', 'body'];
const MOST_COLUMNS = 500;

const builders = () => createRequire(import.meta.url)(join(projectRoot, 'dist/libs/platform/testing/src/archives/index.js'));

const XML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.toWellFormed().replace(/[&<>"]/g, (character) => XML[character]);
const quoted = (cell) => `"${cell.replaceAll('"', '""')}"`;
const oneLine = (cell) => cell.replace(/[\t\r\n]/g, ' ');

/** A text of so many characters in pieces, none within a character. */
function piecesOf(text, length = CELL) {
  const pieces = [];
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length).toWellFormed());
  return pieces;
}

const rowsOf = (text) => piecesOf(text).map((body, n) => [`row-${n}`, `Row ${n}`, body]);
const objectsOf = (text) => rowsOf(text).map((row) => Object.fromEntries(COLUMNS.map((name, at) => [name, row[at]])));
const lines = (rows, separator, cell) => [COLUMNS, ...rows].map((row) => row.map(cell).join(separator)).join('\n');

/** Tables, as imports and sources take them: three columns, and the shape in one of them, or everywhere. */
export const TABLES = {
  csv: (shape, size, salt) => lines(rowsOf(shape.text(size, salt)), ',', quoted),
  tsv: (shape, size, salt) => lines(rowsOf(shape.text(size, salt)), '\t', oneLine),
  json: (shape, size, salt) => JSON.stringify(objectsOf(shape.text(size, salt))),
  jsonl: (shape, size, salt) =>
    objectsOf(shape.text(size, salt))
      .map((row) => JSON.stringify(row))
      .join('\n'),
  xlsx: (shape, size, salt) => workbook(rowsOf(shape.text(size, salt))),
  'raw.csv': (shape, size, salt) => `${COLUMNS.join(',')}\n${shape.text(size, salt)}`,
  'raw.json': (shape, size, salt) => JSON.stringify([shape.json(size, salt)]),
  'wide.csv': (shape, size, salt) => wide(shape, size, salt),
};

/** As many columns as a table may have, each under a name in the shape. */
function wide(shape, size, salt) {
  const names = Array.from({ length: MOST_COLUMNS - COLUMNS.length }, (_, n) => shape.text(200, salt * MOST_COLUMNS + n).toWellFormed());
  const row = [...COLUMNS, ...names].map(quoted).join(',');
  return Array.from({ length: Math.min(1_000, Math.ceil(size / row.length)) }, () => row).join('\n');
}

function workbook(rows) {
  const cell = (text) => `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
  return builders().workbookOf({
    sheets: [{ name: 'Rows', rows: [COLUMNS, ...rows].map((row) => `<row>${row.map(cell).join('')}</row>`).join('') }],
  });
}

const ofText = (make) => (shape, size, salt) => make(shape.text(size, salt));

/** Documents and whatever else is uploaded; the name is that of its ending. */
export const DOCUMENTS = {
  txt: ofText((text) => text),
  md: ofText((text) => text),
  html: ofText((text) => `<!doctype html><html><head><title>Harbour</title></head><body><main>${text}</main></body></html>`),
  'escaped.html': ofText(
    (text) => `<!doctype html><html><body><main><p>${escaped(text)}</p><pre>${escaped(text)}</pre></main></body></html>`,
  ),
  xml: ofText((text) => `<?xml version="1.0"?><a>${escaped(text)}</a>`),
  svg: ofText((text) => `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><text>${escaped(text)}</text></svg>`),
  yaml: ofText((text) => `a: |\n${text}`),
  ts: ofText((text) => text),
  ics: ofText((text) => `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:${text}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`),
  vcf: ofText((text) => `BEGIN:VCARD\r\nVERSION:4.0\r\nFN:${text}\r\nEND:VCARD\r\n`),
  eml: ofText((text) => `From: a@example.com\r\nSubject: ${oneLine(text.slice(0, MIB))}\r\n\r\n${text}`),
  srt: ofText((text) =>
    piecesOf(text, 200)
      .map((piece, n) => `${n + 1}\n00:00:01,000 --> 00:00:02,000\n${piece}\n`)
      .join('\n'),
  ),
  rtf: ofText((text) => `{\\rtf1 ${text}}`),
  docx: ofText((text) => builders().documentOf({ body: paragraphs(text) })),
  pptx: ofText((text) => builders().presentationOf(piecesOf(text, text.length / 100 + 1).map((piece) => ({ shapes: slideOf(piece) })))),
  odt: ofText((text) => builders().openDocumentOf({ kind: 'text', body: openParagraphs(text) })),
  ods: ofText((text) => builders().openDocumentOf({ kind: 'spreadsheet', body: openSheet(text) })),
  odp: ofText((text) => builders().openDocumentOf({ kind: 'presentation', body: `<draw:page>${openParagraphs(text)}</draw:page>` })),
  epub: ofText((text) =>
    builders().packageOf({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfile full-path="a.opf"/></container>',
      'a.opf': '<package><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
      'a.xhtml': `<html><body>${text}</body></html>`,
    }),
  ),
  pdf: ofText((text) =>
    builders().textPdf(
      piecesOf(text.slice(0, MIB), 2_000).map((page) =>
        piecesOf(page, 100).map((line, n) => ({ text: oneLine(line), x: 50, y: 800 - n * 12 })),
      ),
      text.slice(0, 1_000).toWellFormed(),
    ),
  ),
  zip: ofText((text) => builders().packageOf(Object.fromEntries(piecesOf(text, MIB).map((piece, n) => [`part-${n}.md`, piece])))),
  csv: TABLES.csv,
  'raw.csv': TABLES['raw.csv'],
  tsv: TABLES.tsv,
  json: TABLES['raw.json'],
  jsonl: TABLES.jsonl,
  xlsx: TABLES.xlsx,
};

const paragraphs = (text) =>
  piecesOf(text)
    .map((piece) => builders().wordParagraph(escaped(piece)))
    .join('');
const openParagraphs = (text) =>
  piecesOf(text)
    .map((piece) => `<text:p>${escaped(piece)}</text:p>`)
    .join('');
const openSheet = (text) =>
  `<table:table table:name="A">${piecesOf(text)
    .map((piece) => `<table:table-row><table:table-cell><text:p>${escaped(piece)}</text:p></table:table-cell></table:table-row>`)
    .join('')}</table:table>`;
const slideOf = (text) => builders().slideShape(piecesOf(text).map(escaped));

export const bytesOf = (content) => (typeof content === 'string' ? Buffer.from(content.toWellFormed()) : content);
