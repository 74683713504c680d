import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestingModule } from '@nestjs/testing';
import { systemPrincipal, type Principal } from '@atrium/platform/access';
import { Database, sql, type CallScope } from '@atrium/platform/database';
import { NIL_ID } from '@atrium/platform/kernel';
import { planJob, JobDirectory, migrateQueue, Outbox, type Job, type PlannedJob, type RelayPace } from '@atrium/platform/messaging';
import { createTestDatabase, dropTestDatabase, ofThisFile, type TestDatabase } from '@atrium/platform/testing';
import { REDIS_PROGRAM } from '../support/redis-server';
import { postgresBackend, redisBackend, type ContractBackend } from './backends';
import { inScope, scopeOfNewTenant, startApi, startWorker, until } from './processes';
import { Shop, single } from './shop';

const REDIS_URL = process.env.TEST_REDIS_URL;

const BACKENDS = [
  { name: 'PostgreSQL', open: async (database: TestDatabase) => postgresBackend(database), present: true },
  { name: 'Redis', open: (database: TestDatabase) => redisBackend(database, REDIS_URL), present: Boolean(REDIS_URL ?? REDIS_PROGRAM) },
] as const;

interface Ground {
  readonly database: TestDatabase;
  readonly backend: ContractBackend;
  readonly api: TestingModule;
}

/** What the row of a job says. */
interface JobRow extends Record<string, unknown> {
  readonly ev_sent: string | null;
  readonly ev_done: string | null;
  readonly ev_error: string | null;
  readonly ev_waits: number;
  readonly ev_waits_for: string | null;
}

/** Messaging over one backend, in the hands of a test: a workspace of its own for each, and workers that end with it. */
export class Messaging {
  scope: CallScope = scopeOfNewTenant();
  readonly workers: TestingModule[] = [];
  private ground: Ground | undefined;

  constructor(readonly name: 'PostgreSQL' | 'Redis') {}

  get api(): TestingModule {
    return this.open.api;
  }

  get backend(): ContractBackend {
    return this.open.backend;
  }

  get database(): TestDatabase {
    return this.open.database;
  }

  async start(open: (database: TestDatabase) => Promise<ContractBackend>): Promise<void> {
    const database = await createTestDatabase();
    await migrateQueue(database.ownerUrl);
    const backend = await open(database);
    this.ground = { database, backend, api: await startApi(backend.address) };
  }

  async stop(): Promise<void> {
    await this.ground?.api.close();
    await this.ground?.backend.stop();
    if (this.ground) await dropTestDatabase(this.ground.database);
  }

  readonly worker = async (pace: Partial<RelayPace> = {}): Promise<Shop> => {
    const app = await startWorker(this.backend.address, pace);
    this.workers.push(app);
    return app.get(Shop);
  };

  readonly ask = (planned: PlannedJob, as = this.scope): Promise<string> =>
    inScope(as, () => this.api.get(Database).write(async () => this.api.get(Outbox).addJob(planned)));

  readonly askFor = async (items: readonly string[], as = this.scope): Promise<string[]> => {
    const ids: string[] = [];
    for (const item of items) ids.push(await this.ask(planJob(single, { item }), as));
    return ids;
  };

  readonly rowOf = (job_id: string, as = this.scope): Promise<JobRow | undefined> =>
    inScope(as, () =>
      this.api
        .get(Database)
        .read((tx) => tx.first<JobRow>(sql`SELECT ev_sent, ev_done, ev_error, ev_waits, ev_waits_for FROM outbox WHERE ev_id = ${job_id}`)),
    );

  readonly seen = (job_id: string, as = this.scope): Promise<Job> =>
    inScope(as, () => this.api.get(JobDirectory).get(callerOf(as), job_id));

  readonly cancelled = (job_id: string): Promise<Job> =>
    inScope(this.scope, () => this.api.get(JobDirectory).cancel(callerOf(this.scope), job_id));

  readonly done = (job_id: string, as = this.scope): Promise<JobRow | undefined> =>
    until(
      'the job is done',
      () => this.rowOf(job_id, as),
      (row) => Boolean(row?.ev_done),
    );

  /** A worker in a process of its own, which takes the job with this item. */
  readonly childWith = (item: string, how: 'waits' | 'spins') => {
    const { redisUrl, databaseUrl } = this.backend.address;
    const program = ['-r', join(__dirname, 'typescript-hook.cjs'), join(__dirname, 'worker-process.ts')];
    return ofThisFile(spawn(process.execPath, [...program, redisUrl, databaseUrl, item, how], { stdio: ['ignore', 'pipe', 'inherit'] }));
  };

  /** It is killed as soon as it has the job. */
  readonly killedWith = async (item: string): Promise<void> => {
    const child = this.childWith(item, 'waits');
    const gone = once(child, 'exit');
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    await until(
      'the child has it',
      () => said,
      (text) => text.includes(`began ${item}`),
      60_000,
    );
    child.kill('SIGKILL');
    await gone;
  };

  /** Both slots of the kind run a job until the gate opens: one of this workspace, one of another. Resolves when they are done. */
  readonly fillSlots = async (
    shop: Shop,
    { opened }: { readonly opened: Promise<void> },
  ): Promise<{ readonly ended: Promise<unknown> }> => {
    const { done } = this;
    const holders = await Promise.all(
      [this.scope, scopeOfNewTenant()].map(async (as, n) => {
        shop.when(`holding ${n}`, () => opened);
        return { as, id: await this.ask(planJob(single, { item: `holding ${n}` }), as) };
      }),
    );
    await until(
      'both run',
      () => shop.runs.filter(({ item }) => item.startsWith('holding')).length,
      (runs) => runs === 2,
    );
    return {
      get ended() {
        return Promise.all(holders.map(({ id, as }) => done(id, as)));
      },
    };
  };

  private get open(): Ground {
    if (!this.ground) throw new Error('Messaging is there once the tests of the file have begun.');
    return this.ground;
  }
}

export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

const callerOf = ({ tenant_id, actor }: CallScope): Principal => ({
  ...systemPrincipal(tenant_id ?? NIL_ID),
  user_id: actor.user_id ?? NIL_ID,
});

/** The tests of a part of messaging, over every backend that is here. */
export function describeMessaging(part: string, tests: (messaging: Messaging) => void): void {
  for (const { name, open, present } of BACKENDS)
    (present ? describe : describe.skip)(
      `${part} over ${name}${present ? '' : ' (skipped: no redis-server here and TEST_REDIS_URL is not set)'}`,
      () => {
        const messaging = new Messaging(name);
        beforeAll(() => messaging.start(open));
        afterAll(() => messaging.stop());
        beforeEach(() => {
          messaging.scope = scopeOfNewTenant();
        });
        afterEach(async () => {
          await Promise.all(messaging.workers.splice(0).map((worker) => worker.close()));
          await messaging.backend.flush();
        });
        tests(messaging);
      },
    );
}
