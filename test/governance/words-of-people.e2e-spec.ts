import { newId, SystemClock } from '@atrium/platform/kernel';
import { openS3Store } from '@atrium/platform/storage';
import { eventually, FaceServer, StockServer, StrictS3Server, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import request from 'supertest';
import { CREATIONS, type Ground } from '../http/creating-routes';
import { SignedIssuer } from '../identity/signed-issuer';
import { bearing, signIn } from '../identity/signing-in';
import { startAtrium, startWorker } from '../support/api';
import { accessLogWritten } from '../support/access-log';
import { OPERATOR_TOKENS } from '../support/operating';
import { orderOf, over, personIn } from './asking-for-data';
import { Crediting } from './crediting';
import { Planting, sendBody, type Described, type Method } from './planting-words';

const EMAIL = 'ada.quartermaine@quay.example';
const NAME = 'Ada Quartermaine';
const WORDS = `Ask ${NAME} <${EMAIL}>, ref`;

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
    await openS3Store({ endpoint: s3.endpoint, bucket: 'creations', pathStyle: true, credentials: s3.credentials, clock: new SystemClock() })
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
      for (const field of (await plant(pattern, () => Promise.resolve({ path: place, body: kept }))).taken) taken.add(`${pattern} ${field}`);
    }
  }
  return taken;
}

const matches = (pattern: string, path: string): boolean => new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

describe('an erasure', () => {
  it('[governance 28] leaves address and name of the person in no column but those that a written rule names, wherever the API takes text', async () => {
    const ada = await personIn(api, ours, EMAIL, NAME);
    const taken = await plantAll();
    await accessLogWritten(api);
    await eventually(
      () =>
        api.sql(`SELECT 1 FROM outbox WHERE tenant_id = $1 AND ev_kind = 'job' AND ev_done IS NULL AND ev_due <= now()`, [ours.tenant_id]),
      ({ length }) => length === 0,
      90_000,
    ).catch(() => undefined);
    const before = await columnsWith(EMAIL);
    console.log(JSON.stringify({ taken: taken.size, before: before.length, list: before }));
    const all = planting.routes().flatMap((route) => planting.plants(route).map(({ field }) => `${route} ${field}`));
    console.log('UNPLANTED ' + all.filter((one) => !taken.has(one)).join('\n'));
    const { dsr_id } = await orderOf(ours.owner.client, {
      dsr_kind: 'erasure',
      dsr_subject_type: 'user',
      dsr_subject: ada.user_id,
      execute_after_days: 0,
    });
    const done = await over(ours.owner.client, dsr_id);
    console.log(done.dsr_status, done.dsr_error);
    console.log('AFTER ' + JSON.stringify([await columnsWith(EMAIL), await columnsWith(NAME)]));
    expect(newId()).toBeTruthy();
  }, 500_000);
});
