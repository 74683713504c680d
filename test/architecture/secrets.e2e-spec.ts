import { createHash, randomBytes } from 'node:crypto';
import { buildOpenApi } from '@atrium/platform/http';
import { newId, SystemClock } from '@atrium/platform/kernel';
import { openS3Store } from '@atrium/platform/storage';
import { StrictS3Server, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { accessLogWritten } from '../support/access-log';
import { Harvest } from '../support/harvest';
import { startAtrium } from '../support/api';
import { WebSite } from '../support/web-site';
import { ask, asAdmin } from './asking';
import { bodiesThatFit, type Fit } from './secrets-that-fit';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly writeOnly?: boolean;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> };
}
interface Sent {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

const METHODS = ['post', 'put', 'patch', 'delete'] as const;
/** What a client may call a credential; a field with such a name is marked, or named here with what it is instead. */
const LOOKS_SECRET = /pass(?:word|phrase|code)|secret|token|credential|private_?key|_key$|_headers$|^code$/i;
const NO_SECRETS: ReadonlySet<string> = new Set([
  // Truth values.
  'password_login',
  'no_password',
  'personal_keys',
  // Says which key is meant; the secret goes with it.
  'sto_access_key',
  // Names of schemas and of languages.
  'tpl_key',
  'code',
]);

const OF_A_MAIL = 'takes what only a mail holds: identity/account-recovery';
const OF_A_FACTOR = 'takes a code of a second factor: identity/second-factor';
const OF_AN_ISSUER = 'takes a token that an issuer has signed: identity/exchange';
const OF_A_LINK = 'takes the password of a link, which is kept when the link is made';
/** Operations that refuse what is planted here, so that none of it is kept, each with its reason. */
const REFUSED: Readonly<Record<string, string>> = {
  activateKiosk: OF_A_LINK,
  changeMyEmail: OF_A_MAIL,
  completeLogin: OF_A_FACTOR,
  connectCms: 'a CMS is asked with its credential before it is kept: website/cms-storyblok',
  connectSocialAccount: 'takes a code that the platform has returned: social/connections',
  confirmEmail: OF_A_MAIL,
  exchangeToken: OF_AN_ISSUER,
  removeTotp: OF_A_FACTOR,
  resetPassword: OF_A_MAIL,
  testIssuer: OF_AN_ISSUER,
  undoEmailChange: OF_A_MAIL,
  unlockShare: OF_A_LINK,
  updateStorageProvider: 'a store is asked with its credential before it is kept: governance/storage-providers',
  verifyTotp: OF_A_FACTOR,
};

let api: RunningApi;
let ours: TestWorkspace;
let s3: StrictS3Server;
let site: WebSite;
let schemas: Readonly<Record<string, Schema>>;
let operations: readonly (Operation & { readonly method: string; readonly path: string })[];

beforeAll(async () => {
  [s3, site] = await Promise.all([new StrictS3Server().start(), WebSite.start()]);
  site.at('/page', (_, response) => response.setHeader('Content-Type', 'application/json').end('{"items": []}'));
  const store = { endpoint: s3.endpoint, bucket: 'canary', pathStyle: true, credentials: s3.credentials, clock: new SystemClock() };
  await (await openS3Store(store)).prepare({ createBucket: true });
  api = await startAtrium({ OUTBOUND_ALLOW: '127.0.0.1' });
  ours = await api.workspace(['module-objects', 'module-documents', 'module-publication', 'module-social-post']);
  const document = buildOpenApi(api.app, 'http://localhost');
  schemas = document.components?.schemas ?? {};
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = (item as unknown as Record<string, Operation | undefined>)[method];
      return operation ? [{ ...operation, method, path }] : [];
    }),
  );
});
afterAll(async () => {
  await api.close();
  await s3.stop();
  await site.stop();
});

const resolved = (schema: Schema): Schema => (schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema);
const bodyOf = ({ requestBody }: Operation): Media | undefined => requestBody?.content?.['application/json'];

/** Every field of a body, at any depth, with its path. */
function* fieldsOf(schema: Schema, path: readonly string[] = []): Generator<readonly [path: readonly string[], field: Schema]> {
  if (path.length > 6) return;
  for (const [name, field] of Object.entries(resolved(schema).properties ?? {})) {
    yield [[...path, name], field];
    yield* fieldsOf(field, [...path, name]);
    if (field.items) yield* fieldsOf(field.items, [...path, name, '0']);
  }
}

/** A value for a secret that nothing else in the database looks like. */
const planted: string[] = [];
function plant({ type, maxLength = 64, items }: Schema): unknown {
  const canary = `Cnry${randomBytes(24).toString('hex')}`.slice(0, Math.min(maxLength, 30));
  planted.push(canary);
  const types = [type].flat();
  if (types.includes('array') || items) return [canary];
  return types.includes('object') ? { token: canary } : canary;
}

/** The example of the document, with a canary in each of its secrets. */
function filled(
  operation: Operation & { readonly method: string; readonly path: string },
  secrets: readonly (readonly [readonly string[], Schema])[],
  fit: Fit | undefined,
): Sent {
  const media = bodyOf(operation);
  const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value ?? {};
  // A change keeps what it does not name, and the example may name what is not there.
  const body: Record<string, unknown> = operation.method === 'patch' ? {} : { ...(fit?.body ?? example) };
  for (const [[name = '', ...deeper], field] of secrets) {
    if (deeper.length > 0) continue;
    const needed = fit?.body[name];
    if (typeof needed === 'string') planted.push(needed);
    else body[name] = plant(field);
  }
  const { operationId, method, path } = operation;
  return { operation: operationId, method, path: path.replace(/^\/api\/v1/, '').replace(/\{\w+\}/g, newId), body };
}

const withSecrets = () =>
  operations.flatMap((operation) => {
    const schema = bodyOf(operation)?.schema;
    const secrets = schema ? [...fieldsOf(schema)].filter(([, field]) => field.writeOnly) : [];
    return secrets.length > 0 ? [{ operation, secrets }] : [];
  });

describe('a field that takes a secret', () => {
  it('is marked as one, whatever it is called; what looks like one and is none is named here', () => {
    const unmarked = operations.flatMap((operation) => {
      const schema = bodyOf(operation)?.schema;
      return schema
        ? [...fieldsOf(schema)].flatMap(([path, field]) => {
            const name = path.at(-1) ?? '';
            return LOOKS_SECRET.test(name) && !field.writeOnly && !NO_SECRETS.has(name)
              ? [`${operation.operationId} ${path.join('.')}`]
              : [];
          })
        : [];
    });
    expect(unmarked).toEqual([]);
    expect(withSecrets().length).toBeGreaterThan(20);
    // One that is deeper needs its place in the bodies sent below.
    expect(withSecrets().flatMap(({ secrets }) => secrets.filter(([path]) => path.length > 1))).toEqual([]);
  });

  it('leaves what it was given nowhere in clear: no table has it, and no answer', async () => {
    const fits = await bodiesThatFit({ api, workspace: ours, s3, page: `${site.url}/page` });
    const answers: string[] = [];
    const made: string[] = [];
    const client = ours.owner.client;
    const taken: string[] = [];
    const changes = ['put', 'patch'];
    const inOrder = withSecrets().sort((a, b) => changes.indexOf(a.operation.method) - changes.indexOf(b.operation.method));
    for (const { operation, secrets } of inOrder) {
      const fit = fits[operation.operationId];
      const sent = filled(operation, secrets, fit);
      const { method, body } = sent;
      // What the creations have made is changed then.
      const [there = sent.path] = await new Harvest(client, {}, new Set()).pathsOf(operation.path.replace(/^\/api\/v1/, ''));
      const path = changes.includes(method) ? there : sent.path;
      const answer = await fetch(`${api.url}/api/v1${path}`, {
        method: method.toUpperCase(),
        headers: {
          ...(fit?.client ?? client).headers,
          'Content-Type': 'application/json',
          ...(method === 'post' ? { 'Idempotency-Key': newId() } : {}),
        },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      expect({ operation: operation.operationId, isOurFault: answer.status >= 500 && answer.status !== 502 }).toEqual({
        operation: operation.operationId,
        isOurFault: false,
      });
      answers.push(text);
      if (answer.status < 300) taken.push(operation.operationId);
      if (answer.status !== 201) continue;
      made.push(operation.operationId);
      const location = answer.headers.get('location');
      if (location) answers.push(JSON.stringify((await client.get(location.replace('/api/v1', ''))).body));
    }
    expect(made.length).toBeGreaterThan(3);
    const refused = inOrder.map(({ operation }) => operation.operationId).filter((id) => !taken.includes(id));
    expect(refused.sort()).toEqual(Object.keys(REFUSED).sort());
    await accessLogWritten(api);
    for (const list of [
      '/admin/access-logs?limit=1000',
      '/admin/audit-events?limit=1000',
      '/model-providers',
      '/share-links',
      '/object-sources',
    ])
      answers.push(JSON.stringify((await client.get(list)).body));
    const shown = answers.filter((text) => planted.some((canary) => text.includes(canary)));
    expect(shown).toEqual([]);
    expect(await tablesWith(planted)).toEqual([]);
  });

  it('cannot be guessed from what is kept to know a repeated request by', async () => {
    const { client } = ours.owner;
    const kept = async (path: string, body: object): Promise<{ kept: string | undefined; plain: string }> => {
      const key = newId();
      await client.with({ 'Idempotency-Key': key }).post(path, body).expect(201);
      await client.with({ 'Idempotency-Key': key }).post(path, body).expect(201).expect('Idempotent-Replayed', 'true');
      const [row] = await api.sql<{ idem_fingerprint: string }>(
        'SELECT idem_fingerprint FROM idempotency_key WHERE tenant_id = $1 AND idem_key = $2',
        [ours.tenant_id, key],
      );
      const plain = createHash('sha256')
        .update(`POST /api/v1${path}\n${JSON.stringify(body)}`)
        .digest('hex');
      return { kept: row?.idem_fingerprint, plain };
    };
    const open = await kept('/albums', { album_name: 'No secret' });
    expect(open.kept).toBe(open.plain);
    const closed = await kept('/model-providers', {
      mp_name: 'guessed',
      mp_type: 'openai-compatible',
      mp_base_url: 'http://127.0.0.1:9/',
      mp_key: '1234',
    });
    expect(closed.kept).toMatch(/^[0-9a-f]{64}$/);
    expect(closed.kept).not.toBe(closed.plain);
  });

  it('would be found where it is', async () => {
    const canary = `Cnry${randomBytes(12).toString('hex')}`;
    await ours.owner.client.post('/albums', { album_name: 'x', album_metadata: { deep: [canary] } }).expect(201);
    await accessLogWritten(api);
    expect(await tablesWith([canary])).toEqual(expect.arrayContaining(['public.album', 'public.access_log']));
  });
});

/** Tables in which one of the texts is in clear, in any column of a row. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const admin = asAdmin(api.database);
  const tables = await ask<{ name: string }>(
    admin,
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await ask(
      admin,
      `SELECT 1 FROM ${name} t WHERE EXISTS (SELECT FROM unnest($1::text[]) x WHERE position(x IN t::text) > 0) LIMIT 1`,
      {
        values: [texts],
      },
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
