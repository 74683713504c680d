import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, type RunningApi } from '@atrium/platform/testing';
import { operatorOf, OPERATOR_TOKENS } from '../support/operating';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { Hosts } from './hosts';

jest.setTimeout(180_000);

const LINES = 120_000;

let arranger: RunningApi;
const hosts = new Hosts();

beforeAll(async () => {
  arranger = await startAtrium({ ...BRIEF_LEASES, OPERATOR_TOKENS });
  await migrateQueue(arranger.database.ownerUrl);
});
afterAll(async () => {
  await hosts.close();
  await arranger.close();
});

describe('a worker that is killed while it purges a workspace', () => {
  it('leaves the rest to the next one, which removes it all and counts it once', async () => {
    await hosts.witness(async () => {
      const { tenant_id } = await arranger.workspace();
      await arranger.sql(
        `INSERT INTO file_history (tenant_id, fh_id, fh_file, fh_action, fh_actor_type) SELECT $1, gen_random_uuid(), gen_random_uuid(), 'renamed', 'system' FROM generate_series(1, $2)`,
        [tenant_id, LINES],
      );
      const operator = operatorOf(arranger);
      const killed = await hosts.worker();
      await operator.delete(`/workspaces/${tenant_id}?grace_days=0`).expect(204);
      const progress = async (): Promise<number> => (await operator.get(`/workspaces/${tenant_id}`)).body.purge?.file_history?.done ?? 0;
      await eventually(progress, (done) => done > 0);
      await killed.end('SIGKILL');
      const left = await progress();
      expect(left).toBeLessThan(LINES);
      await hosts.worker();
      await eventually(
        () => operator.get(`/workspaces/${tenant_id}`),
        ({ status }) => status === 404,
        120_000,
      );
      const [tombstone] = await arranger.sql<{ counts: Record<string, number> }>(
        'SELECT counts FROM workspace_tombstone WHERE ws_id = $1',
        [tenant_id],
      );
      expect(tombstone?.counts.file_history).toBe(LINES);
      expect(await arranger.sql('SELECT 1 FROM file_history WHERE tenant_id = $1 LIMIT 1', [tenant_id])).toEqual([]);
    });
  });
});
