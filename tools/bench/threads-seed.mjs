// Threads of a workspace: nine tenths of them its owner's; of somebody else's, half in a space whose members read them, and some shared
// with the owner or with the reader by name. Each has a question, and one more thread a long branch.
import { randomUUID } from 'node:crypto';
import { withoutIndexes } from './indexes.mjs';

/** Messages of the long branch. */
export const BRANCH = 1_000;
const AT_ONCE = 100_000;
const WORDS = "(ARRAY['harbour crane','quay wall','berth fees','pilot boat','tide table','lock gate','ferry line','buoy light'])";
/** One thread in so many says what is searched for. */
const RARE = 5_000;

const THREADS = `
  INSERT INTO thread (tenant_id, thread_id, thread_user, thread_space, thread_share_mode, thread_acl, thread_title, thread_created, thread_updated)
  SELECT $1, gen_random_uuid(), CASE WHEN n % 10 < 9 THEN $2::uuid ELSE $4::uuid END, CASE WHEN n % 20 = 9 THEN $5::uuid END,
         CASE WHEN n % 20 = 9 THEN 'space' ELSE 'private' END,
         CASE n % 1000 WHEN 19 THEN jsonb_build_object('users', jsonb_build_object($2::text, 'view')) WHEN 39 THEN jsonb_build_object('users', jsonb_build_object($3::text, 'edit')) ELSE '{}' END,
         'Thread ' || n, now() - n * interval '1 minute', now() - n * interval '1 minute'
  FROM generate_series($6::integer, $7::integer) n`;
const GRANTS = `
  INSERT INTO thread_grant (tenant_id, grant_kind, grant_to, thread_id, grant_level)
  SELECT t.tenant_id, 'user', g.key::uuid, t.thread_id, g.value FROM thread t CROSS JOIN LATERAL jsonb_each_text(t.thread_acl -> 'users') g WHERE t.tenant_id = $1 AND t.thread_acl <> '{}'`;
const QUESTIONS = `
  INSERT INTO message (tenant_id, msg_id, msg_thread, msg_role, msg_user, msg_text, msg_parts)
  SELECT $1, gen_random_uuid(), t.thread_id, 'user', t.thread_user, text, jsonb_build_array(jsonb_build_object('kind', 'text', 'text', text))
  FROM (SELECT *, row_number() OVER () AS n FROM thread WHERE tenant_id = $1) t
  CROSS JOIN LATERAL (SELECT CASE WHEN t.n % ${RARE} = 1 THEN ${WORDS}[1] ELSE ${WORDS}[2 + t.n % 7] || ' ' || md5(t.n::text) END AS text) w`;
/** Ids grow along the branch, as those of the service do. */
const idOf = (n) => `('01900000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const CHAIN = `
  INSERT INTO message (tenant_id, msg_id, msg_thread, msg_parent, msg_role, msg_user, msg_text, msg_parts)
  SELECT $1, ${idOf('n')}, $2, CASE WHEN n > 1 THEN ${idOf('n - 1')} END, CASE WHEN n % 2 = 1 THEN 'user' ELSE 'assistant' END, $3, text,
         jsonb_build_array(jsonb_build_object('kind', 'text', 'text', text))
  FROM generate_series(1, $4::integer) n
  CROSS JOIN LATERAL (SELECT 'Sentence ' || n || ' of the log of the quay: ' || repeat('the pilot boat goes out at six. ', 12) AS text) w`;

/** Fills workspaces with so many threads each, and leaves in each what requests need: the space, the other owner, the long thread. */
export async function seedThreads(owner, sizes) {
  const makeIndexes = await withoutIndexes(owner, ['thread', 'message']);
  for (const [world, count] of sizes) Object.assign(world, await seedWorkspace(owner, world, count));
  await makeIndexes();
  await owner.query('VACUUM ANALYZE');
}

async function seedWorkspace(owner, world, count) {
  const made = { other: randomUUID(), space: randomUUID(), long: randomUUID() };
  await seedSpace(owner, { ...world, ...made });
  const people = [world.ws_id, world.owner_user_id, world.reader_id, made.other, made.space];
  for (let from = 1; from <= count; from += AT_ONCE) await owner.query(THREADS, [...people, from, Math.min(from + AT_ONCE - 1, count)]);
  await owner.query(GRANTS, [world.ws_id]);
  await owner.query(QUESTIONS, [world.ws_id]);
  await seedBranch(owner, { ...world, ...made });
  return made;
}

/** A space of somebody else, which the owner reads. */
async function seedSpace(owner, { ws_id, owner_user_id, other, space }) {
  await owner.query("INSERT INTO workspace_user (tenant_id, user_id, user_kind, user_name) VALUES ($1, $2, 'service', 'Other')", [
    ws_id,
    other,
  ]);
  await owner.query("INSERT INTO space (tenant_id, space_id, space_name, space_user) VALUES ($1, $2, 'Harbour', $3)", [
    ws_id,
    space,
    other,
  ]);
  await owner.query(
    "INSERT INTO space_member (tenant_id, sm_space, sm_principal_type, sm_principal, sm_role) VALUES ($1, $2, 'user', $3, 'viewer'), ($1, $2, 'user', $4, 'owner')",
    [ws_id, space, owner_user_id, other],
  );
}

async function seedBranch(owner, { ws_id, owner_user_id, long }) {
  await owner.query('INSERT INTO thread (tenant_id, thread_id, thread_user) VALUES ($1, $2, $3)', [ws_id, long, owner_user_id]);
  await owner.query(CHAIN, [ws_id, long, owner_user_id, BRANCH]);
  await owner.query(`UPDATE thread SET thread_leaf = ${idOf(BRANCH)} WHERE tenant_id = $1 AND thread_id = $2`, [ws_id, long]);
}
