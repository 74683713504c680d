import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Client as Postgres } from 'pg';
import { BRIEF_LEASES, startAtrium, startWorker } from '../support/api';
import { spawnWorker } from '../support/built-hosts';
import { orderOf, personIn, readRequest } from './asking-for-data';

let api: RunningApi;
let ours: TestWorkspace;
let killed: ChildProcess | undefined;

beforeAll(async () => {
  api = await startAtrium(BRIEF_LEASES);
  ours = await api.workspace();
});
afterAll(async () => {
  killed?.kill('SIGKILL');
  await api.close();
});

describe('a worker that is killed in the middle of an erasure', () => {
  it('leaves the person suspended and what is done reported; another worker ends it and does nothing twice', async () => {
    const person = await personIn(api, ours, 'jo@quay.example', 'Jo');
    await migrateQueue(api.database.ownerUrl);
    const gate = new Postgres({ connectionString: api.database.ownerUrl });
    await gate.connect();
    await gate.query('BEGIN; LOCK TABLE account_link IN EXCLUSIVE MODE');
    killed = spawnWorker();
    const { dsr_id } = await orderOf(ours.owner.client, {
      dsr_kind: 'erasure',
      dsr_subject_type: 'user',
      dsr_subject: person.user_id,
      execute_after_days: 0,
    });
    const halfway = await eventually(
      () => readRequest(ours.owner.client, dsr_id),
      ({ dsr_report }) => 'governance' in dsr_report,
      60_000,
    );
    expect(halfway).toMatchObject({ dsr_status: 'running' });
    expect(halfway.dsr_report).not.toHaveProperty('identity');
    await person.client.get('/me').expect(401);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await gate.query('ROLLBACK');
    await gate.end();

    await startWorker(api);
    const done = await eventually(
      () => readRequest(ours.owner.client, dsr_id),
      ({ dsr_status }) => dsr_status !== 'running',
      120_000,
    );
    expect(done).toMatchObject({
      dsr_status: 'completed',
      dsr_done: done.dsr_total,
      dsr_report: { ...halfway.dsr_report, identity: { workspace_user: { anonymized: 1 } } },
    });
    expect((await ours.owner.client.get(`/admin/users/${person.user_id}`).expect(200)).body).toMatchObject({
      user_name: 'Former member',
      user_email: null,
    });
  }, 240_000);
});
