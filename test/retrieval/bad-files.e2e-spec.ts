import {
  documentOf,
  eventually,
  packageOf,
  presentationOf,
  slideShape,
  textPdf,
  wordParagraph,
  type RunningApi,
  type TestWorkspace,
} from '@atrium/platform/testing';
import { readFile, upload } from '../files/uploading';
import { sharedAtriumWithWorker } from '../support/shared-atrium';

const DOCS = { file_repo: { library: ['docs'] } };
const MIB = 1024 * 1024;
/** Every try to read a file, with the pauses between them, on a machine that is busy. */
const ALL_TRIES_MS = 300_000;

let api: RunningApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  workspace = await api.workspace(['module-documents']);
}, 120_000);
afterAll(() => api.close());

interface Text {
  readonly file_text_status: string;
  readonly file_text_error: string | null;
}

const settled = (file_id: string): Promise<Text> =>
  eventually(
    async () => (await workspace.owner.client.get(`/documents/${file_id}`).expect(200)).body as Text,
    ({ file_text_status }) => !['pending', 'running'].includes(file_text_status),
    ALL_TRIES_MS,
  );
const store = async (name: string, bytes: Buffer): Promise<string> => (await upload(workspace.owner.client, name, bytes, DOCS)).file_id;
const found = async (query: string): Promise<string[]> =>
  ((await workspace.owner.client.post('/retrieval/search', { query }).expect(200)).body.data as { citation: { title: string } }[]).map(
    ({ citation }) => citation.title,
  );

const CONTRACT = textPdf([[{ text: 'The lease of the boathouse ends in May.', x: 60, y: 700 }]]);
/** Encrypted by a password that is not the empty one. */
const LOCKED = Buffer.from(
  CONTRACT.toString('latin1').replace(
    '/Root 1 0 R',
    `/Root 1 0 R /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${'5a'.repeat(32)}> /U <${'a5'.repeat(32)}> >>`,
  ),
  'latin1',
);

describe('[documents 18] a document that cannot be read', () => {
  it.each([
    ['bomb.xlsx', packageOf({ 'xl/workbook.xml': Buffer.alloc(60 * MIB) }), 'failed', /expands beyond the limit/],
    [
      'entities.docx',
      documentOf({ body: wordParagraph('&a;'), prolog: '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;">]>' }),
      'failed',
      /declares entities/,
    ],
    ['locked.pdf', LOCKED, 'failed', /protected by a password/],
    ['cut.docx', documentOf({ body: wordParagraph('Words') }).subarray(0, 200), 'failed', /damaged/],
  ] as const)(
    'says why not, and the next one is found: %s',
    async (name, bytes, status, reason) => {
      const bad = await store(name, bytes);
      const good = await store(`after ${name}.pdf`, CONTRACT);
      const text = await settled(bad);
      expect(text.file_text_status).toBe(status);
      expect(text.file_text_error).toMatch(reason);
      expect(text.file_text_error).toMatch(/\.$/);
      expect(await settled(good)).toMatchObject({ file_text_status: 'ready', file_text_error: null });
      await eventually(
        () => api.sql(`SELECT 1 FROM passage WHERE tenant_id = $1 AND source_id = $2`, [workspace.tenant_id, good]),
        (rows) => rows.length === 1,
        ALL_TRIES_MS,
      );
      const titles = await found('lease of the boathouse');
      expect(titles.length).toBeGreaterThan(0);
      expect(titles).not.toContain(name);
      await workspace.owner.client.delete(`/files/${good}`);
    },
    3 * ALL_TRIES_MS,
  );
});

describe('a document that is read in part', () => {
  it(
    'says with its facts how much is missing',
    async () => {
      const { client } = workspace.owner;
      const shapes = slideShape(['Three words read'], 'title');
      const unread = '<p:graphicFrame><a:p><a:r><a:t>Nobody reads these four</a:t></a:r></a:p></p:graphicFrame>';
      const [part, whole] = [
        await store('part.pptx', presentationOf([{ shapes: shapes + unread }])),
        await store('whole.pptx', presentationOf([{ shapes }])),
      ];
      for (const file_id of [part, whole]) expect(await settled(file_id)).toMatchObject({ file_text_status: 'ready' });
      const lossOf = async (file_id: string): Promise<unknown> => (await readFile(client, file_id)).file_metadata.system?.['text_loss'];
      expect(await lossOf(part)).toEqual({ share: 0.5714, reason: '4 of the 7 words and numbers of the file are missing from its text.' });
      expect(await lossOf(whole)).toBeUndefined();
    },
    ALL_TRIES_MS,
  );
});
