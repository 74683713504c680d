import { DEFINER_FUNCTIONS } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { addText, makeBase } from '../knowledge/bases';
import { makeObject, makeSchema } from '../objects/objects';
import { startAtrium } from '../support/api';
import { ask } from './asking';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace(['module-objects']);
  theirs = await api.workspace(['module-objects']);
  for (const [at, { owner, tenant_id }] of [ours, theirs].entries()) {
    await api.sql(
      `WITH s AS (INSERT INTO passage_source (tenant_id, source_kind, source_id, source_wanted) VALUES ($1, 'test', gen_random_uuid(), '1') RETURNING *),
            c AS (INSERT INTO passage_scope SELECT tenant_id, source_kind, source_id, 'docs' FROM s)
       INSERT INTO passage (tenant_id, passage_id, source_kind, source_id, psg_ordinal, psg_text, psg_char_start, psg_char_end, psg_tokens, psg_hash, psg_tsv, psg_length)
       SELECT s.tenant_id, gen_random_uuid(), s.source_kind, s.source_id, n, 'Harbour', 0, 7, 1, 'h', '''harbour'':1', 1 FROM s, generate_series(0, $2::integer) n`,
      [tenant_id, at],
    );
    const { album_id } = (await owner.client.post('/albums', { album_name: 'Harbour at dusk' }).expect(201)).body as { album_id: string };
    await owner.client.post('/albums', { album_name: 'Boats', album_parent: album_id }).expect(201);
    await api.sql(
      `INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_principal, log_method, log_url, log_status, log_duration_ms, log_request_id) VALUES ($1, gen_random_uuid(), now(), 'person', 'GET', '/searched', 200, 1, 'r')`,
      [tenant_id],
    );
    await api.sql(
      `WITH b AS (INSERT INTO file_blob (tenant_id, blob_id, blob_size, blob_type, blob_key, blob_system) VALUES ($1, gen_random_uuid(), 1, 'image/jpeg', 'k', '{"views": "0123456789abcdef0123456789abcdef"}') RETURNING blob_id)
       INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_size, file_provider_id, file_bucket, file_folder, file_current_version, file_blob, file_metadata)
       SELECT $1, gen_random_uuid(), '{"media": true}', 'media', 'harbour.jpg', 'image/jpeg', 1, gen_random_uuid(), 'b', 'f', gen_random_uuid(), blob_id, '{"client": "ACME", "system": {"colors": [{"hex": "#ff0000", "share": 1}], "embedded": {"city": "Arezzo"}}}' FROM b`,
      [tenant_id],
    );
    await api.sql(
      `WITH g AS (INSERT INTO media_tag_group (tenant_id, mtg_id, mtg_name) VALUES ($1, gen_random_uuid(), 'Place') RETURNING mtg_id)
       INSERT INTO media_tag (tenant_id, mt_id, mt_group, mt_value) SELECT $1, gen_random_uuid(), mtg_id, 'Harbour' FROM g`,
      [tenant_id],
    );
    await api.sql(
      `INSERT INTO file_analysis (tenant_id, fa_id, fa_file, fa_version, fa_schema, fa_schema_version, fa_status, fa_live, fa_result)
       SELECT tenant_id, gen_random_uuid(), file_id, 1, $2, 1, 'completed', true, '{"place": "harbour"}' FROM file WHERE tenant_id = $1 AND file_name = 'harbour.jpg'`,
      [tenant_id, ANALYSED_AS],
    );
    await api.sql(
      `INSERT INTO publication (tenant_id, pub_id, pub_file, pub_state, pub_version, pub_distribution, pub_file_name, pub_file_version, pub_repo_type)
       SELECT tenant_id, gen_random_uuid(), file_id, 'draft', 1, 'worldwide', file_name, 1, 'media' FROM file WHERE tenant_id = $1 AND file_name = 'harbour.jpg'`,
      [tenant_id],
    );
    const { thread_id } = (await owner.client.post('/threads', { thread_id: newId(), thread_title: 'Harbour' }).expect(201)).body as {
      thread_id: string;
    };
    await owner.client.post(`/threads/${thread_id}/messages`, { msg_text: 'The harbour at dusk', run_options: { run: false } }).expect(201);
    await addText(owner.client, (await makeBase(owner.client)).ds_id, 'Harbour', 'Boats.');
    await makeObject(owner.client, (await makeSchema(owner.client)).form_id, { name: 'Harbour' });
    await owner.client.post('/agents', { agent_name: 'Harbour desk' }).expect(201);
    await owner.client.post('/prompts', { prompt_name: 'Arrival', prompt_text: 'Who enters the harbour?' }).expect(201);
    await owner.client.post('/sites', { site_name: 'Harbour' }).expect(201);
    await api.sql(
      `WITH s AS (
         INSERT INTO page_snapshot (tenant_id, snap_id, snap_site, snap_node, snap_locale, snap_hash, snap_doc, snap_created)
         SELECT tenant_id, gen_random_uuid(), site_id, gen_random_uuid(), 'en', 'h', '{}', now() FROM site WHERE tenant_id = $1 RETURNING *)
       INSERT INTO page_publication (tenant_id, np_id, np_site, np_node, np_locale, np_kind, np_lineage, np_order, np_slug, np_path, np_path_hash, np_name, np_tags, np_snapshot, np_hash, np_from_seq,
         np_published, np_first_published)
       SELECT tenant_id, gen_random_uuid(), snap_site, snap_node, 'en', 'page', replace(snap_node::text, '-', ''), 'a', 'harbour', '/harbour', 'p', 'Harbour', '{harbour}', snap_id, 'h', 1, now(), now() FROM s`,
      [tenant_id],
    );
    await api.sql(`INSERT INTO person (tenant_id, person_id, person_name) VALUES ($1, gen_random_uuid(), 'Ada Lovelace')`, [tenant_id]);
    await api.sql(
      `INSERT INTO share_link (tenant_id, share_id, share_name, share_type, share_file_ids, share_created_by, share_token_hash, share_token_enc)
       SELECT $1, gen_random_uuid(), 'Harbour', 'files', ARRAY[file_id], gen_random_uuid(), gen_random_uuid()::text, '' FROM file WHERE tenant_id = $1`,
      [tenant_id],
    );
  }
});
afterAll(() => api.close());

/** The schema of the analyses made above; the same id in both workspaces. */
const ANALYSED_AS = newId();

/** One call of each function that searches within a workspace; it finds something in a workspace that has it. */
const SEARCHES: Record<string, string> = {
  albums_matching: `SELECT * FROM albums_matching('harbour')`,
  albums_below: `SELECT b.* FROM album a CROSS JOIN LATERAL albums_below(a.album_id::text) b`,
  media_tags_matching: `SELECT * FROM media_tags_matching('harb', true)`,
  people_matching: `SELECT * FROM people_matching('ada', true)`,
  audit_search: `SELECT * FROM audit_search('%/searched%', NULL, NULL, NULL, '-infinity', 'infinity')`,
  publications_matching: `SELECT * FROM publications_matching('HARBOUR.j', 10)`,
  share_links_naming: `SELECT l.* FROM file f CROSS JOIN LATERAL share_links_naming(f.file_id::text) l`,
  users_search: `SELECT * FROM users_search('any', '{%owner%}', '{}')`,
  files_like: `SELECT * FROM files_like('name', '%harbour%', 10)`,
  files_with_words: `SELECT * FROM files_with_words('harbour', 10)`,
  files_with_metadata: `SELECT * FROM files_with_metadata('{"client": "ACME"}', 10)`,
  files_saying: `SELECT * FROM files_saying('city', 'arezzo', '%arezzo%', 10)`,
  files_colored: `SELECT * FROM files_colored(color_lab('#ff0000'), 5, 10)`,
  files_analysed_as: `SELECT * FROM files_analysed_as('${ANALYSED_AS}', '{"place": "harbour"}')`,
  pictures_like: `SELECT * FROM pictures_like('0123456789abcdef0123456789abcdef', false, 14, 10)`,
  search_passages_words: `SELECT * FROM search_passages_words('{harbour}')`,
  search_passages_text: `SELECT * FROM search_passages_text('''harbour''', '{harbour}', '{1}', '{}', false, '{docs}', NULL, 1)`,
  search_records: `SELECT s.* FROM knowledge_base b CROSS JOIN LATERAL search_records(b.ds_id::text, 'harbour') s`,
  search_objects: `SELECT * FROM search_objects('harbour')`,
  search_live_pages: `SELECT s.* FROM site t CROSS JOIN LATERAL search_live_pages(t.site_id::text, 'en', '{harbour}') s`,
  search_threads_text: `SELECT * FROM search_threads_text('harbour')`,
  search_messages_text: `SELECT * FROM search_messages_text('harbour')`,
  search_agents: `SELECT * FROM search_agents('harbour')`,
  search_prompts: `SELECT * FROM search_prompts('harbour')`,
  files_named_like: `SELECT * FROM files_named_like('harbour', 'media', 10)`,
};

const NOBODY = `'${newId()}'::uuid`;

/** One call of each function that works across workspaces, for something that does not exist. */
const CALLS: Record<string, { readonly call: string; readonly answers: object[] }> = {
  auth_enter: { call: `SELECT auth_enter(${NOBODY}, ${NOBODY}) AS stamp`, answers: [{ stamp: null }] },
  auth_facts: { call: `SELECT auth_facts(${NOBODY}, ${NOBODY}) AS facts`, answers: [{ facts: null }] },
  auth_find_key: { call: `SELECT * FROM auth_find_key('000000000000')`, answers: [] },
  auth_find_leaked: { call: `SELECT * FROM auth_find_leaked('{000000000000}', '{x}')`, answers: [] },
  auth_find_account: { call: `SELECT * FROM auth_find_account('nobody@example.com')`, answers: [] },
  auth_find_session: { call: `SELECT * FROM auth_find_session(${NOBODY})`, answers: [] },
  auth_memberships: { call: `SELECT * FROM auth_memberships(${NOBODY})`, answers: [] },
  auth_rotate_refresh: {
    call: `SELECT auth_rotate_refresh('none', 'other', NULL, NULL) AS outcome`,
    answers: [{ outcome: { outcome: 'unknown' } }],
  },
  auth_settle_refresh: { call: `SELECT coalesce(auth_settle_refresh('none')::text, '') AS done`, answers: [{ done: '' }] },
  auth_end_session: { call: `SELECT coalesce(auth_end_session(${NOBODY})::text, '') AS done`, answers: [{ done: '' }] },
  auth_end_session_of_token: { call: `SELECT coalesce(auth_end_session_of_token('none')::text, '') AS done`, answers: [{ done: '' }] },
  auth_touch: {
    call: `SELECT coalesce(auth_touch(${NOBODY}, ${NOBODY}, ${NOBODY}, ${NOBODY}, NULL)::text, '') AS done`,
    answers: [{ done: '' }],
  },
  auth_account: { call: `SELECT * FROM auth_account(${NOBODY})`, answers: [] },
  auth_account_rules: {
    call: `SELECT auth_account_rules(${NOBODY}) AS rules`,
    answers: [{ rules: { require_mfa: false, email_domains: [] } }],
  },
  auth_refresh_session: { call: `SELECT auth_refresh_session('none') AS session`, answers: [{ session: null }] },
  auth_replayed_refresh: { call: `SELECT * FROM auth_replayed_refresh('none')`, answers: [] },
  auth_end_session_of: { call: `SELECT auth_end_session_of(${NOBODY}, ${NOBODY}) AS ended`, answers: [{ ended: false }] },
  auth_end_sessions: { call: `SELECT auth_end_sessions(${NOBODY}, NULL) AS ended`, answers: [{ ended: 0 }] },
  auth_sessions: { call: `SELECT * FROM auth_sessions(${NOBODY}, NULL, NULL, 10)`, answers: [] },
  auth_rehash_password: { call: `SELECT coalesce(auth_rehash_password(${NOBODY}, 'a', 'b')::text, '') AS done`, answers: [{ done: '' }] },
  auth_set_password: { call: `SELECT auth_set_password(${NOBODY}, NULL, 'b', NULL, true) AS done`, answers: [{ done: false }] },
  auth_vouch_password: { call: `SELECT auth_vouch_password(${NOBODY}, 'b') AS done`, answers: [{ done: false }] },
  auth_find_token: { call: `SELECT * FROM auth_find_token('none', 'reset')`, answers: [] },
  auth_reset_password: { call: `SELECT auth_reset_password('none', 'hash') AS person`, answers: [{ person: null }] },
  auth_confirm_email: { call: `SELECT auth_confirm_email('none', 'undo', 60) AS change`, answers: [{ change: null }] },
  auth_undo_email: { call: `SELECT auth_undo_email('none', 'hash') AS change`, answers: [{ change: null }] },
  auth_spend_code: { call: `SELECT auth_spend_code(${NOBODY}, 1, NULL) AS good`, answers: [{ good: false }] },
  auth_finish_mfa: { call: `SELECT auth_finish_mfa('none', 1, NULL) AS good`, answers: [{ good: false }] },
  auth_mfa_begin: { call: `SELECT auth_mfa_begin(${NOBODY}, 'sealed', 600) AS done`, answers: [{ done: false }] },
  auth_mfa_enable: { call: `SELECT auth_mfa_enable(${NOBODY}, 'sealed', '{}') AS done`, answers: [{ done: false }] },
  auth_mfa_recovery: { call: `SELECT auth_mfa_recovery(${NOBODY}, '{}') AS done`, answers: [{ done: false }] },
  auth_mfa_off: { call: `SELECT auth_mfa_off(${NOBODY}) AS done`, answers: [{ done: false }] },
  auth_throttle_get: { call: `SELECT * FROM auth_throttle_get('{none}')`, answers: [] },
  auth_throttle_add: { call: `SELECT points_so_far FROM auth_throttle_add('test', 1, 1, true)`, answers: [{ points_so_far: 1 }] },
  auth_throttle_drop: { call: `SELECT auth_throttle_drop('{none}') AS gone`, answers: [{ gone: 0 }] },
  people_find_invitation: { call: `SELECT * FROM people_find_invitation('none')`, answers: [] },
  people_claim: { call: `SELECT people_claim(gen_random_uuid(), 'hash', true) AS done`, answers: [{ done: false }] },
  people_proved: { call: `SELECT coalesce(people_proved(${NOBODY})::text, '') AS done`, answers: [{ done: '' }] },
  people_sign_out: { call: `SELECT people_sign_out(${NOBODY}) AS ended`, answers: [{ ended: 0 }] },
  people_account: { call: `SELECT people_account(${NOBODY}, 'somebody@example.com') IS NOT NULL AS made`, answers: [{ made: true }] },
  share_by_token: { call: `SELECT * FROM share_by_token('none')`, answers: [] },
  share_by_kiosk: { call: `SELECT * FROM share_by_kiosk(${NOBODY})`, answers: [] },
  crawls_due: { call: `SELECT * FROM crawls_due(10)`, answers: [] },
  form_next_unfolded: { call: `SELECT * FROM form_next_unfolded(NULL, NULL)`, answers: [] },
  object_sources_due: { call: `SELECT * FROM object_sources_due(10)`, answers: [] },
  publish_schedules_due: { call: `SELECT * FROM publish_schedules_due(10)`, answers: [] },
  site_by_key: { call: `SELECT * FROM site_by_key('wsk_nothing')`, answers: [] },
  cms_by_hook: { call: `SELECT * FROM cms_by_hook('nothing')`, answers: [] },
  cms_sites_due: { call: `SELECT * FROM cms_sites_due(10)`, answers: [] },
  social_api_version_in_use: { call: `SELECT * FROM social_api_version_in_use('none')`, answers: [] },
  social_api_version_found: { call: `SELECT social_api_version_found('test', '202607', '202606') AS kept`, answers: [{ kept: true }] },
  social_posts_due: { call: `SELECT * FROM social_posts_due(10)`, answers: [] },
  social_posts_removed: { call: `SELECT * FROM social_posts_removed(10)`, answers: [] },
  social_connections_due: { call: `SELECT * FROM social_connections_due(10)`, answers: [] },
  social_metrics_due: { call: `SELECT * FROM social_metrics_due(10)`, answers: [] },
  ai_overdue_runs: { call: `SELECT * FROM ai_overdue_runs(10)`, answers: [] },
  files_due: { call: `SELECT * FROM files_due(10)`, answers: [] },
  lost_work: { call: `SELECT * FROM lost_work(10)`, answers: [] },
  unfinished_work_in: { call: `SELECT tenant_id FROM unfinished_work_in(NULL, 10) WHERE has_work`, answers: [] },
  file_tallies_roll: { call: `SELECT file_tallies_roll(0) AS moved`, answers: [{ moved: 0 }] },
  usage_roll: { call: `SELECT usage_roll(10) AS moved`, answers: [{ moved: 0 }] },
  storage_roll: { call: `SELECT storage_roll(0) AS moved`, answers: [{ moved: 0 }] },
  usage_rebuild: { call: `SELECT usage_rebuild(${NOBODY}, now() - interval '3 days', now()) AS cells`, answers: [{ cells: 0 }] },
  usage_sources_prune: { call: `SELECT usage_sources_prune(10) AS gone`, answers: [{ gone: 0 }] },
  usage_unreported_in: { call: `SELECT * FROM usage_unreported_in(NULL, 10)`, answers: [] },
  usage_untold_in: { call: `SELECT * FROM usage_untold_in(NULL, 10)`, answers: [] },
  usage_entries_purge: { call: `SELECT usage_entries_purge(now(), 10) AS gone`, answers: [{ gone: 0 }] },
  costs_visible: { call: `SELECT * FROM costs_visible()`, answers: [] },
  costs_of_platform: { call: `SELECT * FROM costs_of_platform() WHERE cost_param = 'test.nowhere'`, answers: [] },
  cost_set: {
    call: `SELECT cost_set(NULL, '{"cost_param": "test.nothing", "cost_id": "00000000-0000-7000-8000-000000000001", "cost_credits_per_unit": 1}') AS made`,
    answers: [{ made: '00000000-0000-7000-8000-000000000001' }],
  },
  budget_enter: { call: `SELECT coalesce(budget_enter('{}')::text, '') AS done`, answers: [{ done: '' }] },
  budget_start: { call: `SELECT coalesce(budget_start(${NOBODY}, true, '{}')::text, '') AS done`, answers: [{ done: '' }] },
  credit_reserve: { call: `SELECT credit_reserve('{"hold_credits": 1}', '{}') AS hold`, answers: [{ hold: null }] },
  credit_extend: { call: `SELECT credit_extend(${NOBODY}) AS kept`, answers: [{ kept: false }] },
  credit_release: { call: `SELECT coalesce(credit_release(${NOBODY})::text, '') AS done`, answers: [{ done: '' }] },
  usage_charge: { call: `SELECT usage_charge('[{"source": "nothing"}]', '{}') AS written`, answers: [{ written: 0 }] },
  usage_reverse: { call: `SELECT usage_reverse(${NOBODY}, ${NOBODY}, NULL, '{}') AS outcome`, answers: [{ outcome: 'unknown' }] },
  credit_give: { call: `SELECT credit_give('{"grant_credits": 1}', '{}') AS given`, answers: [{ given: null }] },
  credit_correct: { call: `SELECT coalesce(credit_correct(1, NULL, '{}')::text, '') AS done`, answers: [{ done: '' }] },
  credit_configure: { call: `SELECT credit_configure(NULL, 30, '{}') AS was`, answers: [{ was: null }] },
  credit_tick: { call: `SELECT coalesce(credit_tick('{}')::text, '') AS done`, answers: [{ done: '' }] },
  credit_balances: { call: `SELECT * FROM credit_balances(ARRAY[${NOBODY}])`, answers: [] },
  credits_due: { call: `SELECT * FROM credits_due('ffffffff-ffff-ffff-ffff-ffffffffffff', 10)`, answers: [] },
  outbox_claim: { call: `SELECT * FROM outbox_claim('{}', 0, 1)`, answers: [] },
  outbox_claim_events: { call: `SELECT * FROM outbox_claim_events(0, 1)`, answers: [] },
  outbox_waiting: { call: `SELECT * FROM outbox_waiting() WHERE queue = 'nobody.nothing'`, answers: [] },
  outbox_due: { call: `SELECT * FROM outbox_due('{nobody.nothing}')`, answers: [] },
  'outbox_admit(text[],integer[],integer[],double precision)': {
    call: `SELECT * FROM outbox_admit('{nobody.nothing}', '{10}', '{10}', 1)`,
    answers: [],
  },
  'outbox_admit(text[],integer[],double precision)': { call: `SELECT * FROM outbox_admit('{nobody.nothing}', '{10}', 1)`, answers: [] },
  outbox_hold: { call: `SELECT outbox_hold(${NOBODY}) AS hold`, answers: [{ hold: null }] },
  outbox_take: { call: `SELECT coalesce(outbox_take('{}', '{}')::text, '') AS done`, answers: [{ done: '' }] },
  outbox_pause: { call: `SELECT coalesce(outbox_pause(${NOBODY}, 1, 1)::text, '') AS done`, answers: [{ done: '' }] },
  outbox_strike: { call: `SELECT outbox_strike(${NOBODY}, ${NOBODY}) AS strikes`, answers: [{ strikes: null }] },
  request_strike: { call: `SELECT request_strike('nobody', 'GET /nowhere') AS strikes`, answers: [{ strikes: 1 }] },
  requests_struck: { call: `SELECT * FROM requests_struck(1000)`, answers: [] },
  outbox_workers: { call: `SELECT outbox_workers(${NOBODY}, 0) AS workers`, answers: [{ workers: 0 }] },
  outbox_release: { call: `SELECT coalesce(outbox_release('{}', '{}')::text, '') AS done`, answers: [{ done: '' }] },
  outbox_still_open: { call: `SELECT * FROM outbox_still_open(ARRAY[${NOBODY}], ARRAY[${NOBODY}])`, answers: [] },
  outbox_forget_turns: { call: `SELECT outbox_forget_turns(0) AS gone`, answers: [{ gone: 0 }] },
  outbox_overdue: { call: `SELECT * FROM outbox_overdue('{}', 10, 1)`, answers: [] },
  outbox_sent: { call: `SELECT coalesce(outbox_sent('{}', '{}')::text, '') AS done`, answers: [{ done: '' }] },
  outbox_fan_out: { call: `SELECT coalesce(outbox_fan_out('{}', '{}', '{}', '{}')::text, '') AS done`, answers: [{ done: '' }] },
  outbox_park: { call: `SELECT outbox_park(${NOBODY}) AS parked`, answers: [{ parked: false }] },
  outbox_postpone: { call: `SELECT coalesce(outbox_postpone(${NOBODY}, 'storage', 1)::text, '') AS done`, answers: [{ done: '' }] },
  outbox_outages: { call: `SELECT part FROM outbox_outages() WHERE part = 'nobody'`, answers: [] },
  outbox_unpark: { call: `SELECT outbox_unpark()::int AS woken`, answers: [{ woken: 0 }] },
  ws_find_external: { call: `SELECT ws_find_external('nowhere') AS found`, answers: [{ found: null }] },
  ws_page: { call: `SELECT ws_id FROM ws_page('{"ws_slug": "nowhere"}', NULL, NULL, 10)`, answers: [] },
  ws_user_counts: { call: `SELECT * FROM ws_user_counts(ARRAY[${NOBODY}])`, answers: [] },
  file_counts: { call: `SELECT * FROM file_counts(ARRAY[${NOBODY}])`, answers: [] },
  ws_purge_begin: { call: `SELECT ws_purge_begin(${NOBODY}) AS begun`, answers: [{ begun: false }] },
  ws_purge_note: { call: `SELECT coalesce(ws_purge_note(${NOBODY}, 'files', 1, 1)::text, '') AS done`, answers: [{ done: '' }] },
  ws_tombstone: { call: `SELECT * FROM ws_tombstone(${NOBODY})`, answers: [] },
  outbox_depths: { call: `SELECT queue FROM outbox_depths() WHERE queue = 'nobody.nothing'`, answers: [] },
  auth_sweep: { call: `SELECT auth_sweep(now()) AS due`, answers: [{ due: { overdue: [], buried: [] } }] },
  operator_called: {
    call: `SELECT coalesce(operator_called('{"op_id": "0190163d-8694-739b-aea5-966c26f8ad91", "op_at": "2026-01-01", "op_actor": "operator:test", "op_method": "GET", "op_path": "/", "op_status": 200, "op_request_id": "test"}')::text, '') AS done`,
    answers: [{ done: '' }],
  },
  outbox_prune: { call: `SELECT outbox_prune(1e9, 10)::int AS gone`, answers: [{ gone: 0 }] },
  access_log_append: { call: `SELECT coalesce(access_log_append('[]')::text, '') AS done`, answers: [{ done: '' }] },
  access_log_write: { call: `SELECT coalesce(access_log_write('{}')::text, '') AS done`, answers: [{ done: '' }] },
  partitions_prepare: { call: `SELECT * FROM partitions_prepare('nothing', 365)`, answers: [{ made: 0, dropped: 0 }] },
  partitions_overview: { call: `SELECT part_table FROM partitions_overview() WHERE part_default_rows > 0`, answers: [] },
  audit_unsealed: { call: `SELECT * FROM audit_unsealed('ffffffff-ffff-ffff-ffff-ffffffffffff', 10)`, answers: [] },
  audit_seal_add: { call: `SELECT audit_seal_add('{"seal_seq": 2}', '{}') AS added`, answers: [{ added: false }] },
  audit_purge: { call: `SELECT audit_purge(${NOBODY}, now(), 10) AS removed`, answers: [{ removed: 0 }] },
  access_log_purge: { call: `SELECT access_log_purge(now(), 10) AS gone`, answers: [{ gone: 0 }] },
  outbox_events_purge: { call: `SELECT outbox_events_purge(now(), 10) AS gone`, answers: [{ gone: 0 }] },
  background_jobs_purge: { call: `SELECT background_jobs_purge(now(), 10) AS gone`, answers: [{ gone: 0 }] },
  retention_due: { call: `SELECT * FROM retention_due('{trash}', now(), 'ffffffff-ffff-ffff-ffff-ffffffffffff', 10)`, answers: [] },
  retention_longest: { call: `SELECT retention_longest('test.nothing', 7) AS days`, answers: [{ days: 7 }] },
  privacy_archives_due: { call: `SELECT * FROM privacy_archives_due(10)`, answers: [] },
  access_log_forget: { call: `SELECT access_log_forget(${NOBODY}, 'nobody@example.com', NULL, 10) AS changed`, answers: [{ changed: 0 }] },
  access_log_scrub: { call: `SELECT access_log_scrub(1) > 0 AS looked`, answers: [{ looked: true }] },
  outbox_forget: { call: `SELECT * FROM outbox_forget('nobody@example.com', NULL, NULL, 10)`, answers: [{ changed: 0, last: null }] },
  audit_redact: { call: `SELECT audit_redact(${NOBODY}, 'none', '[]', NULL, NULL, NULL) AS written`, answers: [{ written: false }] },
  auth_person: { call: `SELECT auth_person(${NOBODY}) AS records`, answers: [{ records: null }] },
  auth_forget_person: { call: `SELECT auth_forget_person(${NOBODY}) AS erased`, answers: [{ erased: false }] },
  seal_keys: { call: `SELECT * FROM seal_keys()`, answers: [] },
  seal_key_add: { call: `SELECT seal_key_add(${NOBODY}, 'a', 'b', ${NOBODY}) AS added`, answers: [{ added: false }] },
  schedule_claim: { call: `SELECT claimed FROM schedule_claim('test.nothing', ${NOBODY}, 0)`, answers: [{ claimed: true }] },
  schedule_extend: { call: `SELECT schedule_extend('test.nowhere', ${NOBODY}, 0) AS kept`, answers: [{ kept: false }] },
  schedules_overview: { call: `SELECT * FROM schedules_overview() WHERE name = 'test.nowhere'`, answers: [] },
  work_backlog: { call: `SELECT * FROM work_backlog() WHERE work = 'nothing'`, answers: [] },
  schedule_done: { call: `SELECT coalesce(schedule_done('test.nowhere', ${NOBODY}, 0, NULL)::text, '') AS done`, answers: [{ done: '' }] },
  rate_share: { call: `SELECT * FROM rate_share('[]')`, answers: [] },
  idempotency_prune: { call: `SELECT idempotency_prune(10)::int AS gone`, answers: [{ gone: 0 }] },
  workspaces_active: { call: `SELECT * FROM workspaces_active('ffffffff-ffff-ffff-ffff-ffffffffffff', 10)`, answers: [] },
  auth_end_vouched_sessions: { call: `SELECT auth_end_vouched_sessions(${NOBODY}) AS ended`, answers: [{ ended: 0 }] },
  publications_served: { call: `SELECT pub_id FROM publications_served('{1111111111111111}')`, answers: [] },
  publications_due: { call: `SELECT * FROM publications_due(10)`, answers: [] },
  issuers_due: { call: `SELECT * FROM issuers_due(NULL, 10)`, answers: [] },
  retrieval_overdue: { call: `SELECT * FROM retrieval_overdue(0, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 10)`, answers: [] },
  embedding_cache_evict: { call: `SELECT embedding_cache_evict(1e9, 10)::int AS gone`, answers: [{ gone: 0 }] },
  stream_fence_trim: { call: `SELECT stream_fence_trim(1e9, 10)::int AS gone`, answers: [{ gone: 0 }] },
  spaces_of: { call: `SELECT spaces_of(${NOBODY}, ${NOBODY}) AS spaces`, answers: [{ spaces: [] }] },
  stream_event_trim: { call: `SELECT stream_event_trim(1e9, 10)::int AS gone`, answers: [{ gone: 0 }] },
};

/** Exercised by the whole suite, since every workspace, person, session and key of a test is made by them. */
const USED_BY_EVERY_TEST = [
  'membership_mfa',
  'auth_add_token',
  'auth_start_session',
  'auth_signing_keys',
  'auth_add_signing_key',
  'ws_provision',
  'ws_add_user',
  'ws_list',
];

/** Exercised where workspaces are purged and keys rotated: test/identity/workspace-life. */
const USED_BY_WORKSPACE_LIFE = ['ws_purge_step', 'ws_purge_end', 'auth_rotate_signing_key'];

/** Names, with the arguments of those that have a namesake: each of these is a function of its own. */
const existing = async (owner: string): Promise<string[]> =>
  (
    await api.sql<{ name: string }>(
      `SELECT CASE WHEN count(*) OVER (PARTITION BY p.proname) = 1 THEN p.proname::text ELSE p.oid::regprocedure::text END AS name
       FROM pg_proc p WHERE p.prosecdef AND pg_get_userbyid(p.proowner) = $1 AND p.pronamespace = 'public'::regnamespace ORDER BY 1`,
      [owner],
    )
  ).map(({ name }) => name);

describe('a function that searches a workspace', () => {
  it('finds what is there, and nothing without a workspace or from another one', async () => {
    expect(Object.keys(SEARCHES)).toEqual(expect.arrayContaining(await existing('atrium_search')));
    for (const [name, call] of Object.entries(SEARCHES)) {
      const found = await ask(api.database.appUrl, call, { tenant: ours.tenant_id });
      expect({ name, found: found.length }).toEqual({ name, found: 1 });
      const foreign = await ask(api.database.appUrl, call, { tenant: theirs.tenant_id });
      expect(foreign).not.toEqual(found);
      expect(foreign).toHaveLength(1);
      expect({ name, found: await ask(api.database.appUrl, call) }).toEqual({ name, found: [] });
      expect({ name, found: await ask(api.database.appUrl, call, { tenant: '' }) }).toEqual({ name, found: [] });
      expect({ name, found: await ask(api.database.appUrl, call, { tenant: newId() }) }).toEqual({ name, found: [] });
    }
  });

  it('takes the workspace from the setting, never from an argument', async () => {
    const arguments_ = await api.sql<{ name: string; parameters: string }>(
      `SELECT proname AS name, pg_get_function_identity_arguments(oid) AS parameters FROM pg_proc WHERE prosecdef AND pg_get_userbyid(proowner) = 'atrium_search'`,
    );
    expect(arguments_.filter(({ parameters }) => /uuid|tenant/.test(parameters))).toEqual([]);
  });
});

describe('a function that works across workspaces', () => {
  it('is exercised here or by every test', async () => {
    const known = [...Object.keys(CALLS), ...USED_BY_EVERY_TEST, ...USED_BY_WORKSPACE_LIFE];
    expect((await existing('atrium_definer')).filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => !DEFINER_FUNCTIONS.atrium_definer?.includes(name.replace(/\(.*/, '')))).toEqual([]);
  });

  it('answers nothing about what does not exist', async () => {
    for (const name of await existing('atrium_definer')) {
      const { call, answers } = CALLS[name] ?? {};
      if (call) expect({ name, answers: await ask(api.database.appUrl, call) }).toEqual({ name, answers });
    }
  });

  it('may be called by its owner and the service alone', async () => {
    const others = await api.sql(
      `SELECT p.proname, g.grantee::regrole::text AS grantee FROM pg_proc p, aclexplode(p.proacl) g WHERE p.prosecdef AND p.pronamespace = 'public'::regnamespace
       AND g.grantee <> p.proowner AND g.grantee <> 'atrium_app'::regrole AND NOT (g.grantee = 'atrium_definer'::regrole)`,
    );
    expect(others).toEqual([]);
  });

  it('answers of workspaces that are due only their ids', async () => {
    const [columns] = await api.sql(
      `SELECT pg_get_function_result('files_due(integer)'::regprocedure) AS files, pg_get_function_result('crawls_due(integer)'::regprocedure) AS crawls`,
    );
    expect(columns).toEqual({ files: 'TABLE(kind text, tenant_id uuid, id uuid)', crawls: 'TABLE(tenant_id uuid, crw_id uuid)' });
  });
});

describe('a function of the schema', () => {
  it('may be executed by the roles of the service, and not by everybody who may connect', async () => {
    const open = await api.sql(
      `SELECT p.oid::regprocedure::text AS name FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND has_function_privilege('public', p.oid, 'EXECUTE')
       AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_proc'::regclass AND e.objid = p.oid AND e.deptype = 'e')`,
    );
    expect(open).toEqual([]);
  });
});
