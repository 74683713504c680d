import { IdempotentOutcomes } from '@atrium/platform/http';
import { newId, SystemClock } from '@atrium/platform/kernel';
import { openS3Store } from '@atrium/platform/storage';
import {
  FaceServer,
  LinkedInServer,
  StockServer,
  StoryblokServer,
  StrictS3Server,
  type RunningApi,
  type TestWorkspace,
} from '@atrium/platform/testing';
import request from 'supertest';
import { Crediting } from '../governance/crediting';
import { SignedIssuer } from '../identity/signed-issuer';
import { bearing, signIn } from '../identity/signing-in';
import { send } from '../files/uploading';
import { startAtrium } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { CREATIONS, type Ground } from './creating-routes';

let faces: FaceServer;
let stock: StockServer;
let issuer: SignedIssuer;
let linkedin: LinkedInServer;
let storyblok: StoryblokServer;
let s3: StrictS3Server;
let api: RunningApi;
let workspace: TestWorkspace;
let ground: Ground;

beforeAll(async () => {
  [faces, s3, stock, issuer, linkedin, storyblok] = await Promise.all([
    FaceServer.start(),
    new StrictS3Server().start(),
    StockServer.start(),
    SignedIssuer.start(),
    LinkedInServer.start(),
    StoryblokServer.start(),
  ]);
  api = await startAtrium({
    OPERATOR_TOKENS,
    OUTBOUND_ALLOW: '127.0.0.1',
    FACES_URL: faces.url,
    FACES_API_KEY: 'face-key',
    UNSPLASH_ACCESS_KEY: 'unsplash-key',
    UNSPLASH_URL: stock.url,
    STORYBLOK_BASE: `${storyblok.url}/v1`,
    ...linkedin.environment,
  });
  workspace = await api.workspace(['module-publication', 'module-documents', 'module-objects', 'module-social-post']);
  await new Crediting(api).grant(workspace, { grant_credits: 1_000 });
  const store = await openS3Store({
    endpoint: s3.endpoint,
    bucket: 'creations',
    pathStyle: true,
    credentials: s3.credentials,
    clock: new SystemClock(),
  });
  await store.prepare({ createBucket: true });
  await workspace.owner.client.patch('/admin/settings', { ws_options: { faces_enabled: true } }).expect(200);
  ground = {
    api,
    workspace,
    s3,
    issuer,
    linkedin,
    storyblok,
    session: bearing(api, (await signIn(api, workspace.owner.email)).access_token, workspace.tenant_id),
  };
}, 60_000);
afterAll(async () => {
  await api.close();
  await Promise.all([faces.stop(), s3.stop(), stock.stop(), issuer.stop(), linkedin.stop(), storyblok.stop()]);
});
afterEach(() => jest.restoreAllMocks());

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, { readonly headers?: object }>> }>>>
  >;
}

/** These answer a job only where there is very much to do; it is kept like that of bulk tagging, or of a pull in the background. */
const WITHOUT_A_ROW: ReadonlySet<string> = new Set([
  '/api/v1/admin/audit-events/verify',
  '/api/v1/media-tags/{id}/merge',
  '/api/v1/knowledge-bases/{id}/export',
  '/api/v1/sites/{id}/cms/pages/{page}/pull',
  '/api/v1/sites/{id}/cms/pages/{page}/push',
  '/api/v1/sites/{id}/cms/scan',
  '/api/v1/sites/{id}/cms/schemas/pull',
  '/api/v1/sites/{id}/cms/schemas/push',
]);

/** Their 202 names an answer of a model, which is followed in its thread, or the post that shows what became of it. */
const WITHOUT_A_JOB: ReadonlySet<string> = new Set([
  'POST /agents/{id}/run',
  'POST /prompts/{id}/run',
  'POST /social-posts/{id}/publish',
  'POST /social-posts/{id}/retry',
  'POST /threads/{id}/messages',
  'POST /threads/{id}/messages/{msg_id}/regenerate',
]);

/** The POST routes of the API whose answer names what it has created. */
async function creatingRoutes(): Promise<string[]> {
  const { paths } = (await request(api.url).get('/openapi.json').expect(200)).body as Described;
  const creating = Object.entries(paths).filter(
    ([path, { post }]) =>
      path.startsWith('/api/v1/') &&
      !path.startsWith('/api/v1/public/') &&
      !WITHOUT_A_ROW.has(path) &&
      Object.values(post?.responses ?? {}).some(({ headers }) => headers && 'Location' in headers),
  );
  return creating.map(([path]) => `POST ${path.replace('/api/v1', '')}`).sort();
}

/** From now on the process ends between the commit of a request and the recording of its answer. */
function endBeforeAnswers(): void {
  const outcomes = api.app.get(IdempotentOutcomes, { strict: false });
  jest.spyOn(outcomes, 'storeOutcome').mockRejectedValue(new Error('The process has ended.'));
  jest.spyOn(outcomes, 'releaseKey').mockResolvedValue();
}

const withoutAddresses = (body: Record<string, unknown>): object =>
  JSON.parse(JSON.stringify(body).replace(/https?:[^"]*(signature|sig|X-Amz-Signature)=[^"]*/gi, 'signed')) as object;

describe('a crash between the commit and the answer of a creation', () => {
  it('is tried on every route that creates', async () => {
    expect(Object.keys(CREATIONS).sort()).toEqual(await creatingRoutes());
  });

  it.each(Object.keys(CREATIONS))(
    'leaves the whole answer of %s for the next request with its key, and the job that a 202 names',
    async (route) => {
      const { ids = [], body } = await CREATIONS[route]!(ground);
      const path = ids.reduce((open, id) => open.replace(/\{\w+\}/, id), route.replace('POST ', ''));
      const keyed = (route.startsWith('POST /me/') ? ground.session : workspace.owner.client).with({ 'Idempotency-Key': newId() });
      endBeforeAnswers();
      const lost = await keyed.post(path, body);
      jest.restoreAllMocks();
      // Where the outcome was kept with the change, there was nothing to record afterwards and the request was answered.
      if (lost.headers.location === undefined) throw new Error(`Nothing was created: ${lost.status} ${lost.text}`);
      expect(lost.headers.location).toMatch(/^\/api\/v1\/\w/);
      const replay = await keyed.post(path, body);
      expect([replay.status, replay.headers['idempotent-replayed'], replay.headers.location, replay.headers.etag]).toEqual([
        lost.status,
        'true',
        lost.headers.location,
        lost.headers.etag,
      ]);
      expect(withoutAddresses(replay.body as Record<string, unknown>)).toEqual(withoutAddresses(lost.body as Record<string, unknown>));
      if (lost.status === 202 && !WITHOUT_A_JOB.has(route))
        await workspace.owner.client.get(`/jobs/${String(lost.headers.location).split('/').at(-1)}`).expect(200);
    },
  );

  it('leaves addresses that take the bytes, in one piece or in parts, and none of them at rest', async () => {
    for (const more of [{}, { upl_multipart: true }]) {
      const bytes = Buffer.from('harbour side');
      const key = newId();
      const keyed = workspace.owner.client.with({ 'Idempotency-Key': key });
      const wanted = { file_repo: { library: ['media'] }, file_name: 'harbour.txt', file_size: bytes.length, ...more };
      await keyed.post('/uploads', wanted).expect(201);
      const [kept] = await api.sql<{ idem_body: object }>('SELECT idem_body FROM idempotency_key WHERE idem_key = $1', [key]);
      expect(JSON.stringify(kept)).not.toContain('http');
      const { body } = await keyed.post('/uploads', wanted).expect(201);
      const replay = body as {
        upl_url: string | null;
        upl_headers: Record<string, string>;
        upl_parts: { upl_url: string; upl_headers: Record<string, string> }[];
        upl_id: string;
      };
      const link = replay.upl_parts[0] ?? { upl_url: replay.upl_url ?? '', upl_headers: replay.upl_headers };
      expect((await send(link, bytes)).status).toBe(200);
      await workspace.owner.client.post(`/uploads/${replay.upl_id}/finalize`).expect(201);
      // Once the bytes are a file, no address is handed out again.
      expect((await keyed.post('/uploads', wanted).expect(201)).body).toMatchObject({ upl_url: null, upl_parts: [] });
    }
  });
});
