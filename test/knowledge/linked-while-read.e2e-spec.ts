import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, type RunningApi } from '@atrium/platform/testing';
import { Client as Postgres } from 'pg';
import { upload } from '../files/uploading';
import { startAtrium, startWorker } from '../support/api';
import { makeBase, search, titles } from './bases';

/** The holder of this lock keeps what was read of a file from getting into the index. */
const GATE = 4_712;

let api: RunningApi;
let gate: Postgres;

beforeAll(async () => {
  api = await startAtrium();
  await migrateQueue(api.database.ownerUrl);
  gate = new Postgres({ connectionString: api.database.ownerUrl });
  await gate.connect();
  await gate.query(`
    CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(${GATE}); RETURN NEW; END $$;
    CREATE TRIGGER gate BEFORE INSERT ON passage_source FOR EACH ROW EXECUTE FUNCTION wait_at_gate();
    SELECT pg_advisory_lock(${GATE})`);
  await startWorker(api);
}, 120_000);
afterAll(async () => {
  await gate.end();
  await api.close();
});

const waiting = async (condition: string): Promise<number> =>
  (await api.sql<{ n: number }>(`SELECT count(*)::integer AS n FROM pg_locks WHERE NOT granted AND ${condition}`))[0]?.n ?? 0;

describe('a document that is linked to a base', () => {
  it('while its text is on the way into the index is found in the base', async () => {
    const workspace = await api.workspace(['module-documents']);
    const { client } = workspace.owner;
    const { ds_id } = await makeBase(client);
    const { file_id } = await upload(client, 'pier.md', Buffer.from('# Pier\n\nGulls nest on the pier.'), {
      file_repo: { library: ['docs'] },
    });
    // The places where it is searched are decided by now, without the base.
    await eventually(
      () => waiting(`locktype = 'advisory' AND objid = ${GATE}`),
      (count) => count === 1,
      60_000,
    );
    let linked = false;
    const linking = client.post(`/knowledge-bases/${ds_id}/files`, { file_ids: [file_id] }).then((answer) => {
      linked = true;
      return answer;
    });
    await eventually(
      async () => linked || (await waiting(`locktype IN ('transactionid', 'tuple')`)) > 0,
      (either) => either,
    );
    await gate.query(`SELECT pg_advisory_unlock(${GATE})`);
    expect((await linking).status).toBe(200);
    const hits = await eventually(
      () => search(client, ds_id, 'Where do gulls nest?'),
      (found) => found.length > 0,
      60_000,
    );
    expect(titles(hits)).toEqual(['pier.md']);
  }, 240_000);
});
