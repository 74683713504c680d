import type { INestApplicationContext } from '@nestjs/common';
import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, ModelServer, textPdf, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { upload } from '../files/uploading';
import { storeFile } from '../files/stored-files';
import { EMBEDDING, MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { startAtrium, startWorker } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { addText, indexed, makeBase, search, searchAll, titles } from './bases';

interface BaseFile {
  readonly file_id: string;
  readonly file_name: string;
  readonly ds_link: string;
  readonly linked_at: string | null;
  readonly file_text_status: string;
  readonly file_passage_count: number;
  readonly file_deprecated: boolean;
}

const DOCS = { file_repo: { library: ['docs'] } };

let api: RunningApi;
let server: ModelServer;
let ours: TestWorkspace;
let worker: INestApplicationContext;

beforeAll(async () => {
  server = await ModelServer.start();
  api = await startAtrium({ ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS });
  worker = await startWorker(api);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const files = async (ds_id: string, query = '', client = ours.owner.client): Promise<BaseFile[]> =>
  ((await client.get(`/knowledge-bases/${ds_id}/files${query}`).expect(200)).body as { data: BaseFile[] }).data;
/** Once the text of a file was read and indexed. */
const ready = (ds_id: string, count = 1): Promise<BaseFile[]> =>
  eventually(
    () => files(ds_id),
    (rows) => rows.length === count && rows.every(({ file_passage_count }) => file_passage_count > 0),
    60_000,
  );
const document = (name: string, text: string, client: Client = ours.owner.client): Promise<string> =>
  upload(client, name, Buffer.from(text), DOCS).then(({ file_id }) => file_id);
const link = (ds_id: string, file_ids: readonly string[], client = ours.owner.client) =>
  client.post(`/knowledge-bases/${ds_id}/files`, { file_ids });

const PLACES = ['Piers', 'Quays', 'Moles', 'Locks', 'Docks', 'Ramps'];
const TOPICS = ['mooring', 'lighting', 'fishing', 'loading', 'towing'];

/** A chapter a page under a title of its own, so that no passage is of two pages. */
const page = (n: number): { text: string; x: number; y: number; size: number }[] => [
  { text: `${PLACES[n % 6]} and ${TOPICS[n % 5]}`, x: 72, y: 790, size: 22 },
  ...Array.from({ length: 12 }, (_, line) => ({
    text: `Rule ${n}.${line} of the harbour concerns berth ${n * 12 + line} and its moorings.`,
    x: 72,
    y: 740 - line * 24,
    size: 10,
  })),
];

describe('files of a knowledge base', () => {
  it('have no error where all that is doubtful is the encoding that their text was read in', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const { file_id } = await upload(client, 'birds.txt', Buffer.from('Möwen und Störche über Tönning', 'latin1'), {
      file_repo: { ds: ds_id },
    });
    expect(await ready(ds_id)).toMatchObject([{ file_id, file_text_status: 'ready', file_index_error: null }]);
    expect(await api.sql('SELECT ft_error FROM file_text WHERE file_id = $1', [file_id])).toEqual([
      { ft_error: expect.stringContaining('windows-1252') as string },
    ]);
  });

  it('[knowledge 6] are read, listed with their state, cited by their page, and gone from searches once deleted', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const pages = Array.from({ length: 30 }, (_, at) => page(at + 1));
    pages[11]?.push({ text: 'The zeppelin mast may be used by appointment with the harbour master.', x: 72, y: 400, size: 10 });
    const { file_id } = await upload(client, 'rules.pdf', textPdf(pages, 'Rules'), { file_repo: { ds: ds_id } });
    const [row] = await ready(ds_id);
    expect(row).toMatchObject({ file_id, ds_link: 'own', linked_at: null, file_text_status: 'ready', file_deprecated: false });
    expect((await client.get(`/knowledge-bases/${ds_id}`).expect(200)).body).toMatchObject({
      ds_file_count: 1,
      ds_passage_count: row?.file_passage_count,
    });
    const [hit] = await search(client, ds_id, 'zeppelin mast appointment');
    expect(hit?.citation).toMatchObject({ source_id: file_id, page_from: 12 });
    await client.delete(`/files/${file_id}`).expect(204);
    expect(await search(client, ds_id, 'zeppelin mast appointment')).toEqual([]);
    expect(await files(ds_id)).toEqual([]);
  }, 120_000);

  it('that are there to be imported are neither listed nor searched', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const own = await upload(client, 'note.md', Buffer.from('Gulls nest on the pier.'), { file_repo: { ds: ds_id } });
    const { file_id } = await upload(client, 'rows.csv', Buffer.from('name,text\nGulls,Gulls nest on the quay.\n'), {
      file_repo: { ds: ds_id },
      file_metadata: { purpose: 'import' },
    });
    await ready(ds_id);
    expect((await files(ds_id)).map((file) => file.file_id)).toEqual([own.file_id]);
    expect((await search(client, ds_id, 'gulls nest')).map(({ citation }) => citation.source_id)).toEqual([own.file_id]);
    expect(await api.sql('SELECT 1 FROM file_text WHERE file_id = $1', [file_id])).toEqual([]);
    expect((await client.get(`/files?repo_type=ds&repo_id=${ds_id}`).expect(200)).body.data).toHaveLength(1);
  });

  it('[knowledge 5] are found with its records until it is deleted, and again when it is restored; what was in the trash stays there', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const linked = await document('linked.md', 'Gulls nest on the quay.');
    const own = await upload(client, 'own.md', Buffer.from('Gulls nest on the pier.'), { file_repo: { ds: ds_id } });
    const old = await upload(client, 'old.md', Buffer.from('Gulls nested on the mole.'), { file_repo: { ds: ds_id } });
    await client.delete(`/files/${old.file_id}`).expect(204);
    await addText(client, ds_id, 'Gulls', 'Gulls nest on the roof.');
    await link(ds_id, [linked]).expect(200);
    await ready(ds_id, 2);
    await indexed(client, ds_id);
    const found = async (): Promise<string[]> => titles(await searchAll(client, 'gulls nest', [ds_id])).sort();
    const all = ['Gulls', 'linked.md', 'own.md'];
    expect(await found()).toEqual(all);

    await client.delete(`/knowledge-bases/${ds_id}`).expect(204);
    expect(await found()).toEqual([]);
    expect(titles(await docs(client, 'gulls nest'))).toEqual(['linked.md']);
    await eventually(
      () => api.sql('SELECT 1 FROM file WHERE file_id = $1 AND file_deleted IS NOT NULL', [own.file_id]),
      (rows) => rows.length === 1,
    );
    await client.get(`/knowledge-bases/${ds_id}/files`).expect(404);

    await client.post(`/knowledge-bases/${ds_id}/restore`).expect(200);
    await eventually(found, (names) => names.length === 3, 60_000);
    expect(await found()).toEqual(all);
    expect((await files(ds_id)).map(({ file_name }) => file_name).sort()).toEqual(['linked.md', 'own.md']);
  }, 120_000);

  it('are cut again when the chunking of the base changes', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const text = Array.from({ length: 60 }, (_, n) => `Berth ${n} is let to the owner of boat ${n * 7} for a year.`).join('\n\n');
    await upload(client, 'berths.md', Buffer.from(text), { file_repo: { ds: ds_id } });
    await addText(client, ds_id, 'Berths', text.replaceAll('Berth', 'Mooring'));
    await ready(ds_id);
    await indexed(client, ds_id);
    const passages = async (): Promise<number> =>
      ((await client.get(`/knowledge-bases/${ds_id}`).expect(200)).body as { ds_passage_count: number }).ds_passage_count;
    const before = await passages();
    const changed = await client.patch(`/knowledge-bases/${ds_id}`, { ds_config: { chunking: { target_tokens: 100, overlap_tokens: 0 } } });
    const { reindex_job } = (changed.body as { ds_metadata: { reindex_job: string } }).ds_metadata;
    await eventually(
      async () => (await client.get(`/jobs/${reindex_job}`).expect(200)).body as { status: string },
      ({ status }) => status === 'completed',
    );
    await indexed(client, ds_id);
    expect(await passages()).toBeGreaterThan(before * 2);
  }, 120_000);
});

describe('what was deleted from knowledge', () => {
  it('is removed for good after 30 days, and nothing else is', async () => {
    const { client } = ours.owner;
    const [old, recent, open] = [await makeBase(client), await makeBase(client), await makeBase(client)];
    for (const { ds_id } of [old, recent, open]) await addText(client, ds_id, 'Gulls', 'Gulls nest on the roof.');
    const [lately, before] = [await addText(client, open.ds_id, 'Lately', 'Terns.'), await addText(client, open.ds_id, 'Before', 'Skuas.')];
    for (const { rec_id } of [lately, before]) await client.delete(`/knowledge-bases/${open.ds_id}/records/${rec_id}`).expect(204);
    for (const { ds_id } of [old, recent]) await client.delete(`/knowledge-bases/${ds_id}`).expect(204);
    await api.sql(`UPDATE knowledge_base SET ds_deleted = now() - interval '31 days' WHERE ds_id = $1`, [old.ds_id]);
    await api.sql(`UPDATE knowledge_record SET rec_updated = now() - interval '31 days' WHERE rec_id = $1`, [before.rec_id]);
    await worker.get(ScheduleHost, { strict: false }).runNow('knowledge.purge');
    const bases = await eventually(
      () => api.sql<{ ds_id: string }>('SELECT ds_id FROM knowledge_base WHERE tenant_id = $1', [ours.tenant_id]),
      (rows) => rows.length === 2,
    );
    expect(bases.map(({ ds_id }) => ds_id).sort()).toEqual([recent.ds_id, open.ds_id].sort());
    const records = await api.sql<{ rec_name: string }>('SELECT rec_name FROM knowledge_record WHERE tenant_id = $1', [ours.tenant_id]);
    expect(records.map(({ rec_name }) => rec_name).sort()).toEqual(['Gulls', 'Gulls', 'Lately']);
    await client.post(`/knowledge-bases/${old.ds_id}/restore`).expect(404);
    await client.post(`/knowledge-bases/${recent.ds_id}/restore`).expect(200);
    const left = await client.get(`/knowledge-bases/${open.ds_id}`).expect(200);
    expect(left.body).toMatchObject({ ds_record_count: 1 });
  });
});

/** The search of the document library. */
const docs = async (client: Client, query: string) => {
  const { data } = (await client.post('/retrieval/search', { query, scopes: ['docs'] }).expect(200)).body as {
    data: Awaited<ReturnType<typeof search>>;
  };
  return data;
};

describe('documents linked to knowledge bases', () => {
  it('[knowledge 7] are embedded once, follow their library, and are found by those who may read them', async () => {
    const { client, user_id } = ours.owner;
    await new Crediting(api).grant(ours, { grant_credits: 1_000 });
    await provideModels(api, ours, server, [{ ...EMBEDDING, model_default: true }]);
    const [one, two] = [await makeBase(client), await makeBase(client)];
    const id = await document('gulls.md', 'Gulls nest on the pier.');
    await link(one.ds_id, [id]).expect(200);
    expect((await link(two.ds_id, [id, id]).expect(200)).body).toEqual({ added: 1, skipped: 0 });
    expect((await link(two.ds_id, [id]).expect(200)).body).toEqual({ added: 0, skipped: 1 });
    const found = async (caller: Client, ds_id: string): Promise<string[]> =>
      titles(await search(caller, ds_id, 'gulls', { mode: 'text' }));
    for (const { ds_id } of [one, two]) {
      await ready(ds_id);
      expect(await found(client, ds_id)).toEqual(['gulls.md']);
    }
    expect((await files(one.ds_id))[0]).toMatchObject({ ds_link: 'linked', linked_by: user_id, file_text_status: 'ready' });
    /** Files, passages, and what waits or has failed. */
    const counts = async (caller: Client, { ds_id }: { readonly ds_id: string }): Promise<unknown[]> => {
      const base = (await caller.get(`/knowledge-bases/${ds_id}`).expect(200)).body as Record<string, unknown>;
      return ['ds_file_count', 'ds_passage_count', 'ds_pending_count', 'ds_failed_count'].map((count) => base[count]);
    };
    for (const base of [one, two]) expect(await counts(client, base)).toEqual([1, 1, 0, 0]);
    expect(await api.sql('SELECT DISTINCT source_generation FROM passage_source WHERE source_id = $1', [id])).toEqual([
      { source_generation: 1 },
    ]);
    expect(server.embeddings.flatMap(({ input }) => input).filter((text) => text.includes('nest on the pier'))).toHaveLength(1);

    await client.post(`/documents/${id}/deprecate`, {}).expect(200);
    for (const { ds_id } of [one, two]) expect(await found(client, ds_id)).toEqual([]);
    expect((await files(one.ds_id))[0]).toMatchObject({ file_deprecated: true });
    for (const base of [one, two]) expect(await counts(client, base)).toEqual([1, 0, 0, 0]);
    await client.post(`/documents/${id}/restore`, {}).expect(200);
    for (const { ds_id } of [one, two]) expect(await found(client, ds_id)).toEqual(['gulls.md']);

    const reader = (await ours.member('admin')).client;
    const { album_id } = (
      await client.post('/document-folders', { album_name: 'Closed', album_acl: { users: { [user_id]: 'owner' } } }).expect(201)
    ).body as { album_id: string };
    await client.post(`/document-folders/${album_id}/files`, { file_ids: [id] }).expect(200);
    for (const { ds_id } of [one, two]) {
      expect(await found(reader, ds_id)).toEqual([]);
      expect(await files(ds_id, '', reader)).toEqual([]);
      expect(await found(client, ds_id)).toEqual(['gulls.md']);
      expect(await counts(reader, { ds_id })).toEqual([0, 0, 0, 0]);
      expect(await counts(client, { ds_id })).toEqual([1, 1, 0, 0]);
    }
    expect((await reader.post(`/knowledge-bases/${one.ds_id}/files`, { file_ids: [id] }).expect(200)).body).toEqual({
      added: 0,
      skipped: 1,
    });

    expect((await client.delete(`/knowledge-bases/${one.ds_id}/files`, { file_ids: [id] }).expect(200)).body).toEqual({
      removed: 1,
      skipped: 0,
    });
    expect(await found(client, one.ds_id)).toEqual([]);
    expect(await found(client, two.ds_id)).toEqual(['gulls.md']);
    expect(await counts(client, one)).toEqual([0, 0, 0, 0]);
    expect(await counts(client, two)).toEqual([1, 1, 0, 0]);
    expect(titles(await docs(client, 'gulls'))).toEqual(['gulls.md']);
  }, 120_000);

  it('stay linked to both bases when they are linked at once', async () => {
    const { client } = ours.owner;
    const [one, two] = [await makeBase(client), await makeBase(client)];
    const id = await document('gulls.md', 'Gulls nest on the pier.');
    const { ds_id: first } = await makeBase(client);
    await link(first, [id]).expect(200);
    await ready(first);
    await Promise.all([link(one.ds_id, [id]).expect(200), link(two.ds_id, [id]).expect(200)]);
    const scopes = await api.sql<{ scope_key: string }>('SELECT scope_key FROM passage_scope WHERE source_id = $1', [id]);
    expect(scopes.map(({ scope_key }) => scope_key).sort()).toEqual(['docs', `ds:${first}`, `ds:${one.ds_id}`, `ds:${two.ds_id}`].sort());
  });

  it('are documents of the workspace that the caller may read; everything else is skipped', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const theirs = await api.workspace(['module-documents']);
    const foreign = (await storeFile(api, theirs, { repo: 'docs' })).file_id;
    const media = (await storeFile(api, ours, {})).file_id;
    const [document_id] = [(await storeFile(api, ours, { repo: 'docs' })).file_id];
    expect((await link(ds_id, [foreign, media]).expect(200)).body).toEqual({ added: 0, skipped: 2 });
    const writer = await ours.member('owner', ['knowledge-base:view', 'knowledge-base:upload']);
    expect((await link(ds_id, [document_id], writer.client).expect(200)).body).toEqual({ added: 0, skipped: 1 });
    expect((await client.delete(`/knowledge-bases/${ds_id}/files`, { file_ids: [media] }).expect(200)).body).toEqual({
      removed: 0,
      skipped: 1,
    });
    const plain = await api.workspace();
    const base = await makeBase(plain.owner.client);
    expect((await link(base.ds_id, [media], plain.owner.client).expect(403)).body.code).toBe('license_required');
  });

  it('are narrowed by how they belong to the base and by their text', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const linked = await document('linked.md', 'Gulls nest on the quay.');
    const own = await upload(client, 'own.md', Buffer.from('Gulls nest on the pier.'), { file_repo: { ds: ds_id } });
    await link(ds_id, [linked]).expect(200);
    await ready(ds_id, 2);
    const ids = async (query: string): Promise<string[]> => (await files(ds_id, query)).map(({ file_id }) => file_id);
    expect(await ids('?ds_link=own')).toEqual([own.file_id]);
    expect(await ids('?ds_link=linked')).toEqual([linked]);
    expect(await ids('?file_text_status=pending')).toEqual([]);
    expect(await ids('?sort=file_name')).toEqual([linked, own.file_id]);
    expect(await ids('?file_name=own')).toEqual([own.file_id]);
  });
});
