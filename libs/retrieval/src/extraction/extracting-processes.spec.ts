import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentOf, presentationOf, slideShape, wordParagraph } from '../../../platform/testing/src/archives/office-of';
import { packageOf } from '../../../platform/testing/src/archives/package-of';
import { textPdf } from '../../../platform/testing/src/archives/text-pdf';
import { workbookOf } from '../../../platform/testing/src/archives/workbook-of';
import { swellingDocument } from '../../../platform/testing/src/pictures';
import type { ExtractedText } from './extracted-text';
import { ExtractingProcesses, type ExtractionInput } from './extracting-processes';

const BUILT = join(__dirname, '../../../../dist/libs/retrieval/src/extraction/extraction-process.js');
const samples = process.env['SAMPLES_DIR'];
const withSamples = samples === undefined ? describe.skip : describe;

describe('text in processes of their own', () => {
  let folder: string;
  let extraction: ExtractingProcesses;

  beforeAll(async () => {
    if (!existsSync(BUILT)) throw new Error('The extracting process is not built: run `npm run build` first.');
    folder = await mkdtemp(join(tmpdir(), 'atrium-text-'));
  });
  beforeEach(() => void (extraction = new ExtractingProcesses({ processes: 1, script: BUILT, timeoutMs: 60_000 })));
  afterEach(() => extraction.close());
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const stored = async (bytes: Buffer | string, name: string, type = 'application/octet-stream'): Promise<ExtractionInput> => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return { path, type, name };
  };
  const extract = async (bytes: Buffer | string, name: string, type?: string): Promise<ExtractedText> =>
    extraction.extractText(await stored(bytes, name, type));

  it('is extracted there, and reports its pages as it goes', async () => {
    expect(await extract('# One\n', 'a.md', 'text/markdown')).toMatchObject({
      status: 'ready',
      markdown: '# One',
      outline: [{ title: 'One' }],
    });
    const html = '<html><body><article><h1>Head</h1><p>Words</p></article></body></html>';
    expect(await extract(html, 'a.html', 'text/html')).toMatchObject({ status: 'ready', markdown: '# Head\n\nWords' });
    expect(await extract('<b>x</b>\n\n# One', 'b.md', 'text/markdown')).toMatchObject({ markdown: 'x\n\n# One' });
    expect(await extract(Buffer.from('größe;b\n1;2', 'latin1'), 'a.csv', 'text/csv')).toMatchObject({ status: 'ready' });
    expect(await extract(documentOf({ body: wordParagraph('Head', { style: 'Heading1' }) }), 'a.docx')).toMatchObject({
      markdown: '# Head',
    });
    expect(await extract(presentationOf([{ shapes: slideShape(['Head'], 'title') }]), 'a.pptx')).toMatchObject({ markdown: '## Head' });
    expect(await extract(workbookOf({ sheets: [{ name: 'A', rows: '<row><c><v>1</v></c></row>' }] }), 'a.xlsx')).toMatchObject({
      status: 'ready',
    });
    const told: number[] = [];
    const pdf = await stored(textPdf([[{ text: 'One', x: 60, y: 700 }], [{ text: 'Two', x: 60, y: 700 }]]), 'a.pdf');
    expect(await extraction.extractText({ ...pdf, onPage: (page) => told.push(page) })).toMatchObject({ markdown: 'One\n\nTwo' });
    expect(told).toEqual([1, 2]);
    expect(extraction.processIds).toHaveLength(1);
  });

  it('is none for a file that takes too long or too much memory, and the next one is read', async () => {
    extraction.close();
    extraction = new ExtractingProcesses({ processes: 1, script: BUILT, timeoutMs: 20_000, memoryMib: 220 });
    const cells = `<row r="1">${'<c t="inlineStr"><is><t>words of a cell</t></is></c>'.repeat(4)}</row>`.repeat(150_000);
    const huge = packageOf({
      '_rels/.rels': '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/></Relationships>',
      'word/document.xml': Buffer.concat([
        Buffer.from('<w:document xmlns:w="w">'),
        noise(60),
        Buffer.from(cells),
        Buffer.from('</w:document>'),
      ]),
    });
    const found = await extract(huge, 'huge.docx');
    expect(found.status).toBe('failed');
    expect(found.reason).toMatch(/limit|memory|cannot be read/);
    expect((await extract('words', 'a.txt', 'text/plain')).status).toBe('ready');
  });

  it('of a PDF that swells ends, and the next one is read', async () => {
    const found = await extract(swellingDocument(), 'bomb.pdf', 'application/pdf');
    expect(found.status).not.toBe('ready');
    expect(found.reason).not.toBeNull();
    expect((await extract('words', 'a.txt', 'text/plain')).status).toBe('ready');
  });

  it('is stopped when a newer version comes, and throws when the file is not there', async () => {
    const stop = new AbortController();
    const running = extraction.extractText({ ...(await stored('words', 'a.txt', 'text/plain')), signal: stop.signal });
    stop.abort(new Error('a newer version came'));
    await expect(running).rejects.toThrow('a newer version came');
    await expect(extraction.extractText({ path: join(folder, 'absent'), type: 'text/plain', name: 'a' })).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  withSamples(`real files${samples === undefined ? ' (skipped: SAMPLES_DIR names no folder)' : ''}`, () => {
    const real = (name: string): Promise<Buffer> => readFile(join(samples ?? '', name));
    const read = async (name: string): Promise<ExtractedText> => extract(await real(name), name.replace(/.*\//, ''));

    it('keep headings and tables of a document', async () => {
      const found = await read('documents/featured-layout.docx');
      expect(found).toMatchObject({ status: 'ready', truncated: false });
      expect(found.outline.length).toBeGreaterThan(0);
      expect(found.markdown).toMatch(/^\| --- \||<table>/m);
      expect((await read('documents/lorem.docx')).words).toBeGreaterThan(100);
      expect(await read('documents/simple.odt')).toMatchObject({ status: 'ready', reason: null, truncated: false });
    });

    it('keep the words and pages of a PDF', async () => {
      for (const name of ['documents/text-pdfa.pdf', 'documents/web-capture.pdf']) {
        const found = await read(name);
        expect(found.status).toBe('ready');
        expect(found.words).toBeGreaterThan(30);
        expect(found.markdown).toContain('This is a test document.');
        expect(found.page_map).toHaveLength(found.pages ?? 0);
      }
    });

    it('keep slides and notes of presentations', async () => {
      const [notes, slides, placeholders] = [
        await read('presentations/notes.pptx'),
        await read('presentations/slides.pptx'),
        await read('presentations/placeholders.pptx'),
      ];
      expect(notes.markdown).toContain('**Notes:**');
      expect(slides.status === 'ready' || slides.status === 'empty').toBe(true);
      expect(placeholders).toMatchObject({ status: 'ready' });
    });

    it('that are protected or damaged say so', async () => {
      expect(await read('documents/password.pdf')).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('protected by a password') as string,
      });
      const damaged = await read('documents/one-byte-missing.pdf');
      expect(damaged.status === 'ready' ? damaged.words > 30 : damaged.reason !== null).toBe(true);
      expect(await extract(await real('images/gps.jpg'), 'gps.jpg', 'image/jpeg')).toMatchObject({ status: 'empty' });
    });

    it('that were cut, changed or renamed give text or a sentence, and the process lives', async () => {
      const names = ['documents/featured-layout.docx', 'documents/text-pdfa.pdf', 'presentations/notes.pptx'];
      for (const name of names) {
        const whole = await real(name);
        for (const copy of [
          whole.subarray(0, whole.length >> 1),
          whole.subarray(0, whole.length - 40),
          ...[1, 2, 3, 4].map((seed) => changed(whole, seed)),
        ]) {
          for (const as of [name.replace(/.*\./, 'a.'), 'a.xlsx', 'a.txt']) {
            const found = await extract(copy, as);
            if (found.status === 'ready') expect(found.words).toBeGreaterThan(0);
            else expect(found.reason).toMatch(/\.$/);
          }
        }
      }
      expect(extraction.processIds.length).toBeLessThanOrEqual(1);
    });
  });
});

/** The bytes with some of them changed, always the same ones. */
function changed(whole: Buffer, seed: number): Buffer {
  const copy = Buffer.from(whole);
  let state = seed * 7919;
  for (let count = 0; count < 20; count++) {
    state = (state * 48271) % 2147483647;
    const at = state % copy.length;
    copy[at] = (copy[at] ?? 0) ^ (1 << (state & 7));
  }
  return copy;
}

/** Elements that do not pack well, so that a package of them is no bomb. */
function noise(mib: number): Buffer {
  const lines: string[] = [];
  let state = 17;
  for (let size = 0; size < mib * 1024 * 1024;) {
    state = (state * 48271) % 2147483647;
    const line = `<w:p><w:r><w:t>${state.toString(36)} ${(state * 7).toString(36)}</w:t></w:r></w:p>`;
    size += line.length;
    lines.push(line);
  }
  return Buffer.from(lines.join(''));
}
