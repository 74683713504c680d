// Threads of a workspace: nine tenths of them its owner's, the rest in a space or shared with the owner by name; each with a
// question and its answer, and one with a long branch.
import { randomUUID } from 'node:crypto';

/** Messages of the long branch. */
export const BRANCH = 1_000;
const CHUNK = 100_000;
const WORDS = "(ARRAY['harbour crane','quay wall','berth fees','pilot boat','tide table','lock gate','ferry line','buoy light'])";

const THREADS = `
  INSERT INTO thread (tenant_id, thread_id, thread_user, thread_space, thread_share_mode, thread_acl, thread_title, thread_created, thread_updated)
  SELECT $1, gen_random_uuid(), CASE WHEN n % 10 < 9 THEN $2::uuid ELSE $3::uuid END, CASE WHEN n % 20 = 9 THEN $4::uuid END,
         CASE WHEN n % 20 = 9 THEN 'space' ELSE 'private' END,
         CASE WHEN n % 1000 = 19 THEN jsonb_build_object('users', jsonb_build_object($2::text, 'view')) ELSE '{}' END,
         'Thread ' || n, now() - n * interval '1 minute', now() - n * interval '1 minute'
  FROM generate_series($5::integer, $6::integer) n`;
const GRANTS = `
  INSERT INTO thread_grant (tenant_id, grant_kind, grant_to, thread_id, grant_level)
  SELECT tenant_id, 'user', $2, thread_id, 'view' FROM thread WHERE tenant_id = $1 AND thread_acl <> '{}'`;
const QUESTIONS = `
  INSERT INTO message (tenant_id, msg_id, msg_thread, msg_role, msg_user, msg_text, msg_parts)
  SELECT $1, gen_random_uuid(), t.thread_id, 'user', t.thread_user, text, jsonb_build_array(jsonb_build_object('kind', 'text', 'text', text))
  FROM (SELECT *, row_number() OVER () AS n FROM thread WHERE tenant_id = $1) t
  CROSS JOIN LATERAL (SELECT CASE WHEN t.n % 5000 = 1 THEN ${WORDS}[1] ELSE ${WORDS}[2 + t.n % 7] || ' ' || md5(t.n::text) END AS text) w`;
const CHAIN = `
  INSERT INTO message (tenant_id, msg_id, msg_thread, msg_parent, msg_role, msg_user, msg_text, msg_parts)
  SELECT $1, id(n), $2, CASE WHEN n > 1 THEN id(n - 1) END, CASE WHEN n % 2 = 1 THEN 'user' ELSE 'assistant' END, $3, text,
         jsonb_build_array(jsonb_build_object('kind', 'text', 'text', text))
  FROM generate_series(1, $4::integer) n
  CROSS JOIN LATERAL (SELECT 'Sentence ' || n || ' of the log of the harbour: ' || repeat('the pilot boat goes out at six. ', 12) AS text) w`;

/** Answers the thread with the long branch. */
export async function seedThreads(owner, { ws_id, owner_user_id }, count) {
  const [other, space, long] = [randomUUID(), randomUUID(), randomUUID()];
  await owner.query(`INSERT INTO workspace_user (tenant_id, user_id, user_kind, user_name) VALUES ($1, $2, 'service', 'Other')`, [
    ws_id,
    other,
  ]);
  await owner.query(`INSERT INTO space (tenant_id, space_id, space_name, space_user) VALUES ($1, $2, 'Harbour', $3)`, [
    ws_id,
    space,
    other,
  ]);
  await owner.query(
    `INSERT INTO space_member (tenant_id, sm_space, sm_principal_type, sm_principal, sm_role) VALUES ($1, $2, 'user', $3, 'viewer'), ($1, $2, 'user', $4, 'owner')`,
    [ws_id, space, owner_user_id, other],
  );
  for (let from = 1; from <= count; from += CHUNK)
    await owner.query(THREADS, [ws_id, owner_user_id, other, space, from, Math.min(from + CHUNK - 1, count)]);
  await owner.query(GRANTS, [ws_id, owner_user_id]);
  await owner.query(QUESTIONS, [ws_id]);
  await seedBranch(owner, { ws_id, owner_user_id, long });
  return { long };
}

/** Ids grow along the branch, as those of the service do. */
async function seedBranch(owner, { ws_id, owner_user_id, long }) {
  await owner.query('INSERT INTO thread (tenant_id, thread_id, thread_user) VALUES ($1, $2, $3)', [ws_id, long, owner_user_id]);
  const id = (n) => `('01900000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  await owner.query(
    CHAIN.replaceAll(/\bid\((n(?: - 1)?)\)/g, (_, n) => id(n)),
    [ws_id, long, owner_user_id, BRANCH],
  );
  await owner.query(
    'UPDATE thread SET thread_leaf = (SELECT max(msg_id::text)::uuid FROM message WHERE tenant_id = $1 AND msg_thread = $2) WHERE tenant_id = $1 AND thread_id = $2',
    [ws_id, long],
  );
}
