import { UnitOfWork } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import type { Response } from 'supertest';
import { openThread } from '../ai/talking';
import { makeBase } from '../knowledge/bases';
import { field, makeObject, makeSchema } from '../objects/objects';
import { sharedAtrium } from '../support/shared-atrium';

const MIB = 1024 * 1024;
/** Rows are counted as the database sends them; an answer names the columns of each besides, and says a few things twice. */
const MOST = 2.5 * MIB;
const MANY = 130;
const LONG = 200_000;

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace(['module-objects', 'module-documents']);
  client = ours.owner.client;
}, 60_000);
afterAll(() => api.close());

interface PageBody {
  readonly data: readonly Record<string, unknown>[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** All pages of a list: how many rows each has, how large the largest is, and the ids in their order. */
async function walk(path: string, id: string): Promise<{ pages: number[]; largest: number; ids: unknown[] }> {
  const walked = { pages: [] as number[], largest: 0, ids: [] as unknown[] };
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer: Response = await client.get(`${path}${cursor === '' ? '' : `&cursor=${cursor}`}`).expect(200);
    const body = answer.body as PageBody;
    walked.pages.push(body.data.length);
    walked.largest = Math.max(walked.largest, Buffer.byteLength(answer.text));
    walked.ids.push(...body.data.map((row) => row[id]));
    expect(body.has_more).toBe(body.next_cursor !== null);
    cursor = body.next_cursor;
  }
  return walked;
}

const numbers = Array.from({ length: MANY }, (_, n) => n);
const ids = (): string[] => numbers.map(() => newId()).sort();

describe('a page', () => {
  let form_id: string;
  let objects: string[];

  beforeAll(async () => {
    form_id = (
      await makeSchema(client, [field('text', 'long_text', { max_length: 100_000 }), field('more', 'long_text', { max_length: 100_000 })])
    ).form_id;
    objects = ids();
    await api.sql(
      `INSERT INTO object (tenant_id, obj_id, obj_form, obj_name, obj_content, obj_text, obj_created)
       SELECT $1, id, $2, 'Thing', jsonb_build_object('name', 'Thing', 'text', repeat('é', $4::integer / 4), 'more', repeat('y', $4::integer / 2)), '', now() - n * interval '1 second'
       FROM unnest($3::uuid[]) WITH ORDINALITY AS o (id, n)`,
      [ours.tenant_id, form_id, objects, LONG],
    );
  }, 60_000);

  it.each(['limit=1000', 'limit=50', 'limit_extended=10000', 'limit=1000&sort=-obj_created', `limit=1000&sort=obj_created`])(
    'of large objects ends at two megabytes, a long one at eight, and goes on with the next row: %s',
    async (query) => {
      const times = query.includes('extended') ? 4 : 1;
      const { pages, largest, ids: seen } = await walk(`/objects?${query}`, 'obj_id');
      expect(largest).toBeLessThan(times * MOST);
      expect(largest).toBeGreaterThan(times * 1.5 * MIB);
      expect(pages.length).toBeGreaterThan(2);
      expect(new Set(seen)).toEqual(new Set(objects));
      expect(seen).toHaveLength(MANY);
    },
    60_000,
  );

  it('of small objects beside them is as long as asked for', async () => {
    const schema = await makeSchema(client);
    await api.sql(
      `INSERT INTO object (tenant_id, obj_id, obj_form, obj_name, obj_content, obj_text) SELECT $1, gen_random_uuid(), $2, 'Small', '{"name":"Small"}', '' FROM generate_series(1, 1200)`,
      [ours.tenant_id, schema.form_id],
    );
    const { pages } = await walk(`/objects?obj_form=${schema.form_id}&limit=1000`, 'obj_id');
    expect(pages).toEqual([1_000, 200]);
  });

  it('of revisions is bounded likewise', async () => {
    const { obj_id } = await makeObject(client, form_id);
    await api.sql(
      `INSERT INTO object_revision (tenant_id, rev_object, rev_version, rev_id, rev_action, rev_content, rev_created)
       SELECT $1, $2, n + 1, gen_random_uuid(), 'updated', jsonb_build_object('name', 'Thing', 'text', repeat('x', $4::integer)), now() FROM generate_series(1, $3::integer) n`,
      [ours.tenant_id, obj_id, MANY, LONG],
    );
    const { largest, ids: seen } = await walk(`/objects/${obj_id}/revisions?limit=1000`, 'rev_version');
    expect(largest).toBeLessThan(MOST);
    expect(new Set(seen).size).toBe(MANY + 1);
  }, 60_000);

  it('of records is bounded likewise', async () => {
    const { ds_id } = await makeBase(client);
    await api.sql(
      `INSERT INTO knowledge_record (tenant_id, rec_id, rec_base, rec_name, rec_content, rec_hash, rec_text)
       SELECT $1, gen_random_uuid(), $2, 'Record', jsonb_build_object('body', repeat('x', $4::integer)), n::text, '' FROM generate_series(1, $3::integer) n`,
      [ours.tenant_id, ds_id, MANY, LONG],
    );
    for (const limit of ['limit=1000', 'limit_extended=10000']) {
      const { largest, ids: seen } = await walk(`/knowledge-bases/${ds_id}/records?${limit}`, 'rec_id');
      expect(largest).toBeLessThan(limit.includes('extended') ? 4 * MOST : MOST);
      expect([seen.length, new Set(seen).size]).toEqual([MANY, MANY]);
    }
  }, 60_000);

  it('of records that are exported is bounded likewise, and the file has each of them once', async () => {
    const { ds_id } = await makeBase(client);
    await api.sql(
      `INSERT INTO knowledge_record (tenant_id, rec_id, rec_base, rec_name, rec_content, rec_hash, rec_text)
       SELECT $1, gen_random_uuid(), $2, 'Record ' || n, jsonb_build_object('body', repeat('x', CASE WHEN n % 2 = 0 THEN $4::integer ELSE 10 END)), n::text, ''
       FROM generate_series(1, $3::integer) n`,
      [ours.tenant_id, ds_id, MANY, LONG],
    );
    const query = jest.spyOn(UnitOfWork.prototype, 'query');
    const { file_size, record_count, download_url } = (await client.post(`/knowledge-bases/${ds_id}/export`, {}).expect(200)).body as {
      readonly file_size: number;
      readonly record_count: number;
      readonly download_url: string;
    };
    const answers = (await Promise.all(query.mock.results.map(({ value }) => value as Promise<readonly object[]>))).filter(
      ([row]) => row && 'rec_content' in row,
    );
    query.mockRestore();
    expect(answers.length).toBeGreaterThan(file_size / MOST);
    for (const page of answers) expect(JSON.stringify(page).length).toBeLessThan(MOST);
    const lines = (await (await fetch(download_url)).text()).trimEnd().split('\n');
    const names = lines.map((line) => (JSON.parse(line) as { rec_name: string }).rec_name);
    expect([record_count, names.length, new Set(names).size]).toEqual([MANY, MANY, MANY]);
  }, 60_000);

  it('of messages is bounded likewise, and names a hundred versions of each at most', async () => {
    const { thread_id } = await openThread(client);
    await api.sql(
      `INSERT INTO message (tenant_id, msg_id, msg_thread, msg_role, msg_text, msg_parts)
       SELECT $1, gen_random_uuid(), $2, 'user', repeat('x', 100000), jsonb_build_array(jsonb_build_object('kind', 'text', 'text', repeat('x', 100000))) FROM generate_series(1, $3::integer) n`,
      [ours.tenant_id, thread_id, MANY],
    );
    const { largest, ids: seen } = await walk(`/threads/${thread_id}/messages?branch=all&limit=1000`, 'msg_id');
    expect(largest).toBeLessThan(MOST);
    expect(new Set(seen).size).toBe(MANY);
    const { body } = await client.get(`/threads/${thread_id}/messages?branch=all&limit=20`).expect(200);
    for (const { msg_id, msg_siblings } of (body as { data: { msg_id: string; msg_siblings: { index: number; ids: string[] } }[] }).data) {
      expect(msg_siblings.ids).toHaveLength(100);
      expect(msg_siblings.ids[msg_siblings.index]).toBe(msg_id);
    }
  }, 60_000);

  it('of files, which the database writes, is bounded likewise', async () => {
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        client.post('/files', { file_repo: { library: ['docs'] }, file_name: `large-${n}.md` }).expect(201),
      ),
    );
    await api.sql(
      `UPDATE file SET file_metadata = file_metadata || jsonb_build_object('text', repeat('x', $2::integer)) WHERE tenant_id = $1`,
      [ours.tenant_id, LONG],
    );
    const { pages, largest, ids: seen } = await walk('/files?repo_type=docs&limit=1000', 'file_id');
    expect(largest).toBeLessThan(MOST);
    expect(pages.length).toBeGreaterThan(1);
    expect(new Set(seen)).toEqual(new Set(made.map(({ body }) => (body as { file_id: string }).file_id)));
  }, 60_000);
});
