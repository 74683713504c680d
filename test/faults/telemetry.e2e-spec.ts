import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, freePort, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { Hosts, type Host } from './hosts';

const hosts = new Hosts({ LOG_LEVEL: 'info' });
let beside: RunningApi;
let workspace: TestWorkspace;
let api: Host;
let worker: Host;
let probes: string;

type Line = Readonly<Record<string, unknown>>;

const linesOf = ({ output }: Host): Line[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line);
const metricsOf = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();
/** The value of a metric; undefined where it was never set. */
const valueOf = (text: string, beginning: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(beginning));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
};

beforeAll(async () => {
  beside = await startAtrium();
  await migrateQueue(beside.database.ownerUrl);
  workspace = await beside.workspace();
  const WORKER_PORT = await freePort();
  probes = `http://127.0.0.1:${WORKER_PORT}`;
  [api, worker] = await Promise.all([hosts.api(), hosts.worker({ WORKER_PORT: String(WORKER_PORT), HOST: '127.0.0.1' })]);
}, 90_000);
afterAll(async () => {
  await hosts.close();
  await beside.close();
});

/** Uploads a text by one request id, and waits until its job has run. */
async function ingest(request_id: string): Promise<void> {
  const bytes = Buffer.from(`Sails up at six. ${request_id}`);
  const client = api.client(workspace.owner.client);
  const opened = (
    await client
      .post('/uploads', { file_repo: { library: ['media'] }, file_name: 'a secret name.txt', file_size: bytes.length })
      .expect(201)
  ).body as { upl_id: string; upl_url: string; upl_headers: Record<string, string> };
  expect((await fetch(opened.upl_url, { method: 'PUT', body: bytes, headers: opened.upl_headers })).ok).toBe(true);
  const finalized = await fetch(`${api.url}/api/v1/uploads/${opened.upl_id}/finalize`, {
    method: 'POST',
    headers: { ...client.headers, 'X-Request-Id': request_id },
  });
  expect(finalized.status).toBe(201);
  await eventually(
    () => Promise.resolve(linesOf(worker).some((line) => line.job === 'files.ingest' && line.request_id === request_id)),
    Boolean,
  );
}

describe('what hosts say about themselves', () => {
  it('is one line a request and one a job, which share the id of the request', async () => {
    await ingest('trace-me-7');
    const requests = linesOf(api).filter((line) => line.request_id === 'trace-me-7');
    expect(requests).toEqual([
      expect.objectContaining({
        msg: 'request',
        service: 'atrium-api',
        method: 'POST',
        route: '/api/v1/uploads/:id/finalize',
        status: 201,
        tenant_id: workspace.tenant_id,
        user_id: workspace.owner.user_id,
        ms: expect.any(Number),
      }),
    ]);
    const jobs = linesOf(worker).filter((line) => line.job === 'files.ingest' && line.request_id === 'trace-me-7');
    expect(jobs).toEqual([
      expect.objectContaining({
        msg: 'job',
        service: 'atrium-worker',
        outcome: 'done',
        attempt: 1,
        tenant_id: workspace.tenant_id,
        ms: expect.any(Number),
      }),
    ]);
    for (const host of [api, worker]) {
      expect(host.output).not.toContain('a secret name');
      expect(host.output).not.toContain(workspace.owner.client.headers['X-Api-Key']);
    }
  }, 60_000);

  it('leaves probes out as long as they find nothing wrong', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics']) expect((await fetch(`${api.url}${path}`)).status).toBe(200);
    await fetch(`${api.url}/api/v1/nowhere`);
    await eventually(() => Promise.resolve(linesOf(api).some((line) => line.status === 404 || line.status === 401)), Boolean);
    expect(linesOf(api).filter((line) => String(line.route).includes('health') || line.route === '/metrics')).toEqual([]);
  });

  it('is measured by both hosts: requests, connections, storage, jobs, the outbox', async () => {
    await ingest('measure-me');
    const [ofApi, ofWorker] = await Promise.all([metricsOf(api.url), metricsOf(probes)]);
    expect(valueOf(ofApi, 'atrium_http_request_seconds_count{method="POST",route="/api/v1/uploads",status="201"}')).toBeGreaterThan(0);
    expect(valueOf(ofApi, 'atrium_database_connections{state="idle"}')).toBeGreaterThan(0);
    expect(valueOf(ofApi, 'atrium_database_waiting')).toBe(0);
    expect(valueOf(ofWorker, 'atrium_storage_seconds_count{operation="get",outcome="ok"}')).toBeGreaterThan(0);
    expect(valueOf(ofWorker, 'atrium_job_seconds_count{job="files.ingest",outcome="done"}')).toBeGreaterThan(0);
    expect(valueOf(ofWorker, 'atrium_jobs_running{job="files.ingest"}')).toBe(0);
    expect(valueOf(ofWorker, 'atrium_outbox_oldest_seconds')).toBeGreaterThanOrEqual(0);
  }, 60_000);

  it('is served by a worker on a port of its own, with nothing else', async () => {
    const statuses = await Promise.all(
      ['/health/live', '/health/ready', '/metrics', '/', '/api/v1/albums'].map(async (path) => (await fetch(`${probes}${path}`)).status),
    );
    expect(statuses).toEqual([200, 200, 200, 404, 404]);
    expect((await fetch(`${probes}/health/live`, { method: 'POST' })).status).toBe(405);
  });

  it('is a line like all others where a host cannot start', async () => {
    for (const start of [
      () => hosts.api({ DATABASE_POOL: 'many' }),
      () => hosts.worker({ DATABASE_URL: 'postgres://atrium_app:wrong@127.0.0.1:1/atrium' }),
    ]) {
      const failure: unknown = await start().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      const said = (failure as Error).message.split('\n').filter((line) => line.includes('"level":60'));
      expect(said.map((line) => JSON.parse(line) as Line)).toContainEqual(
        expect.objectContaining({
          service: expect.stringMatching(/^atrium-(api|worker)$/),
          time: expect.any(String),
          msg: expect.any(String),
        }),
      );
    }
  }, 60_000);
});
