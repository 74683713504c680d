import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import fc from 'fast-check';
import { operatorOf } from '../support/operating';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { indexed, uploadDocument } from './documents-of';
import { ACCESS, PlainLibrary, type Access, type PlainFolder, type PlainReader } from './plain-library';

const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_123);
const DOCUMENTS = 9;
/** Parents of the folders, by their places. */
const TREE = [null, 0, 1, null] as const;
const CHANGES = 40;
/** So many changes are made between one look at everything and the next. */
const BETWEEN = 10;

type Change =
  | { readonly kind: 'file' | 'unfile'; readonly document: number; readonly folder: number }
  | { readonly kind: 'close'; readonly folder: number; readonly access: Access }
  | { readonly kind: 'deprecate' | 'restore' | 'trash' | 'untrash'; readonly document: number }
  | { readonly kind: 'link'; readonly document: number; readonly other: number };

const document = fc.nat(DOCUMENTS - 1);
const folder = fc.nat(TREE.length - 1);
const changes: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('file'), document, folder }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unfile'), document, folder }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('close'), folder, access: fc.constantFrom(...ACCESS) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('deprecate', 'restore', 'trash', 'untrash'), document }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('link'), document, other: document }) },
);

interface Reader extends PlainReader {
  readonly name: string;
  readonly client: Client;
}

let api: RunningApi;
let ours: TestWorkspace;
let library: PlainLibrary;
let readers: readonly Reader[];
let lists: Readonly<Record<Access, object>>;
let rel_type: string;
/** A folder filled by a search for documents in markdown. */
let smart: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace(['module-documents']);
  const theirs = await api.workspace(['module-documents']);
  const [reader, editor] = [await ours.member('viewer'), await ours.member('editor')];
  const { client, user_id } = ours.owner;
  const [role] = (await editor.client.get('/me').expect(200)).body.roles as { role_id: string }[];
  lists = {
    everybody: {},
    'the owner': { users: { [user_id]: 'owner' } },
    'the reader': { users: { [user_id]: 'owner', [reader.user_id]: 'view' } },
    editors: { users: { [user_id]: 'owner' }, roles: { [role?.role_id ?? '']: 'view' } },
  };
  readers = [
    { name: 'owner', client, isMember: true, named: ACCESS },
    { name: 'reader', client: reader.client, isMember: true, named: ['everybody', 'the reader'] },
    { name: 'editor', client: editor.client, isMember: true, named: ['everybody', 'editors'] },
    { name: 'somebody of another workspace', client: theirs.owner.client, isMember: false, named: ACCESS },
  ];
  rel_type = (await client.post('/document-relation-types', { rt_name: 'is like', rt_symmetric: true }).expect(201)).body.rt_id as string;
  const query_search = { where: { field: 'format', op: 'eq', value: 'md' } };
  smart = (await client.post('/document-folders/smart', { album_name: 'Markdown', query_search }).expect(201)).body.album_id as string;
  const folders: PlainFolder[] = [];
  for (const [at, parent] of TREE.entries()) {
    const album_parent = parent === null ? 'root' : folders[parent]?.album_id;
    const made = await client.post('/document-folders', { album_name: `Folder ${at}`, album_parent }).expect(201);
    folders.push({ album_id: made.body.album_id as string, parent, access: 'everybody' });
  }
  const documents = [];
  for (let at = 0; at < DOCUMENTS; at++) {
    const format = at % 3 === 0 ? 'md' : 'txt';
    const { file_id } = await uploadDocument(client, `harbour-${at}.${format}`, `The harbour has berth ${at} for the ketch Anna ${at}.`);
    documents.push({ file_id, format, isActive: true, isTrashed: false });
  }
  library = new PlainLibrary(documents, folders);
  await indexed(api, ours);
}, 180_000);
afterAll(() => api.close());

const isMarkdown = (file_id: string): boolean => library.documents.some((each) => each.file_id === file_id && each.format === 'md');
const idOf = (at: number): string => library.documents[at]?.file_id ?? '';

/** Makes one change in the service and in the model; what the service would refuse is passed over. */
async function make(change: Change): Promise<void> {
  const { client } = ours.owner;
  if (change.kind === 'close') {
    const closed = library.folders[change.folder];
    await client.patch(`/document-folders/${closed?.album_id}`, { album_acl: lists[change.access] }).expect(200);
    if (closed) closed.access = change.access;
    return;
  }
  const it = library.documents[change.document];
  if (!it || it.isTrashed !== (change.kind === 'untrash')) return;
  const { file_id } = it;
  switch (change.kind) {
    case 'file':
      await client.post(`/document-folders/${library.folders[change.folder]?.album_id}/files`, { file_ids: [file_id] }).expect(200);
      return library.file(change.document, change.folder);
    case 'unfile':
      await client.delete(`/document-folders/${library.folders[change.folder]?.album_id}/files`, { file_ids: [file_id] }).expect(200);
      return library.unfile(change.document, change.folder);
    case 'link':
      if (change.other === change.document || library.documents[change.other]?.isTrashed) return;
      await client
        .post(`/documents/${file_id}/relations`, { rel_type, document_id: idOf(change.other) })
        .expect(({ status }) => expect([200, 201]).toContain(status));
      return library.link(change.document, change.other);
    case 'deprecate':
    case 'restore':
      await client.post(`/documents/${file_id}/${change.kind}`).expect(200);
      it.isActive = change.kind === 'restore';
      return;
    case 'trash':
      await client.delete(`/files/${file_id}`).expect(204);
      it.isTrashed = true;
      return;
    case 'untrash':
      await client.post(`/files/${file_id}/restore`).expect(200);
      it.isTrashed = false;
  }
}

const ids = async (client: Client, path: string): Promise<string[]> =>
  ((await client.get(path).expect(200)).body.data as { file_id: string }[]).map(({ file_id }) => file_id).sort();
const found = async (client: Client, query: object): Promise<string[]> => {
  const asked = { query: 'harbour berth ketch', limit: 100, max_per_source: 1, similarity_threshold: 0, ...query };
  const hits = (await client.post('/retrieval/search', asked).expect(200)).body.data as { citation: { source_id: string } }[];
  return hits.map(({ citation }) => citation.source_id).sort();
};

/** What somebody sees everywhere, and what they should. */
async function views(reader: Reader): Promise<Record<string, readonly [seen: unknown, meant: unknown]>> {
  const { client } = reader;
  const active = library.listed(reader);
  const all = library.listed(reader, 'all');
  const seen: Record<string, readonly [unknown, unknown]> = {
    list: [await ids(client, '/documents?limit=100'), active],
    'list of all': [await ids(client, '/documents?lifecycle=all'), all],
    'list of deprecated': [await ids(client, '/documents?lifecycle=deprecated'), library.listed(reader, 'deprecated')],
    'list in no folder': [await ids(client, '/documents?folder=none'), library.inNoFolder(reader)],
    'list by meaning': [await ids(client, '/documents?embedding_search=harbour%20berth%20ketch&similarityThreshold=0'), active],
    'list by name': [await ids(client, '/documents?search=HARBOUR'), active],
    'list of ids': [await ids(client, `/documents?${library.documents.map(({ file_id }) => `file_id=${file_id}`).join('&')}`), all],
    'list of files': [await ids(client, '/files?repo_type=docs'), all],
    'files by name': [await ids(client, '/files/search?q=harbour&limit=50'), all],
    'passages by words': [await found(client, { mode: 'text' }), active],
    'passages by meaning': [await found(client, { mode: 'vector' }), active],
    'passages by both': [await found(client, { filter: { source_ids: library.documents.map(({ file_id }) => file_id) } }), active],
    'list in a smart folder': [await ids(client, `/documents?folder=${smart}`), library.listed(reader).filter(isMarkdown)],
    'passages in a smart folder': [await found(client, { filter: { folder: smart } }), library.listed(reader).filter(isMarkdown)],
    formats: [
      ((await client.get('/documents/formats').expect(200)).body.data as { format: string; count: number }[])
        .map(({ format, count }) => `${format} ${count}`)
        .sort(),
      library.formats(reader),
    ],
  };
  for (const [at, { album_id }] of library.folders.entries()) {
    const meant = library.within(reader, at);
    const answer = await client.get(`/document-folders/${album_id}`);
    seen[`folder ${at}`] = [
      [answer.status, answer.status === 200 ? answer.body.album_document_count : null],
      library.opens(reader, at) ? [200, meant.length] : [404, null],
    ];
    seen[`list in folder ${at}`] = [await ids(client, `/documents?folder=${album_id}`), meant];
    seen[`list below folder ${at}`] = [
      await ids(client, `/documents?folder=${album_id}&include_subfolders=true`),
      library.within(reader, at, { below: true }),
    ];
    seen[`passages in folder ${at}`] = [await found(client, { filter: { folder: album_id } }), meant];
  }
  for (const [at, { file_id }] of library.documents.entries()) seen[`document ${at}`] = await oneDocument(reader, at, file_id);
  return seen;
}

/** The routes of one document: all of them open, or none. */
async function oneDocument(reader: Reader, at: number, file_id: string): Promise<readonly [unknown, unknown]> {
  const { client } = reader;
  const answers = await Promise.all(
    [
      `/documents/${file_id}`,
      `/documents/${file_id}/markdown`,
      `/documents/${file_id}/passages`,
      `/documents/${file_id}/relations`,
      `/files/${file_id}`,
    ].map((path) => client.get(path)),
  );
  const statuses = answers.map(({ status }) => status);
  if (!library.reads(reader, at)) return [statuses, [404, 404, 404, 404, 404]];
  const [one, , passages, relations] = answers;
  const others = library.linkedWith(reader, at);
  const shown = {
    statuses,
    deprecated: one?.body.file_deprecated as boolean,
    links: one?.body.file_relation_count as number,
    indexed: (passages?.body.data as { indexed: boolean }[]).map((passage) => passage.indexed),
    others: (relations?.body.data as { document: { file_id: string } }[]).map((link) => link.document.file_id).sort(),
  };
  const isActive = library.documents[at]?.isActive === true;
  return [shown, { statuses: [200, 200, 200, 200, 200], deprecated: !isActive, links: others.length, indexed: [isActive], others }];
}

async function compareEverything(made: readonly Change[]): Promise<void> {
  for (const reader of readers) {
    const seen = await views(reader);
    const wrong = Object.entries(seen).filter(([, [is, meant]]) => JSON.stringify(is) !== JSON.stringify(meant));
    expect({ seed: SEED, reader: reader.name, made, wrong }).toMatchObject({ wrong: [] });
  }
}

describe('whatever happens to documents and folders', () => {
  it(`every list, search and read shows each reader exactly what the rules say, after ${CHANGES} changes of seed ${SEED}`, async () => {
    const drawn = fc.sample(changes, { seed: SEED, numRuns: CHANGES });
    await compareEverything([]);
    for (let at = 0; at < drawn.length; at += BETWEEN) {
      const some = drawn.slice(at, at + BETWEEN);
      for (const change of some) await make(change);
      await compareEverything(drawn.slice(0, at + BETWEEN));
    }
  }, 400_000);

  it('a workspace whose licence has ended sees nothing of it, and all of it once it is licensed again', async () => {
    const modules = `/workspaces/${ours.tenant_id}/modules/module-documents`;
    await operatorOf(api).delete(modules).expect(204);
    for (const { client, isMember } of readers.filter((reader) => reader.isMember)) {
      expect(isMember).toBe(true);
      for (const path of ['/documents', '/documents/formats', `/documents/${idOf(0)}`, '/document-folders'])
        expect((await client.get(path).expect(403)).body.code).toBe('license_required');
      expect(await found(client, {})).toEqual([]);
    }
    await operatorOf(api).put(modules, {}).expect(200);
    await compareEverything([]);
  }, 120_000);
});
