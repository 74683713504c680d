import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { documentOf, presentationOf, slideShape, wordParagraph } from '../../../platform/testing/src/archives/office-of';
import { textPdf } from '../../../platform/testing/src/archives/text-pdf';
import { workbookOf } from '../../../platform/testing/src/archives/workbook-of';
import type { ExtractedText } from './extracted-text';
import { ExtractingProcesses } from './extracting-processes';

const BUILT = join(__dirname, '../../../../dist/libs/retrieval/src/extraction/extraction-process.js');
/** Files of real programs, and small ones that others read wrong. */
const FOLDERS = ['SAMPLES_DIR', 'CASES_DIR'].map((name) => process.env[name] ?? '').filter((folder) => existsSync(folder));
/** Files beyond are left out: what is damaged is read a dozen times. */
const LARGEST = 3 * 1024 * 1024;
const PER_FILE_MS = 60_000;

/** Files that hold text whatever folder is walked: made here, so that there are always some. */
const OWN: readonly (readonly [name: string, bytes: Buffer, words: string])[] = [
  ['lease.pdf', textPdf([[{ text: 'The lease of the boathouse ends in May.', x: 60, y: 700 }]]), 'boathouse'],
  ['lease.docx', documentOf({ body: wordParagraph('Lease', { style: 'Heading1' }) + wordParagraph('The boathouse is let.') }), 'boathouse'],
  ['lease.pptx', presentationOf([{ shapes: slideShape(['Lease'], 'title') + slideShape(['The boathouse is let.']) }]), 'boathouse'],
  [
    'lease.xlsx',
    workbookOf({ sheets: [{ name: 'Lease', rows: '<row><c t="inlineStr"><is><t>boathouse</t></is></c></row>' }] }),
    'boathouse',
  ],
  ['lease.html', Buffer.from('<!doctype html><html><body><h1>Lease</h1><p>The boathouse is let.</p></body></html>'), 'boathouse'],
  ['lease.md', Buffer.from('# Lease\n\nThe boathouse is let.\n'), 'boathouse'],
  ['lease.csv', Buffer.from('what,until\nboathouse,May\n'), 'boathouse'],
  ['lease.json', Buffer.from('{"lease": {"of": "boathouse"}}'), 'boathouse'],
  ['lease.srt', Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nThe boathouse is let.\n'), 'boathouse'],
];

describe('files that hold text', () => {
  let folder: string;
  let extraction: ExtractingProcesses;
  let read: number;

  beforeAll(async () => {
    if (!existsSync(BUILT)) throw new Error('The extracting process is not built: run `npm run build` first.');
    folder = await mkdtemp(join(tmpdir(), 'atrium-real-'));
    extraction = new ExtractingProcesses({ processes: 1, script: BUILT, timeoutMs: 30_000 });
    read = 0;
  });
  afterAll(async () => {
    extraction.close();
    await rm(folder, { recursive: true, force: true });
  });

  const extract = async (bytes: Buffer, name: string): Promise<ExtractedText> => {
    const path = join(folder, `${read++}${extname(name)}`);
    await writeFile(path, bytes);
    return extraction.extractText({ path, type: 'application/octet-stream', name }).finally(() => rm(path, { force: true }));
  };
  /** Text, or a sentence that says why there is none. */
  const isAnswered = ({ status, words, markdown, reason }: ExtractedText): void => {
    if (status === 'ready') {
      expect(words).toBeGreaterThan(0);
      expect(markdown).not.toMatch(/\0/);
    } else {
      expect(markdown).toBe('');
      expect(reason).toMatch(/^[A-Z].*\.$/s);
    }
  };

  it.each(OWN)('are read: %s', async (name, bytes, words) => {
    const found = await extract(bytes, name);
    expect(found).toMatchObject({ status: 'ready', reason: null, loss: null });
    expect(found.markdown.toLowerCase()).toContain(words);
  });

  it.each(OWN)(
    'say why not when they are damaged or called something else, and the process lives: %s',
    async (name, bytes) => {
      for (const copy of damaged(bytes)) isAnswered(await extract(copy, name));
      for (const other of ['a.pdf', 'a.docx', 'a.xlsx', 'a.txt', 'a']) isAnswered(await extract(bytes, other));
      expect((await extract(bytes, name)).status).toBe('ready');
    },
    PER_FILE_MS,
  );

  const real = FOLDERS.flatMap((folder) => filesUnder(folder).map((name) => [name, folder] as const));
  (real.length > 0 ? it.each(real) : it.skip.each([['SAMPLES_DIR and CASES_DIR name no folder', '']]))(
    'of real programs are read or say why not, whole and damaged: %s',
    async (name, folder) => {
      const bytes = await readFile(join(folder, name));
      const whole = await extract(bytes, name);
      isAnswered(whole);
      expect(whole.loss).toBeNull();
      for (const copy of bytes.length <= LARGEST ? damaged(bytes) : []) isAnswered(await extract(copy, name));
      for (const other of ['a.pdf', 'a.docx', 'a.txt']) isAnswered(await extract(bytes, other));
      expect(await extract(bytes, name)).toEqual(whole);
    },
    PER_FILE_MS,
  );
});

/** Copies that were cut, or in which single bits changed; the same ones in every run. */
function damaged(bytes: Buffer): Buffer[] {
  const cuts = [0.1, 0.5, 0.9, 0.99].map((share) => bytes.subarray(0, Math.floor(bytes.length * share)));
  return [...cuts, bytes.subarray(Math.min(4, bytes.length)), ...[1, 2, 3, 4].map((seed) => changed(bytes, seed, 5 * seed))];
}

function changed(whole: Buffer, seed: number, bits: number): Buffer {
  const copy = Buffer.from(whole);
  let state = seed * 7919;
  for (let count = 0; count < bits; count++) {
    state = (state * 48271) % 2147483647;
    const at = state % copy.length;
    copy[at] = (copy[at] ?? 0) ^ (1 << (state & 7));
  }
  return copy;
}

function filesUnder(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
