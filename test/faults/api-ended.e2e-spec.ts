import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Client as Postgres } from 'pg';
import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { BRIEF_LEASES, startAtrium, startWorker } from '../support/api';
import { openUpload, send, sendUpload, settled, type StoredFile } from '../files/uploading';
import { Hosts, type Host } from './hosts';
import { Load } from './load';

const MIB = 1024 * 1024;

let arranger: RunningApi;
let workspace: TestWorkspace;
const hosts = new Hosts();

beforeAll(async () => {
  arranger = await startAtrium(BRIEF_LEASES);
  await migrateQueue(arranger.database.ownerUrl);
  workspace = await arranger.workspace();
}, 60_000);
afterAll(async () => {
  await hosts.close();
  await arranger.close();
});

const takesConnections = (host: Host): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(host.url).port), '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

describe('an API that is asked to stop', () => {
  it('cuts no request, closes kept connections with their answers, and is gone in time', async () => {
    await hosts.witness(async () => {
      const api = await hosts.api();
      const { headers } = workspace.owner.client;
      const load = new Load({
        url: api.url,
        headers,
        callers: 16,
        leavesWhenClosed: true,
        next: (count) =>
          count % 3 === 0
            ? { method: 'POST', path: '/api/v1/albums', body: { album_name: `album ${count}` } }
            : { method: 'GET', path: '/api/v1/albums' },
      });
      await eventually(
        () => Promise.resolve(load.answers.length),
        (count) => count > 200,
      );
      const told = performance.now();
      const ended = api.end('SIGTERM');
      const stillThere = eventually(
        () => fetch(`${api.url}/health/ready`).then(({ status }) => status),
        (status) => status === 503,
        2_000,
      );
      expect(await stillThere).toBe(503);
      expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
      expect(await ended).toEqual({ code: 0, signal: null });
      expect(performance.now() - told).toBeLessThan(10_000);
      expect(await takesConnections(api)).toBe(false);
      await load.stop();

      expect(load.answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
      expect(load.failures).toEqual([]);
      expect(load.answers.filter((answer) => answer.headers.connection === 'close')).toHaveLength(16);
      const made = load.answers
        .filter(({ status }) => status === 201)
        .map(({ body }) => (JSON.parse(body) as { album_id: string }).album_id);
      const stored = await arranger.sql<{ count: number }>('SELECT count(*)::int AS count FROM album WHERE album_id = ANY($1)', [made]);
      expect(stored).toEqual([{ count: made.length }]);
      expect(api.errors).toBe('');
    });
  }, 60_000);

  it('is gone in time also when callers keep coming back', async () => {
    await hosts.witness(async () => {
      const api = await hosts.api();
      const load = new Load({
        url: api.url,
        headers: workspace.owner.client.headers,
        callers: 32,
        next: () => ({ method: 'GET', path: '/api/v1/albums' }),
      });
      await eventually(
        () => Promise.resolve(load.answers.length),
        (count) => count > 200,
      );
      const told = performance.now();
      const ended = api.end('SIGTERM');
      expect(await ended).toEqual({ code: 0, signal: null });
      expect(performance.now() - told).toBeLessThan(10_000);
      await load.stop();
      expect(load.failures.filter(({ sentAt }) => sentAt < told)).toEqual([]);
      expect(load.answers.filter(({ status }) => status !== 200)).toEqual([]);
    });
  }, 60_000);

  it('takes the bytes that are being sent to the end, and answers a request that waits for the database', async () => {
    await hosts.witness(async () => {
      const api = await hosts.api();
      const client = api.client(workspace.owner.client);
      const bytes = randomBytes(8 * MIB);
      const opened = await openUpload(client, { file_name: 'slow.bin', file_size: bytes.length });
      let finish = (): void => undefined;
      const finished = new Promise<void>((resolve) => (finish = resolve));
      async function* slowly(): AsyncGenerator<Uint8Array> {
        yield bytes.subarray(0, MIB);
        await finished;
        yield bytes.subarray(MIB);
      }
      const sending = fetch(opened.upl_url, {
        method: 'PUT',
        headers: { ...opened.upl_headers, 'content-length': String(bytes.length) },
        body: ReadableStream.from(slowly()),
        duplex: 'half',
      });
      const lock = await lockTable('album');
      const waiting = client.post('/albums', { album_name: 'patient' }).then((answer) => answer);
      await eventually(
        () => lock.waiters(),
        (count) => count === 1,
      );

      const ended = api.end('SIGTERM');
      await eventually(
        () => takesConnections(api),
        (taken) => !taken,
      );
      await lock.release();
      finish();
      expect((await waiting).status).toBe(201);
      expect((await sending).status).toBe(200);
      expect(await ended).toEqual({ code: 0, signal: null });
    });
  }, 60_000);
});

describe('an API that is killed', () => {
  it('takes few rows of the access log with it', async () => {
    await hosts.witness(async () => {
      const api = await hosts.api();
      const load = new Load({
        url: api.url,
        headers: workspace.owner.client.headers,
        callers: 16,
        next: () => ({ method: 'GET', path: '/api/v1/albums?limit=1' }),
      });
      await eventually(
        () => Promise.resolve(load.answers.length),
        (count) => count > 1_500,
      );
      await api.end('SIGKILL');
      await load.stop();
      const answered = load.answers.map(({ headers }) => String(headers['x-request-id']));
      const rows = async (): Promise<number> =>
        (
          await arranger.sql<{ count: number }>(
            'SELECT count(*)::int AS count FROM access_log WHERE tenant_id = $1 AND log_request_id = ANY($2)',
            [workspace.tenant_id, answered],
          )
        )[0]!.count;
      // What was on its way to the database arrives still.
      const kept = await eventually(rows, (count) => answered.length - count <= 300);
      expect(kept).toBeLessThanOrEqual(answered.length);
    });
  }, 60_000);

  it('in the middle of finalizing leaves the upload to the next call, which makes the one file', async () => {
    await hosts.witness(async () => {
      const second = await hosts.api();
      const bytes = randomBytes(20 * MIB);
      for (const upl_multipart of [false, true]) {
        const running = await hosts.api();
        const { upl_id } = upl_multipart
          ? await inParts(running, bytes)
          : await sendUpload(running.client(workspace.owner.client), 'single.bin', bytes);
        const lock = await lockTable('file_blob');
        const cut = running
          .client(workspace.owner.client)
          .post(`/uploads/${upl_id}/finalize`)
          .then(
            () => 'answered',
            () => 'cut',
          );
        await eventually(
          () => lock.waiters(),
          (count) => count === 1,
        );
        await running.end('SIGKILL');
        expect(await cut).toBe('cut');
        await lock.release();
        const [row] = await arranger.sql<{ upl_state: string; upl_file_id: string | null }>(
          'SELECT upl_state, upl_file_id FROM upload WHERE upl_id = $1',
          [upl_id],
        );
        expect(row).toEqual({ upl_state: 'completing', upl_file_id: null });

        // The dead call's claim lapses by time alone.
        await arranger.sql("UPDATE upload SET upl_claimed = upl_claimed - interval '3 minutes' WHERE upl_id = $1", [upl_id]);
        const next = second.client(workspace.owner.client);
        const answers = await Promise.all(Array.from({ length: 4 }, () => next.post(`/uploads/${upl_id}/finalize`)));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
        expect(new Set(answers.map(({ body }) => (body as StoredFile).file_id)).size).toBe(1);
        expect(await arranger.sql('SELECT 1 FROM file_blob WHERE blob_id = $1', [upl_id])).toHaveLength(1);
        expect(await arranger.sql('SELECT 1 FROM file_version WHERE fv_blob = $1', [upl_id])).toHaveLength(1);
      }
      await startWorker(arranger);
      const { data } = (await second.client(workspace.owner.client).get('/files?repo_type=media')).body as { data: StoredFile[] };
      expect(data).toHaveLength(2);
      for (const { file_id } of data) expect((await settled(second.client(workspace.owner.client), file_id)).file_processing).toBe('ready');
    });
  }, 90_000);
});

async function inParts(host: Host, bytes: Buffer): Promise<{ upl_id: string }> {
  const opened = await openUpload(host.client(workspace.owner.client), {
    file_name: 'parts.bin',
    file_size: bytes.length,
    upl_multipart: true,
  });
  for (const link of opened.upl_parts)
    await send(link, bytes.subarray((link.part - 1) * opened.upl_part_size, link.part * opened.upl_part_size));
  return opened;
}

/** Keeps everybody else from a table until released. */
async function lockTable(table: 'album' | 'file_blob'): Promise<{ waiters(): Promise<number>; release(): Promise<void> }> {
  const holder = new Postgres({ connectionString: arranger.database.ownerUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return {
    waiters: async () =>
      (
        await arranger.sql(
          'SELECT 1 FROM pg_locks WHERE relation = $1::regclass AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())',
          [table],
        )
      ).length,
    release: () => holder.end(),
  };
}
