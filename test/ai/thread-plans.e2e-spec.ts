import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { nodesOf, rowsRead, sentDuring } from '../support/sent-statements';
import { branchOf, openThread, threadIds } from './talking';

const THREADS = 20_000;
const BRANCH = 600;
/** So many rows of a table a page of fifty may read: those of each branch of the list, and the rows that are shown. */
const FEW = 260;

let api: RunningApi;
let ours: TestWorkspace;
let space: string;
let long: string;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
  const { client, user_id } = ours.owner;
  const other = await ours.member('editor');
  space = ((await other.client.post('/spaces', { space_name: 'Harbour' }).expect(201)).body as { space_id: string }).space_id;
  await other.client.post(`/spaces/${space}/members`, { sm_principal_type: 'user', sm_principal: user_id, sm_role: 'viewer' }).expect(201);
  long = (await openThread(client)).thread_id;
  // Nine in ten are the owner's, none of them in the space; of the others half are in it.
  await api.sql(
    `INSERT INTO thread (tenant_id, thread_id, thread_user, thread_space, thread_share_mode, thread_title, thread_updated)
     SELECT $1, gen_random_uuid(), CASE WHEN n % 10 < 9 THEN $2::uuid ELSE $3::uuid END, CASE WHEN n % 20 = 9 THEN $4::uuid END, CASE WHEN n % 20 = 9 THEN 'space' ELSE 'private' END,
            CASE WHEN n % 4000 = 2 THEN 'Toner of the printer' ELSE 'Thread ' || n END, now() - n * interval '1 minute'
     FROM generate_series(1, $5::integer) n`,
    [ours.tenant_id, user_id, other.user_id, space, THREADS],
  );
  await api.sql(
    `INSERT INTO message (tenant_id, msg_id, msg_thread, msg_role, msg_text)
     SELECT $1, gen_random_uuid(), thread_id, 'user', CASE WHEN thread_title LIKE '%1234' THEN 'The toner is empty' ELSE 'Boats' END FROM thread WHERE tenant_id = $1 AND thread_title IS NOT NULL`,
    [ours.tenant_id],
  );
  await api.sql(
    `INSERT INTO message (tenant_id, msg_id, msg_thread, msg_parent, msg_role, msg_text)
     SELECT $1, lpad(to_hex(n), 32, '0')::uuid, $2, CASE WHEN n > 1 THEN lpad(to_hex(n - 1), 32, '0')::uuid END, 'user', 'Sentence ' || n FROM generate_series(1, $3::integer) n`,
    [ours.tenant_id, long, BRANCH],
  );
  await api.sql(`UPDATE thread SET thread_leaf = lpad(to_hex($2::integer), 32, '0')::uuid WHERE tenant_id = $1 AND thread_id = $3`, [
    ours.tenant_id,
    BRANCH,
    long,
  ]);
  await api.sql('VACUUM ANALYZE thread');
  await api.sql('VACUUM ANALYZE message');
}, 120_000);
afterAll(() => api.close());

/** Rows of the table that one page reads, by the statement that lists it. */
async function readFor(path: string, table: 'thread' | 'message'): Promise<number> {
  const sent = await sentDuring(api, () => ours.owner.client.get(path).expect(200));
  const lists = sent.filter(({ text }) => new RegExp(`FROM "${table}" r`).test(text));
  expect(lists).toHaveLength(1);
  let rows = 0;
  for (const statement of lists) rows += rowsRead(await nodesOf(api, ours.tenant_id, statement), table);
  return rows;
}

const behind = async (path: string): Promise<string> =>
  ((await ours.owner.client.get(path).expect(200)).body as { next_cursor: string }).next_cursor;

describe(`a page of fifty among ${THREADS} threads`, () => {
  it.each([
    ['the newest', ''],
    ['by title', '&sort=thread_title'],
    ['created last', '&sort=-thread_created'],
    ['of a space in which the caller has none', '&thread_space=:space'],
    ['of a space, created first', '&thread_space=:space&sort=thread_created'],
    ['of a space, by title', '&thread_space=:space&sort=thread_title'],
  ])('reads hardly more threads than it shows, and as many on a deep one: %s', async (_, query) => {
    const path = `/threads?limit=50${query.replace(':space', space)}`;
    expect(await readFor(path, 'thread')).toBeLessThan(FEW);
    expect(await readFor(`${path}&cursor=${await behind(`${path}&offset=800`)}`, 'thread')).toBeLessThan(FEW);
  });

  it('reads those alone that have the words, in their titles or in what was said', async () => {
    const path = '/threads?limit=50&full_text_search=toner';
    expect(await threadIds(ours.owner.client, '?limit=50&full_text_search=toner')).toHaveLength(7);
    expect(await readFor(path, 'thread')).toBeLessThan(FEW);
  });
});

describe(`a page of a branch of ${BRANCH} messages`, () => {
  const sentences = (from: number, count: number): string[] => Array.from({ length: count }, (_, at) => `Sentence ${from - at}`);

  it('that begins with the newest goes up no further than it shows, wherever it begins', async () => {
    const path = `/threads/${long}/messages?limit=50&sort=-msg_id`;
    expect(await readFor(path, 'message')).toBeLessThan(FEW);
    const cursor = await behind(`${path}&offset=400`);
    expect(await readFor(`${path}&cursor=${cursor}`, 'message')).toBeLessThan(FEW);
    expect(await branchOf(ours.owner.client, long, `?limit=50&sort=-msg_id&cursor=${cursor}`)).toEqual(sentences(BRANCH - 450, 50));
  });

  it('goes on to the first message, page by page, and says where the branch ends', async () => {
    const { client } = ours.owner;
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 9; pages++) {
      const { data, next_cursor } = (
        await client.get(`/threads/${long}/messages?limit=100&sort=-msg_id${cursor && `&cursor=${cursor}`}`).expect(200)
      ).body as { data: { msg_text: string }[]; next_cursor: string | null };
      seen.push(...data.map(({ msg_text }) => msg_text));
      cursor = next_cursor;
    }
    expect(seen).toEqual(sentences(BRANCH, BRANCH));
  });

  it('is looked through to its beginning where messages are chosen, and for a caller who passes over some', async () => {
    const { client } = ours.owner;
    expect(await branchOf(client, long, '?sort=-msg_id&limit=5&full_text_search=sentence+7')).toEqual(['Sentence 7']);
    expect(await branchOf(client, long, '?sort=-msg_id&limit=2&offset=500')).toEqual(sentences(BRANCH - 500, 2));
    await api.sql(`UPDATE message SET msg_role = 'assistant' WHERE tenant_id = $1 AND msg_text = 'Sentence 3'`, [ours.tenant_id]);
    expect(await branchOf(client, long, '?sort=-msg_id&limit=5&msg_role=assistant')).toEqual(['Sentence 3']);
    expect(await branchOf(client, long, '?limit=2')).toEqual(['Sentence 1', 'Sentence 2']);
  });

  it('of another workspace is not read by a cursor of its own', async () => {
    const theirs = await api.workspace();
    const { thread_id } = await openThread(theirs.owner.client);
    const cursor = await behind(`/threads/${long}/messages?limit=50&sort=-msg_id`);
    await theirs.owner.client.post(`/threads/${thread_id}/messages`, { msg_text: 'Ours', run_options: { run: false } }).expect(201);
    expect(await branchOf(theirs.owner.client, thread_id, `?sort=-msg_id&cursor=${cursor}`)).toEqual([]);
    await ours.owner.client.get(`/threads/${newId()}/messages?sort=-msg_id&cursor=${cursor}`).expect(404);
  });
});
