import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { Client } from 'pg';
import { startAtrium } from '../support/api';

/** More than the connections of the process, all of which one workspace would like to have. */
const CALLS = 12;

let api: RunningApi;
let loud: TestWorkspace;
let quiet: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  loud = await api.workspace();
  quiet = await api.workspace();
});
afterAll(() => api.close());

/** Holds the row of an album as another transaction would that does not end. */
async function holding(album_id: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: api.database.ownerUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query("SELECT set_config('app.tenant_id', $1, true)", [loud.tenant_id]);
  await client.query('SELECT FROM album WHERE album_id = $1 FOR UPDATE', [album_id]);
  return () => client.end();
}

const atWork = async (): Promise<number> =>
  (await api.sql('SELECT FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())'))
    .length;

describe('the connections of a process', () => {
  it('are shared by workspaces: calls of one that wait for a lock keep no other from being answered, and end by themselves', async () => {
    const { album_id } = (await loud.owner.client.post('/albums', { album_name: `Locked ${newId()}` }).expect(201)).body as {
      album_id: string;
    };
    const release = await holding(album_id);
    try {
      const waiting = Array.from({ length: CALLS }, () => loud.owner.client.patch(`/albums/${album_id}`, { album_name: newId() }));
      let answered = 0;
      const answers = Promise.all(
        waiting.map(async (call) => {
          const answer = await call;
          answered++;
          return answer;
        }),
      );
      while ((await atWork()) < 2) await quiet.owner.client.get('/albums').expect(200);
      await Promise.all([
        quiet.owner.client.get('/albums').expect(200),
        quiet.owner.client.post('/albums', { album_name: `Free ${newId()}` }).expect(201),
      ]);
      expect(answered).toBe(0);
      // The lock was never released: all of them were refused in the end, with a time to come back.
      for (const { status, body, headers } of await answers) {
        expect({ status, code: body.code as string }).toEqual({ status: 503, code: 'service_unavailable' });
        expect(headers['retry-after']).toBe('1');
      }
    } finally {
      await release();
    }
    await loud.owner.client.patch(`/albums/${album_id}`, { album_name: 'Open again' }).expect(200);
  });
});
