import { SystemClock } from '@atrium/platform/kernel';
import { openS3Store } from '@atrium/platform/storage';
import {
  eventually,
  FaceServer,
  StockServer,
  StrictS3Server,
  type Client,
  type RunningApi,
  type TestWorkspace,
} from '@atrium/platform/testing';
import request from 'supertest';
import { CREATIONS, type Ground } from '../http/creating-routes';
import { SignedIssuer } from '../identity/signed-issuer';
import { bearing, signIn } from '../identity/signing-in';
import { startAtrium, startWorker } from '../support/api';
import { accessLogWritten } from '../support/access-log';
import { OPERATOR_TOKENS } from '../support/operating';
import { orderOf, over, personIn } from './asking-for-data';
import { Crediting } from './crediting';
import { BY_HAND } from './planted-by-hand';
import { Planting, sendBody, type Described, type Method } from './planting-words';

const EMAIL = 'ada.quartermaine@quay.example';
const NAME = 'Ada Quartermaine';
const WORDS = `Ask ${NAME} <${EMAIL}>, ref`;

/** Fields that the document describes as text or JSON and that are not planted one by one, by what they are. */
const WITHOUT_WORDS: Readonly<Record<string, readonly string[]>> = {
  'ids, codes and names of what exists, or a grammar without free text': [
    'POST /admin/access/explain operation',
    'POST /admin/media-status-flows remap',
    'PUT /admin/media-status-flows/{id} remap',
    'POST /documents/actions/tag add',
    'POST /documents/actions/tag remove',
    'POST /files/actions/media-tags add',
    'POST /files/actions/media-tags remove',
    'POST /files/{id}/publication deny',
    'POST /publications/actions/publish deny',
    'PUT /files/{id}/publication/draft deny',
    'POST /knowledge-bases/{id}/crawls cron',
    'POST /knowledge-bases/{id}/crawls url',
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
    'agent_tools',
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
    'sto_endpoint',
    'thread_acl',
    'thread_ref',
    'usage_timestamp',
    'ws_options',
    'ws_security',
  ],
  'the same columns as another route writes, which is planted': [
    'POST /agents/{id}/run messages',
    'POST /files/actions/status comment',
    'POST /public/kiosk/{share_id}/uploads email',
    'POST /public/kiosk/{share_id}/uploads name',
    'POST /public/kiosk/{share_id}/uploads tags',
    'POST /public/shares/{token}/uploads tags',
    'POST /threads/{id}/runs/{run_id}/tool-results results',
    'agent_schema',
    'POST /agents/{id}/run schema',
    'crw_name',
    'crw_settings',
    'fa_result',
    'user_pref',
    'wildcard_control_props',
  ],
  'answered, and kept in no table': [
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
    'POST /knowledge-bases/{id}/search filter',
    'POST /media-analysis-schemas/suggest description',
    'POST /public/kiosk/{share_id}/uploads/check items',
    'POST /public/shares/{token}/uploads/check items',
    'POST /retrieval/search filter',
    'POST /retrieval/search scopes',
    'POST /uploads/check items',
  ],
  'secrets, which are stored as hashes or sealed': [
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
  ],
  'people by whom they are told apart, and mails, which leave at once': [
    'POST /admin/users/bulk users',
    'POST /share-links/{id}/send emails',
    'POST /share-links/{id}/send message',
    'dsr_subject',
    'user_email',
  ],
};

let servers: { stop(): Promise<unknown> }[];
let api: RunningApi;
let ours: TestWorkspace;
let ground: Ground;
let planting: Planting;

beforeAll(async () => {
  const [faces, s3, stock, issuer] = await Promise.all([
    FaceServer.start(),
    new StrictS3Server().start(),
    StockServer.start(),
    SignedIssuer.start(),
  ]);
  servers = [faces, s3, stock, issuer];
  api = await startAtrium({
    OPERATOR_TOKENS,
    OUTBOUND_ALLOW: '127.0.0.1',
    FACES_URL: faces.url,
    FACES_API_KEY: 'face-key',
    UNSPLASH_ACCESS_KEY: 'unsplash-key',
    UNSPLASH_URL: stock.url,
  });
  await startWorker(api);
  ours = await api.workspace(['module-publication', 'module-documents', 'module-objects']);
  await new Crediting(api).grant(ours, { grant_credits: 1_000 });
  await (
    await openS3Store({
      endpoint: s3.endpoint,
      bucket: 'creations',
      pathStyle: true,
      credentials: s3.credentials,
      clock: new SystemClock(),
    })
  ).prepare({ createBucket: true });
  await ours.owner.client.patch('/admin/settings', { ws_options: { faces_enabled: true } }).expect(200);
  const session = bearing(api, (await signIn(api, ours.owner.email)).access_token, ours.tenant_id);
  ground = { api, workspace: ours, s3, issuer, session };
  planting = new Planting((await request(api.url).get('/openapi.json').expect(200)).body as Described, WORDS);
}, 120_000);
afterAll(async () => {
  await api.close();
  await Promise.all(servers.map((server) => server.stop()));
});

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

const client = (route: string): Client => (route.includes(' /me/') ? ground.session : ours.owner.client);

/** Sends a body with all plants at once, or else each of them by itself; which fields were taken, and where the row is. */
async function plant(
  route: string,
  ask: () => Promise<{ readonly path: string; readonly body: object }>,
): Promise<{ readonly taken: readonly string[]; readonly location: string | undefined }> {
  const method = route.split(' ')[0]?.toLowerCase() as Method;
  const plants = planting.plants(route);
  if (plants.length === 0) return { taken: [], location: undefined };
  const all = await ask();
  const { isTaken, location } = await sendBody(client(route), method, all.path, {
    ...all.body,
    ...Object.fromEntries(plants.map(({ field, value }) => [field, value])),
  });
  if (isTaken) return { taken: plants.map(({ field }) => field), location };
  const taken: string[] = [];
  let place: string | undefined;
  for (const { field, value } of plants) {
    const { path, body } = await ask();
    const tried = await sendBody(client(route), method, path, { ...body, [field]: value });
    if (tried.isTaken) taken.push(field);
    place ??= tried.location;
  }
  return { taken, location: place };
}

/** Plants the person through every route that creates, and through those that change what was created. */
async function plantAll(): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  const routes = new Set(planting.routes());
  for (const route of planting.routes().filter((one) => one in CREATIONS)) {
    const done = await plant(route, async () => {
      const { ids = [], body } = await CREATIONS[route]!(ground);
      return { path: ids.reduce((path, id) => path.replace(/\{\w+\}/, id), route.replace('POST ', '')), body };
    });
    for (const field of done.taken) taken.add(`${route} ${field}`);
    const place = done.location?.replace('/api/v1', '').replace(/\?.*/, '');
    if (place === undefined) continue;
    for (const change of ['PATCH', 'PUT']) {
      const pattern = [...routes].find((one) => one.startsWith(`${change} `) && matches(one.slice(change.length + 1), place));
      if (!pattern) continue;
      const current = change === 'PUT' ? ((await client(route).get(place)).body as Record<string, unknown>) : {};
      const kept = Object.fromEntries(
        planting
          .fields(pattern)
          .filter((field) => field in current)
          .map((field) => [field, current[field]]),
      );
      for (const field of (await plant(pattern, () => Promise.resolve({ path: place, body: kept }))).taken)
        taken.add(`${pattern} ${field}`);
    }
  }
  return taken;
}

const matches = (pattern: string, path: string): boolean => new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** What a field means: fields with a prefix mean the same on every route, the others are distinguished by their route. */
const unitOf = (route: string, field: string): string => (field.includes('_') ? field : `${route} ${field}`);

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
    const taken = new Set([...(await plantAll())].map((one) => unitOf(one.slice(0, one.lastIndexOf(' ')), one.split(' ').at(-1) ?? '')));
    for (const { fields, plant: byHand } of BY_HAND) {
      await byHand(ground, { words: WORDS, email: EMAIL, name: NAME });
      for (const field of fields) taken.add(field);
    }
    // A field that nobody plants is either named here with what it is, or forgotten.
    const all = new Set(planting.routes().flatMap((route) => planting.plants(route).map(({ field }) => unitOf(route, field))));
    const known = Object.values(WITHOUT_WORDS).flat();
    expect([...all].filter((one) => !taken.has(one) && !known.includes(one)).sort()).toEqual([]);
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
    expect(await over(ours.owner.client, dsr_id)).toMatchObject({ dsr_status: 'completed', dsr_error: null });
    expect(await columnsWith(EMAIL)).toEqual([]);
    expect(await columnsWith(NAME)).toEqual([]);
  }, 500_000);
});
