import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import request from 'supertest';
import { guest } from '../distribution/sharing';
import { CREATIONS } from '../http/creating-routes';
import { accessLogWritten } from '../support/access-log';
import { callerOf, creationOf, furnishedGround, type FurnishedGround } from '../architecture/furnished';
import { orderOf, over, personIn } from './asking-for-data';
import { BY_HAND, type NotedGround } from './planted-by-hand';
import { CHANNELS } from './planted-channels';
import { CHANGES } from './planted-changes';
import { Planting, sendBody, type Described, type Method } from './planting-words';
import { RecordedClient } from './recorded-client';

const EMAIL = 'ada.quartermaine@quay.example';
const NAME = 'Ada Quartermaine';
const WORDS = `Ask ${NAME} <${EMAIL}>, ref`;

/** Fields that the document describes as text or JSON and that are not planted one by one, by what they are. */
const WITHOUT_WORDS: Readonly<Record<string, readonly string[]>> = {
  'ids, codes and names of what exists, or a grammar without free text': [
    'tgt_timezone',
    'caf_scope',
    'caf_subject',
    'site_default_locale',
    'site_acl',
    'site_locales',
    'PATCH /sites/{id} drop_locales',
    'node_slug',
    'node_slugs',
    'sp_timezone',
    'sp_acl',
    'sp_files',
    'sls_timezone',
    'prv_locale',
    'red_locale',
    'red_from',
    'PATCH /sites/{id}/nodes/{node_id} locale',
    'POST /content-approvals/{id}/decisions hash',
    'POST /sites/{id}/nodes/{node_id}/content/ops locale',
    'PUT /sites/{id}/nodes/{node_id}/content locale',
    'POST /sites/{id}/nodes/{node_id}/publish locales',
    'POST /sites/{id}/nodes/{node_id}/transitions locales',
    'POST /sites/{id}/nodes/{node_id}/unpublish locales',
    'POST /sites/{id}/nodes/{node_id}/versions/{ver_id}/restore locales',
    'POST /sites/{id}/publish locales',
    'POST /social-posts/{id}/transitions transition',
    'POST /sites/{id}/cms/pages/{page}/merge choices',
    'POST /sites/{id}/cms/pull statuses',
    'POST /sites/{id}/cms/push statuses',
    'POST /sites/{id}/nodes/{node_id}/unpublish redirect_to',
    'POST /social-posts/draft source',
    'site_preview_url',
    'POST /admin/access/explain operation',
    'POST /admin/access/explain permission',
    'POST /admin/access/explain resource',
    'POST /threads thread_user',
    'POST /auth/mfa code',
    'POST /me/mfa/totp/verify code',
    'POST /distribution/evaluate ip',
    'POST /knowledge-bases/{id}/records/import/preview encoding',
    'POST /objects/import/preview encoding',
    'album_parent',
    'bud_target',
    'bud_timezone',
    'crw_timezone',
    'dr_timezone',
    'osr_timezone',
    'user_locale',
    'user_timezone',
    'ws_locale',
    'ws_timezone',
    'POST /admin/media-status-flows remap',
    'PUT /admin/media-status-flows/{id} remap',
    'POST /documents/actions/tag add',
    'POST /documents/actions/tag remove',
    'POST /files/actions/media-tags add',
    'POST /files/actions/media-tags remove',
    'POST /files/{id}/publication deny',
    'POST /publications/actions/publish deny',
    'PUT /files/{id}/publication/draft deny',
    'POST /knowledge-bases/{id}/records/import key',
    'POST /knowledge-bases/{id}/records/import mapping',
    'POST /objects/import key',
    'POST /objects/import mapping',
    'POST /media-files/duplicates/{dup_id}/resolve carry',
    'POST /threads/{id}/messages prompt',
    'POST /public/kiosk/{share_id}/uploads/{id}/finalize parts',
    'POST /public/shares/{token}/uploads/{id}/finalize parts',
    'POST /uploads/{id}/finalize parts',
    'PUT /admin/access-lists/{type}/{id} acl',
    'agent_acl',
    'agent_context_types',
    'agent_model',
    'agent_overrides',
    'agent_params',
    'agent_retrieval',
    'album_acl',
    'crw_cron',
    'dr_values',
    'ds_acl',
    'ds_config',
    'face_box',
    'file_ids',
    'file_repo',
    'file_type',
    'iss_algorithms',
    'iss_claims',
    'iss_domains',
    'iss_role_map',
    'key_ip_allow',
    'key_scopes',
    'mas_kinds',
    'media_tags',
    'model_id',
    'mp_headers',
    'mp_models',
    'msf_scope',
    'mtg_required_for',
    'obj_acl',
    'osr_config',
    'osr_cron',
    'osr_mapping',
    'prompt_acl',
    'prompt_model',
    'prompt_params',
    'role_permissions',
    'run_options',
    'share_pre_tags',
    'state_map',
    'sto_access_key',
    'sto_endpoint',
    'thread_acl',
    'thread_ref',
    'usage_timestamp',
    'ws_options',
    'ws_security',
  ],
  'the same columns as another route writes, which is planted': [
    'PATCH /sites/{id}/nodes/{node_id} node_link',
    'PATCH /social-posts/{id}/variants/{spv_id}/remote spv_text',
    'POST /social-posts variants',
    'PATCH /social-posts/{id} variants',
    'POST /agents/{id}/run messages',
    'POST /files/actions/status comment',
    'POST /public/kiosk/{share_id}/uploads email',
    'POST /public/kiosk/{share_id}/uploads name',
    'POST /public/kiosk/{share_id}/uploads tags',
    'POST /public/shares/{token}/uploads tags',
    'POST /threads/{id}/runs/{run_id}/tool-results results',
    'POST /auth/invitations/accept user_name',
    'POST /public/kiosk/{share_id}/uploads file_name',
    'agent_schema',
    'POST /agents/{id}/run schema',
    'crw_settings',
  ],
  'answered, and kept in no table': [
    'POST /social-posts/draft tone',
    'POST /social-posts/draft language',
    'POST /social-posts/link-preview url',
    'POST /admin/usage/simulate costs',
    'POST /assist/extract schema',
    'POST /assist/extract text',
    'POST /assist/keywords allowed',
    'POST /assist/keywords text',
    'POST /assist/proofread text',
    'POST /assist/rewrite instruction',
    'POST /assist/rewrite text',
    'POST /assist/rewrite tone',
    'POST /assist/summarize text',
    'POST /assist/title text',
    'POST /assist/translate text',
    'POST /distribution/evaluate agent',
    'POST /distribution/evaluate host',
    'POST /distribution/evaluate policy',
    'POST /knowledge-bases/{id}/records/import/preview rows',
    'POST /knowledge-bases/{id}/records/import/preview sheet',
    'POST /objects/import/preview rows',
    'POST /objects/import/preview sheet',
    'POST /knowledge-bases/{id}/search filter',
    'POST /media-analysis-schemas/suggest description',
    'POST /public/kiosk/{share_id}/uploads/check items',
    'POST /public/shares/{token}/uploads/check items',
    'POST /retrieval/search filter',
    'POST /retrieval/search scopes',
    'POST /uploads/check items',
  ],
  'secrets, which are stored as hashes or sealed': [
    'POST /admin/social/{platform}/callback code',
    'POST /admin/social/{platform}/callback redirect_uri',
    'POST /admin/social/{platform}/callback state',
    'POST /sites/{id}/cms/connect settings',
    'POST /admin/issuers/{id}/test token',
    'POST /auth/email/confirm token',
    'POST /auth/email/undo token',
    'POST /auth/exchange token',
    'POST /auth/invitations/accept token',
    'POST /auth/leak-reports keys',
    'POST /auth/password/reset token',
    'POST /public/kiosk/{share_id}/activate password',
    'POST /public/shares/{token}/unlock password',
    'device_token',
    'mfa_token',
    'osr_credentials',
    'refresh_token',
    'sto_secret',
  ],
  'people by whom they are told apart, and mails, which leave at once': [
    'PATCH /me user_name',
    'POST /admin/users/bulk users',
    'POST /share-links/{id}/send emails',
    'POST /share-links/{id}/send message',
    'dsr_subject',
    'user_email',
  ],
};

let api: RunningApi;
let ours: TestWorkspace;
let ground: FurnishedGround;
let noted: NotedGround;
let planting: Planting;
/** Fields, as `POST /albums album_name`, that the API took with the person in them. */
const taken = new Set<string>();

beforeAll(async () => {
  ground = await furnishedGround();
  ({ api, workspace: ours } = ground);
  planting = new Planting((await request(api.url).get('/openapi.json').expect(200)).body as Described, WORDS, [EMAIL, NAME]);
  const note = (method: string, path: string, field: string): void => {
    const route = planting.routes().find((one) => one.startsWith(`${method} `) && matches(one.slice(method.length + 1), path));
    taken.add(`${route ?? path} ${field}`);
  };
  const recorded = (client: Client): Client =>
    new RecordedClient({ origin: api.url, client, needles: [WORDS, EMAIL, NAME, WORDS.slice(0, 80)] }, note);
  // Members are made as before; only what the clients send is noted.
  const owner = { ...ours.owner, client: recorded(ours.owner.client) };
  const workspace = Object.assign(Object.create(ours) as TestWorkspace, { owner });
  noted = { ...ground, workspace, session: recorded(ground.session), visitor: () => recorded(guest(api)) };
}, 120_000);
afterAll(() => ground.end());

/** Columns, as `table.column`, that hold the needle in any case, in any schema of the database. */
async function columnsWith(needle: string): Promise<string[]> {
  const tables = await api.sql<{ name: string; shown: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name, CASE WHEN c.relispartition THEN (SELECT p.inhparent::regclass::text FROM pg_inherits p WHERE p.inhrelid = c.oid) ELSE c.relname END AS shown
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'`,
  );
  const found = new Set<string>();
  for (const { name, shown } of tables) {
    const rows = await api.sql<{ key: string }>(
      `SELECT DISTINCT e.key FROM ${name} t CROSS JOIN LATERAL jsonb_each_text(to_jsonb(t)) e WHERE strpos(lower(t::text), lower($1)) > 0 AND strpos(lower(e.value), lower($1)) > 0`,
      [needle],
    );
    for (const { key } of rows) found.add(`${shown}.${key}`);
  }
  return [...found].sort();
}

/** Sends a body with all plants at once, or else each of them by itself; the address of what was created. */
async function plant(route: string, ask: () => Promise<{ readonly path: string; readonly body: object }>): Promise<string | undefined> {
  const method = route.split(' ')[0]?.toLowerCase() as Method;
  const plants = planting.plants(route);
  if (plants.length === 0) return undefined;
  const caller = callerOf(noted, route);
  const all = await ask();
  const body = { ...all.body, ...Object.fromEntries(plants.map(({ field, value }) => [field, value])) };
  const { isTaken, location } = await sendBody(caller, method, all.path, body);
  if (isTaken) return location;
  let place: string | undefined;
  for (const { field, value } of plants) {
    const one = await ask();
    const tried = await sendBody(caller, method, one.path, { ...one.body, [field]: value });
    place ??= tried.location;
  }
  return place;
}

/** Plants the person through every route that creates, and through those that change what was created. */
async function plantAll(): Promise<void> {
  const routes = planting.routes();
  for (const route of routes.filter((one) => one in CREATIONS)) {
    const place = (await plant(route, () => creationOf(ground, route)))?.replace('/api/v1', '').replace(/\?.*/, '');
    if (place === undefined) continue;
    for (const change of ['PATCH', 'PUT']) {
      const pattern = routes.find((one) => one.startsWith(`${change} `) && matches(one.slice(change.length + 1), place));
      if (!pattern) continue;
      const current = change === 'PUT' ? ((await callerOf(ground, route).get(place)).body as Record<string, unknown>) : {};
      const kept = Object.fromEntries(
        planting
          .fields(pattern)
          .filter((field) => field in current)
          .map((field) => [field, current[field]]),
      );
      await plant(pattern, () => Promise.resolve({ path: place, body: kept }));
    }
  }
}

const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/?]+')}$`).test(path.replace(/\?.*/, ''));

/** Once the work that was asked for is done: passages, counts of words, answers. What waits for another time is left. */
const workDone = (): Promise<unknown> =>
  eventually(
    () =>
      api.sql(`SELECT 1 FROM outbox WHERE tenant_id = $1 AND ev_kind = 'job' AND ev_done IS NULL AND ev_due <= now()`, [ours.tenant_id]),
    ({ length }) => length === 0,
    120_000,
  );

describe('an erasure', () => {
  it('[governance 28] leaves address and name of the person in no column of any table, wherever the API takes text', async () => {
    const ada = await personIn(api, ours, EMAIL, NAME);
    await plantAll();
    for (const byHand of [...BY_HAND, ...CHANGES, ...CHANNELS]) await byHand(noted, { words: WORDS, email: EMAIL, name: NAME });
    // A field of an operation that nobody has planted there is either named here with what it is, or forgotten.
    const known = new Set(Object.values(WITHOUT_WORDS).flat());
    const all = planting.routes().flatMap((route) => planting.plants(route).map(({ field }) => ({ field, unit: `${route} ${field}` })));
    expect(all.flatMap(({ field, unit }) => (taken.has(unit) || known.has(unit) || known.has(field) ? [] : [unit]))).toEqual([]);
    // What is named here and planted all the same is a name too many.
    const units = new Set(all.flatMap(({ field, unit }) => [unit, ...(field.includes('_') ? [field] : [])]));
    const proven = (one: string): boolean =>
      all.filter(({ field, unit }) => unit === one || field === one).every(({ unit }) => taken.has(unit));
    expect([...known].filter((one) => !units.has(one) || proven(one))).toEqual([]);
    await accessLogWritten(api);
    await workDone();
    const [addressed, called] = [await columnsWith(EMAIL), await columnsWith(NAME)];
    expect(addressed.length).toBeGreaterThan(150);
    expect(called.length).toBeGreaterThan(150);

    const { dsr_id } = await orderOf(ours.owner.client, {
      dsr_kind: 'erasure',
      dsr_subject_type: 'user',
      dsr_subject: ada.user_id,
      execute_after_days: 0,
    });
    expect(await over(ours.owner.client, dsr_id, { withinMs: 300_000 })).toMatchObject({ dsr_status: 'completed', dsr_error: null });
    expect(await columnsWith(EMAIL)).toEqual([]);
    expect(await columnsWith(NAME)).toEqual([]);
  }, 1_200_000);
});
