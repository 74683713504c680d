import { isDeepStrictEqual } from 'node:util';
import { WorkspacePurgers } from '@atrium/identity';
import { eventually, FaceServer, ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import request from 'supertest';
import { MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { operationsIn, type OpenApiDocument } from '../openapi/document';
import { startAtriumWithWorker } from '../support/api';
import { furnish, heldByNobody, type Held } from './furnishing';
import { OPERATIONS, type Ask, type Asked } from './isolation-table';
import { endedJob } from './tagging';

/** Part of every name of the workspace that others try to reach. */
const MARK = 'zebra7f';

let models: ModelServer;
let faces: FaceServer;
let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let held: Held;
let own: Held;

beforeAll(async () => {
  [models, faces] = await Promise.all([ModelServer.start(), FaceServer.start()]);
  api = await startAtriumWithWorker({ ...MODELS_ON_LOOPBACK, FACES_URL: faces.url, FACES_API_KEY: 'face-key', FACES_CLUSTER_SECONDS: '0' });
  [ours, theirs] = [await api.workspace(), await api.workspace()];
  await provideModels(api, theirs, models);
  [held, own] = await Promise.all([furnish(api, ours, MARK), furnish(api, theirs, 'okapi3c')]);
}, 60_000);
afterAll(async () => {
  await api.close();
  await Promise.all([models.stop(), faces.stop()]);
});

const OF_MEDIA =
  /^(\/media-files|\/albums|\/media-tags|\/admin\/media-tag-groups|\/admin\/media-status-flows|\/media-analysis-schemas|\/file-analyses|\/faces|\/people|\/saved-searches|\/admin\/faces|\/stock-photos|\/files\/\{id\}\/(media-tags|statuses|analysis)$|\/files\/actions\/(media-tags|status|analyze|detect-faces)$)/;

/** What needs a past that no test makes in passing: answers of machines that people refused, trash, jobs that run on. */
const EMPTY: readonly string[] = [
  'album_change',
  'consent_expiry_position',
  'download_job',
  'duplicate_dismissal',
  'duplicate_merge',
  'face_erasure',
  'face_suggestion',
  'file_pin',
  'file_rights_notice',
  'file_tag_refusal',
  'upload',
];

/** What is added up from the files every few seconds, whenever that may be. */
const ADDED_UP = /^file_(?:day|word)/;

const READABLE: readonly (readonly [string, (of: Held) => string])[] = [
  ['album', ({ album }) => `/albums/${album}`],
  ['person', ({ person }) => `/people/${person}`],
  ['file', ({ file }) => `/media-files/${file}`],
  ['analysis', ({ analysis }) => `/file-analyses/${analysis}`],
  ['face', ({ face }) => `/faces/${face}/image`],
];

/** The operations of the running API that are of this context: `GET /albums/{id}`. */
async function offered(): Promise<string[]> {
  const { body } = await request(api.url).get('/openapi.json').expect(200);
  const names = operationsIn(body as OpenApiDocument).map(({ name }) => name.split(' ') as [string, string]);
  return names
    .map(([method, path]) => [method.toUpperCase(), path.replace('/api/v1', '')] as const)
    .filter(([, path]) => OF_MEDIA.test(path))
    .map((parts) => parts.join(' '))
    .sort();
}

interface Contents {
  readonly table: string;
  readonly rows: number;
  readonly digest: string | null;
}

/** Every row that a workspace has in the tables of this context and of the files that it organises. */
async function contentsOf(tenant_id: string): Promise<Contents[]> {
  const tables = api.app
    .get(WorkspacePurgers, { strict: false })
    .all.filter(({ context }) => context === 'media' || context === 'files')
    .flatMap((purger) => [...purger.tables])
    .filter((table) => !ADDED_UP.test(table))
    .sort();
  return Promise.all(
    tables.map(async (table) => {
      const [row] = await api.sql<{ rows: number; digest: string | null }>(
        `SELECT count(*)::int AS rows, md5(string_agg(t::text, ',' ORDER BY t::text)) AS digest FROM ${table} t WHERE tenant_id = $1`,
        [tenant_id],
      );
      return { table, ...row! };
    }),
  );
}

/** The contents once nothing works on them any more. */
async function restingContents(tenant_id: string): Promise<Contents[]> {
  let last = '';
  return eventually(
    () => contentsOf(tenant_id),
    (now) => {
      const same = JSON.stringify(now) === last;
      last = JSON.stringify(now);
      return same;
    },
    20_000,
  );
}

function sent(client: Client, operation: string, { id, query = {}, body }: Asked): ReturnType<Client['get']> {
  const [method, template] = operation.split(' ') as [string, string];
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  ).toString();
  const path = `${template.replace(/\{\w+\}/, id ?? '')}${search && `?${search}`}`;
  if (method === 'GET') return client.get(path);
  if (method === 'DELETE') return client.delete(path, body);
  return client[method.toLowerCase() as 'post' | 'put' | 'patch'](path, body);
}

interface Told {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly job: { readonly status: string; readonly done: number } | null;
}

async function tell(operation: string, asked: Asked): Promise<Told> {
  const answer = await sent(theirs.owner.client, operation, asked);
  const job = answer.status === 202 ? await endedJob(theirs.owner.client, answer.headers.location as string) : null;
  return { status: answer.status, body: answer.body as Told['body'], job };
}

/** A list of nothing: no rows, or none in any of its parts. */
const isEmpty = ({ data, counted }: Told['body']): boolean =>
  Array.isArray(data) && (counted === 0 ? data.every(({ values }: { values: unknown[] }) => values.length === 0) : data.length === 0);

/** Whether this is what the table expects. */
function isAnswer({ answer }: Asked, { status, body, job }: Told): boolean {
  if (answer === 404) return status === 404 && body.code === 'not_found';
  if (answer === 400) return status === 400 && body.code === 'validation_failed';
  if (typeof answer === 'number') return status === answer;
  if (answer === 'empty') return status === 200 && isEmpty(body);
  if (answer === 'job of nothing') return status === 202 && job !== null && job.status !== 'partial' && job.done === 0;
  if (answer === 'own') return status < 300;
  return status === 200 && isDeepStrictEqual(body, answer);
}

/** The answer, with everything that the request named replaced by its kind, and without what differs from call to call. */
function anonymous(told: Told, named: Held): string {
  const text = Object.entries(named).reduce((rest, [kind, value]) => rest.replaceAll(value as string, `<${kind}>`), JSON.stringify(told));
  return text.replace(/"(request_id|job_id)":"[^"]*"/g, '"$1":"*"').replace(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"*"');
}

/** What is of the other workspace in an answer, but was not in the question. */
function leaks(asked: Asked, told: Told): string[] {
  const [question, text] = [JSON.stringify(asked), JSON.stringify(told)];
  return [MARK, ours.tenant_id, ...(Object.values(held) as string[])].filter((value) => text.includes(value) && !question.includes(value));
}

/** Asks by what the other workspace has, and by what nobody has; reports what is wrong with the answers. */
async function faults(operation: string, ask: Ask): Promise<object[]> {
  const nobody = heldByNobody('quagga9b');
  const asked = ask(own, held);
  const told = await tell(operation, asked);
  const unknown = asked.answer === 'own' ? told : await tell(operation, ask(own, nobody));
  const wrong = {
    ...(isAnswer(asked, told) ? {} : { wrong: told }),
    ...(leaks(asked, told).length > 0 && { leaks: leaks(asked, told) }),
    ...(asked.answer !== 'own' && anonymous(told, held) !== anonymous(unknown, nobody) && { told, unknown }),
  };
  return Object.keys(wrong).length === 0 ? [] : [{ operation, asked, ...wrong }];
}

describe('what the media library keeps of a workspace', () => {
  it('[media 12] is out of reach of the owner of another one, by every operation, and stays as it is', async () => {
    expect(await offered()).toEqual(Object.keys(OPERATIONS).sort());
    const before = await restingContents(ours.tenant_id);
    expect(before.filter(({ table, rows }) => rows === 0 && !EMPTY.includes(table))).toEqual([]);

    const found: object[] = [];
    for (const [operation, asks] of Object.entries(OPERATIONS))
      found.push(...(await Promise.all(asks.map((ask) => faults(operation, ask)))).flat());
    expect(found).toEqual([]);
    expect(models.chats).toEqual([]);

    const forged = theirs.owner.client.with({ 'X-Tenant-Id': ours.tenant_id });
    const entered = await Promise.all(
      Object.entries(OPERATIONS).map(async ([operation, asks]) => [operation, (await sent(forged, operation, asks[0]!(own, held))).status]),
    );
    expect(entered.filter(([, status]) => status !== 403)).toEqual([]);
    expect(await contentsOf(ours.tenant_id)).toEqual(before);
    for (const [kind, path] of READABLE) expect([kind, (await ours.owner.client.get(path(held))).status]).toEqual([kind, 200]);
  }, 60_000);
});
