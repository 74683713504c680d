import { Database, createDataSource, runInScope, SYSTEM_ACTOR, type CallScope } from '@atrium/platform/database';
import { newId, SystemClock } from '@atrium/platform/kernel';
import { testDatabase } from '@atrium/platform/testing';
import { IsString } from 'class-validator';
import { BackgroundJobs } from './background-jobs';
import { defineJob, planJob } from './job-definition';
import type { JobEnvelope } from './job-envelope';
import { BackgroundJobRows } from './tracked/background-job.rows';
import { JobDirectory } from './tracked/job-directory';
import { LostWork } from './tracked/lost-work';
import { LostWorkRows } from './tracked/lost-work.rows';
import { WorkEngine } from './tracked/work-engine';
import { JobLedger, Overtaken, type Begun } from './job-ledger';
import { Outbox } from './outbox';
import { OutboxBell } from './outbox-bell';
import { OutboxRows, envelopeOf } from './outbox-rows';
import { PostgresSignals } from './postgres-signals';

class Letter {
  @IsString() to!: string;
}

const post = defineJob('ledger.post', { payload: Letter });

describe('The ledger of jobs', () => {
  let db: Database;
  let outbox: Outbox;
  let rows: OutboxRows;
  let ledger: JobLedger;
  let signals: PostgresSignals;
  let scope: CallScope;
  let envelope: JobEnvelope;

  beforeAll(async () => {
    const { appUrl } = await testDatabase();
    db = new Database(
      await createDataSource({ url: appUrl, pool: 4, acquireTimeoutMs: 5_000, applicationName: 'ledger-spec' }, []).initialize(),
      { prepared: true, pool: 4, acquireTimeoutMs: 5_000 },
    );
    signals = new PostgresSignals(db.dataSource, appUrl);
    outbox = new Outbox(db, new OutboxBell(signals));
    rows = new OutboxRows(db);
    const engine = new WorkEngine(db, outbox, new SystemClock());
    ledger = new JobLedger(
      db,
      new BackgroundJobs(engine, new BackgroundJobRows(db), new JobDirectory(db), new LostWork(new LostWorkRows(db))),
    );
  });

  afterAll(async () => {
    await signals.onApplicationShutdown();
    await db.onApplicationShutdown();
  });

  beforeEach(async () => {
    scope = { tenant_id: newId(), actor: { ...SYSTEM_ACTOR, kind: 'person', user_id: newId() }, request_id: 'r' };
    await inScope(() => db.write(async () => outbox.addJob(planJob(post, { to: 'Ada' }))));
    const [row] = (await rows.admitJobs([{ queue: post.name, room: 100, share: 100 }], 30)).filter(
      ({ tenant_id }) => tenant_id === scope.tenant_id,
    );
    if (!row) throw new Error('The job was not admitted.');
    await rows.markSent([row]);
    envelope = envelopeOf(row);
  });

  const inScope = <T>(work: () => Promise<T>): Promise<T> => runInScope(scope, work);
  const begin = async (isFirst: boolean): Promise<Begun> => {
    const begun = await inScope(() => ledger.beginRun(post, envelope, isFirst));
    if (!begun) throw new Error('The job did not begin.');
    return begun;
  };
  const stored = () =>
    inScope(() =>
      db.read((tx) =>
        tx.first<{ ev_done: Date | null; ev_error: string | null }>(`SELECT ev_done, ev_error FROM outbox WHERE ev_id = $1`, [
          envelope.job_id,
        ]),
      ),
    );

  const ends = (run: Begun): readonly (() => Promise<void>)[] => [
    () => inScope(() => ledger.completeRun(envelope, run, null)),
    () => inScope(() => ledger.failRun(envelope, run, 'It broke.')),
    () => inScope(() => ledger.postponeJob(envelope, run, 'storage', 1_000)),
    () => inScope(() => ledger.pauseJob(envelope, run, { failed: true, pauseMs: 1_000 })),
  ];

  it('closes the row for the run that holds the job, and for no run that another one has followed', async () => {
    const overtaken = await begin(true);
    const follower = await begin(false);
    for (const end of ends(overtaken)) await expect(end()).rejects.toBeInstanceOf(Overtaken);
    expect(await stored()).toEqual({ ev_done: null, ev_error: null });
    await inScope(() => ledger.completeRun(envelope, follower, null));
    expect((await stored())?.ev_done).not.toBeNull();
  });

  it('takes a job from the worker that has it when its queue has lost it, or when it was postponed', async () => {
    const first = await begin(true);
    await rows.reclaimJobs(await rows.findOverdueJobs([post.name], 100, 0));
    await expect(inScope(() => ledger.completeRun(envelope, first, null))).rejects.toBeInstanceOf(Overtaken);
    const second = await begin(true);
    await inScope(() => ledger.postponeJob(envelope, second, null, 0));
    await expect(inScope(() => ledger.failRun(envelope, second, 'It broke.'))).rejects.toBeInstanceOf(Overtaken);
    expect(await stored()).toEqual({ ev_done: null, ev_error: null });
  });
});
