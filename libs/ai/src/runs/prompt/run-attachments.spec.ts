import type { DescribedFiles, FoundFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import { Readable } from 'node:stream';
import type { ObjectStore } from '@atrium/platform/storage';
import type { FileTexts } from '@atrium/retrieval';
import { RunAttachments, type Attached } from './run-attachments';

interface Known {
  readonly id: string;
  readonly type?: string;
  readonly status?: string;
}

const WORDS = 3_000;

/** Attachments of such files, and which statements and reads they took. */
async function attached(known: readonly Known[], wanted: readonly string[], sees = false): Promise<Attached & { readonly took: string[] }> {
  const took: string[] = [];
  const rows = <T extends object>(ids: readonly string[], row: (file: Known) => T): Promise<Map<string, T>> =>
    Promise.resolve(new Map(known.filter(({ id }) => ids.includes(id)).map((file) => [file.id, row(file)])));
  const files = {
    findReadable: (_: Principal, ids: readonly string[]) => {
      took.push('named');
      return rows(ids, ({ id, type = 'text/markdown' }) => ({ file_id: id, file_name: `${id}.md`, file_type: type }));
    },
  };
  const described = {
    describeFiles: (ids: readonly string[]) => {
      took.push('described');
      return rows(ids, ({ id, type, status = 'ready' }) => ({
        file_id: id,
        file_name: id,
        file_summary: 'A quay',
        is_ready: status === 'ready',
        picture: status === 'ready' ? { key: id, type } : null,
        words: { tags: 'harbour' },
      }));
    },
  };
  const texts = {
    findTexts: (ids: readonly string[]) => {
      took.push('texts');
      return rows(ids, ({ id, status = 'ready' }) => ({ file_id: id, ft_status: status, ft_chars: 5 * WORDS }));
    },
    readText: ({ file_id }: { readonly file_id: string }) => {
      took.push(`read ${file_id}`);
      return Promise.resolve('word '.repeat(WORDS));
    },
  };
  const store = { get: (key: string) => Promise.resolve(Readable.from([Buffer.from(key)])) };
  const db = { read: (work: () => Promise<unknown>) => work() };
  const attachments = new RunAttachments(
    db as unknown as Database,
    files as unknown as FoundFiles,
    described as unknown as DescribedFiles,
    texts as unknown as FileTexts,
    store as unknown as ObjectStore,
  );
  return { ...(await attachments.readAttachments({} as Principal, wanted, sees, new AbortController().signal)), took };
}

const many = (count: number, facts: Partial<Known> = {}): Known[] => Array.from({ length: count }, (_, at) => ({ id: `f${at}`, ...facts }));
const idsOf = (known: readonly Known[]): string[] => known.map(({ id }) => id);

afterEach(() => jest.restoreAllMocks());

describe('the attachments of a branch', () => {
  it('are asked for at once, and read the newest first until they are more than an input holds', async () => {
    const known = many(60);
    const { took, texts, notices } = await attached(known, idsOf(known));
    expect(took).toEqual(['named', 'texts', ...Array.from({ length: 7 }, (_, at) => `read f${at}`)]);
    // The others are named, so that a tool can read them.
    expect(texts.slice(6, 9).map(({ id, text, length }) => [id, text === '', length])).toEqual([
      ['f6', false, 5 * WORDS],
      ['f7', true, 5 * WORDS],
      ['f8', true, 5 * WORDS],
    ]);
    expect([texts.length, notices]).toEqual([60, []]);
  });

  it('are looked at as far as the hundred newest', async () => {
    const known = many(150, { status: 'empty' });
    expect((await attached(known, idsOf(known))).texts).toHaveLength(100);
  });

  it('are shown to a model that sees, the eight newest pictures, and the others in words', async () => {
    const known = many(10, { type: 'image/png' });
    const { pictures, texts, took } = await attached(known, idsOf(known), true);
    expect([...pictures.keys()]).toEqual(idsOf(known).slice(0, 8));
    expect(texts.map(({ id, text }) => [id, text])).toEqual(
      ['f8', 'f9'].map((id) => [id, '(an image that is not shown)\nTags: harbour\nSummary: A quay']),
    );
    expect(took).toEqual(['named', 'described']);
    expect((await attached(many(1, { type: 'image/tiff' }), ['f0'], true)).pictures.size).toBe(0);
  });

  it('that cannot be read are reported once, and those that failed by name', async () => {
    const { notices } = await attached([{ id: 'f0', status: 'failed' }], ['f0', 'x', 'y']);
    expect(notices.map(({ code }) => code)).toEqual(['attachment_unavailable', 'attachment_not_ready']);
  });

  it('that are not ready in their time are reported by name, documents and pictures', async () => {
    let minutes = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => minutes++ * 60_000);
    const known = [
      { id: 'f0', type: 'image/png', status: 'running' },
      { id: 'f1', status: 'running' },
    ];
    const { notices, texts } = await attached(known, ['f0', 'f1'], true);
    expect(notices.map(({ code, detail }) => [code, detail])).toEqual([
      ['attachment_not_ready', 'The text of f1.md is not ready yet; the answer does without it.'],
      ['attachment_not_ready', 'The picture f0.md is not ready yet; the answer does without it.'],
    ]);
    expect(texts.map(({ id, text }) => [id, text.split('\n')[0]])).toEqual([['f0', '(an image that is not shown)']]);
  });
});
