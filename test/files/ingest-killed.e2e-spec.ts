import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { migrateQueue } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { drawPicture, eventually, type RunningApi } from '@atrium/platform/testing';
import { Client as Postgres } from 'pg';
import { BRIEF_LEASES, startAtrium, startWorker } from '../support/api';
import { spawnWorker } from '../support/built-hosts';
import { readFile, settled, upload } from './uploading';

/** The holder of this lock keeps ingest from writing what it has found. */
const GATE = 4_711;

let api: RunningApi;
let killed: ChildProcess | undefined;
let gate: Postgres;

beforeAll(async () => {
  api = await startAtrium(BRIEF_LEASES);
  await migrateQueue(api.database.ownerUrl);
  gate = new Postgres({ connectionString: api.database.ownerUrl });
  await gate.connect();
  await gate.query(`
    CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(${GATE}); RETURN NEW; END $$;
    CREATE TRIGGER gate BEFORE UPDATE OF blob_system ON file_blob FOR EACH ROW EXECUTE FUNCTION wait_at_gate();
    SELECT pg_advisory_lock(${GATE})`);
});
afterAll(async () => {
  killed?.kill('SIGKILL');
  await gate.end();
  await api.close();
});

describe('a worker that is killed in the middle of an ingest', () => {
  it('leaves the file pending; the next one finishes it, and nothing is doubled', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    const photo = await drawPicture({ width: 640, height: 480, format: 'jpeg' });
    killed = spawnWorker();
    const { file_id } = await upload(client, 'caught.jpg', photo);
    await eventually(
      () => api.sql("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted", [GATE]),
      (waiting) => waiting.length === 1,
      90_000,
    );
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect((await readFile(client, file_id)).file_processing).toBe('pending');
    await gate.query(`SELECT pg_advisory_unlock(${GATE})`);

    await startWorker(api);
    const file = await settled(client, file_id);
    expect(file).toMatchObject({
      file_processing: 'ready',
      file_hash: createHash('sha256').update(photo).digest('hex'),
      file_replicas: 'small,medium,large',
    });
    expect(await api.sql('SELECT 1 FROM file_blob WHERE tenant_id = $1', [workspace.tenant_id])).toHaveLength(1);
    expect(await api.sql("SELECT 1 FROM outbox WHERE tenant_id = $1 AND ev_name = 'file.ready'", [workspace.tenant_id])).toHaveLength(1);
    const keys = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const { key } of api.app.get(ObjectStore, { strict: false }).list(`t/${workspace.tenant_id}/`)) found.push(key);
      return found;
    };
    expect(await eventually(keys, (found) => found.length <= 4)).toHaveLength(4);
  }, 240_000);
});
