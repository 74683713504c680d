import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { nodesOf, rowsRead, sentDuring, type SentStatement } from '../support/sent-statements';
import { makeTarget } from './made-targets';
import { MODULES } from './posting';

/** One a minute from the first of January 2027 on, every third without a time and every thousandth in the past. */
const POSTS = 100_000;

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace(MODULES);
  const tgt_id = await makeTarget(api, ours.tenant_id);
  await api.sql(
    `INSERT INTO social_post (tenant_id, sp_id, sp_title, sp_text, sp_targets, sp_state, sp_schedule_at, sp_timezone, sp_created, sp_updated, sp_created_by)
     SELECT $1, md5('post' || n)::uuid, 'Post ' || n, 'Text', ARRAY[$2::uuid], CASE WHEN n % 3 = 0 THEN 'draft' ELSE 'scheduled' END,
       CASE WHEN n % 3 = 0 THEN NULL ELSE timestamptz '2027-01-01' + n * interval '1 minute' END, 'UTC',
       timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second', $3 FROM generate_series(1, ${POSTS}) n`,
    [ours.tenant_id, tgt_id, ours.owner.user_id],
  );
  await api.sql(
    `INSERT INTO social_variant (tenant_id, spv_id, spv_post, spv_target, spv_platform)
     SELECT $1, md5('variant' || n)::uuid, md5('post' || n)::uuid, $2, 'linkedin' FROM generate_series(1, ${POSTS}) n`,
    [ours.tenant_id, tgt_id],
  );
  await api.sql('ANALYZE social_post, social_variant');
}, 180_000);
afterAll(() => api.close());

const statementsOf = async (path: string): Promise<readonly SentStatement[]> =>
  (await sentDuring(api, () => ours.owner.client.get(path).expect(200))).filter(({ text }) => /FROM\s+social_/.test(text));

const expectReads = async (path: string, most: number): Promise<number> => {
  const sent = await statementsOf(path);
  for (const statement of sent) {
    const nodes = await nodesOf(api, ours.tenant_id, statement);
    for (const table of ['social_post', 'social_variant'])
      expect([path, table, rowsRead(nodes, table) <= most]).toEqual([path, table, true]);
  }
  return sent.length;
};

it('a list reads its page alone, the thousandth like the first, by as many statements', async () => {
  for (const sort of ['-sp_created', 'sp_created', 'sp_schedule_at', '-sp_updated']) {
    const first = await expectReads(`/social-posts?limit=20&sort=${sort}`, 200);
    let cursor = '';
    const { body } = await ours.owner.client.get(`/social-posts?limit=200&sort=${sort}`).expect(200);
    cursor = body.next_cursor as string;
    expect(await expectReads(`/social-posts?limit=20&sort=${sort}&cursor=${encodeURIComponent(cursor)}`, 200)).toBe(first);
  }
}, 120_000);

it('the calendar reads the posts of its period alone, by three statements', async () => {
  const period = 'from=2027-02-01T00:00:00Z&to=2027-02-02T00:00:00Z';
  // A thousand of the posts of the day have a time.
  expect(await expectReads(`/social-calendar?${period}`, 1_500)).toBeLessThanOrEqual(3);
}, 120_000);

it('due posts are found by an index of posts that are scheduled, however many are to come', async () => {
  const plan = async () => {
    const [row] = await api.sql<{ 'QUERY PLAN': readonly { readonly Plan: object }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) SELECT p.tenant_id, p.sp_id FROM social_post p WHERE p.sp_state = 'scheduled' AND p.sp_schedule_at <= now() ORDER BY p.sp_schedule_at, p.sp_id LIMIT 500`,
    );
    return JSON.stringify(row?.['QUERY PLAN']);
  };
  expect(await plan()).toContain('"social_post_due"');
  await api.sql(`UPDATE social_post SET sp_schedule_at = now() - interval '1 minute' WHERE sp_id = md5('post1')::uuid`);
  expect(await api.sql('SELECT sp_id FROM social_posts_due(500)')).toHaveLength(1);
  expect(await plan()).not.toContain('Seq Scan');
}, 120_000);
