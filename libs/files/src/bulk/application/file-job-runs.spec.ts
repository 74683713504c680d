import type { Principal } from '@atrium/platform/access';
import { runInScope, SYSTEM_ACTOR, type Database } from '@atrium/platform/database';
import { Problem, type Clock } from '@atrium/platform/kernel';
import { WorkEngine, type JobRun, type Outbox } from '@atrium/platform/messaging';
import { FileJob } from '../domain/file-job';
import type { FileJobsRepository } from '../infrastructure/file-jobs.repository';
import { defineFileJob } from './file-job-definition';
import { FileJobKinds, type FileJobStep } from './file-job-kinds';
import { FileJobRuns } from './file-job-runs';

const MAY = new Set<string>(['media:edit']);
const ANN = { user_id: 'ann', permissions: MAY, modules: new Set() } as unknown as Principal;
const RETAG = defineFileJob('retag', { seenWith: ['media:edit'] });
const ERASE = defineFileJob('erase', {
  seenWith: ['admin:settings'],
  rights: ({ of }) => ({ permission: of === 'faces' ? 'admin:settings' : 'media:edit' }),
});
const RUN = {
  signal: new AbortController().signal,
  heartbeat: () => Promise.resolve(),
  givesUpOn: () => Promise.resolve(false),
} as unknown as JobRun;

function runsOf(changes: Partial<FileJob> = {}, { open = 0 } = {}) {
  const stored = Object.assign(
    new FileJob(),
    { job_id: 'j', job_kind: 'retag', status: 'queued', done: 0, failed: 0, total: null, error: null, result: null, errors: [] },
    { job_params: { tag: 't' }, job_checkpoint: null, job_attempt: 0, job_created_by: 'ann', job_key: null, ...changes },
  );
  const units = { open, most: 0 };
  const unit = async (work: () => unknown): Promise<unknown> => {
    units.most = Math.max(units.most, ++units.open);
    try {
      return await work();
    } finally {
      units.open -= 1;
    }
  };
  const rows = {
    lock: () => Promise.resolve(Object.assign(new FileJob(), stored)),
    save: (row: FileJob) => Promise.resolve(void Object.assign(stored, row)),
  } as unknown as FileJobsRepository;
  const engine = new WorkEngine({ write: unit, read: unit } as unknown as Database, {} as Outbox, { now: () => new Date() } as Clock, {
    resolvePrincipal: () => Promise.resolve(ANN),
  });
  const kinds = new FileJobKinds();
  const runs = new FileJobRuns(engine, rows, kinds);
  const run = () => runInScope({ tenant_id: 't', actor: SYSTEM_ACTOR, request_id: 'r' }, () => runs.runBatches('j', RUN));
  return { stored, kinds, units, run, runs };
}

describe('the batches of a file job', () => {
  it('are done one after the other, each from where the one before ended, for who requested the job', async () => {
    const { stored, kinds, run } = runsOf();
    const seen: unknown[] = [];
    kinds.register({
      kind: RETAG,
      runStep: ({ checkpoint, caller, params }: FileJobStep) => {
        seen.push([checkpoint, caller.user_id, params]);
        return Promise.resolve({ checkpoint: checkpoint === null ? 'a' : null, done: 2, failed: 0, errors: [] });
      },
    });
    await run();
    expect(seen).toEqual([
      [null, 'ann', { tag: 't' }],
      ['a', 'ann', { tag: 't' }],
    ]);
    expect(stored).toMatchObject({ status: 'completed', done: 4, total: 4, job_params: {} });
  });

  it.each([
    ['faces', 'failed', 0],
    ['tags', 'completed', 1],
  ])('of %s are %s with the rights of this moment where their kind names some', async (of, status, steps) => {
    const { stored, kinds, run } = runsOf({ job_kind: 'erase', job_params: { of } });
    const runStep = jest.fn(() => Promise.resolve({ checkpoint: null, done: 1, failed: 0, errors: [] }));
    kinds.register({ kind: ERASE, runStep });
    await run();
    expect(stored.status).toBe(status);
    expect(runStep).toHaveBeenCalledTimes(steps);
  });

  it('go on at the checkpoint of a run that was cut off', async () => {
    const { stored, kinds, run } = runsOf({ status: 'running', job_checkpoint: 'm', done: 7 });
    kinds.register({
      kind: RETAG,
      runStep: ({ checkpoint }) => Promise.resolve({ checkpoint: null, done: checkpoint === 'm' ? 1 : 99, failed: 0, errors: [] }),
    });
    await run();
    expect(stored).toMatchObject({ status: 'completed', done: 8 });
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('of a kind that is whole (%s) are one unit of work with the place where they end', async (whole, open) => {
    const { kinds, units, run } = runsOf();
    const during: number[] = [];
    kinds.register({
      kind: RETAG,
      whole,
      runStep: () => {
        during.push(units.open);
        return Promise.resolve({ checkpoint: null, done: 1, failed: 0, errors: [] });
      },
    });
    await run();
    expect(during).toEqual([open]);
  });

  it('count for nothing where another run has begun in the meantime', async () => {
    const { stored, kinds, run } = runsOf();
    kinds.register({
      kind: RETAG,
      runStep: () => {
        stored.job_attempt += 1;
        return Promise.resolve({ checkpoint: null, done: 5, failed: 0, errors: [] });
      },
    });
    await run();
    expect(stored).toMatchObject({ status: 'running', done: 0 });
  });

  it('end with the reason and the code of what a batch was refused for', async () => {
    const { stored, kinds, run } = runsOf();
    kinds.register({ kind: RETAG, runStep: () => Promise.reject(new Problem('in_use', 'The tag is in use.')) });
    await run();
    expect(stored).toMatchObject({ status: 'failed', error: 'The tag is in use.', errors: [{ file_id: null, code: 'in_use' }] });
  });

  it('are not tried where the installation does no such work', async () => {
    const { stored, run } = runsOf();
    await run();
    expect(stored).toMatchObject({ status: 'failed', errors: [{ file_id: null, code: 'not_configured' }] });
  });

  it('are tried again where something they need is not configured for a while', async () => {
    const { stored, kinds, run } = runsOf();
    const away = new Problem('not_configured', 'No service for faces.');
    kinds.register({ kind: RETAG, runStep: () => Promise.reject(away) });
    await expect(run()).rejects.toBe(away);
    expect(stored.status).toBe('running');
  });

  it('count for nothing where a host without attempts has gone on', async () => {
    const { stored, kinds, run } = runsOf();
    kinds.register({
      kind: RETAG,
      runStep: () => {
        stored.job_checkpoint = 'c2';
        return Promise.resolve({ checkpoint: 'c1', done: 5, failed: 0, errors: [] });
      },
    });
    await run();
    expect(stored).toMatchObject({ status: 'running', done: 0, job_checkpoint: 'c2' });
  });

  it.each([
    [undefined, 'internal_error'],
    [new Problem('service_unavailable', 'Lost.'), 'service_unavailable'],
  ])('of a job that is given up for %s are named %s', async (cause, code) => {
    const { stored, runs } = runsOf({ status: 'running' });
    await runs.giveUp('j', 'Given up.', cause);
    expect(stored).toMatchObject({ status: 'failed', error: 'Given up.', errors: [{ file_id: null, code }] });
  });
});
