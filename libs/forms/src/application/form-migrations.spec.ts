import { type Database } from '@atrium/platform/database';
import { Problem, type Clock } from '@atrium/platform/kernel';
import { WorkEngine, type Outbox } from '@atrium/platform/messaging';
import { MigrationWork } from '../domain/migration-work';
import type { FormMigrationRows } from '../infrastructure/form-migrations.rows';
import type { FormValueRows } from '../infrastructure/form-values.rows';
import type { FormsRepository } from '../infrastructure/forms.repository';
import type { MigrationWorkRows } from '../infrastructure/migration-work.rows';
import type { FormHolders } from './form-holders';
import { FormMigrations, type MigrationRun } from './form-migrations';
import type { FormValues } from './form-values';
import type { Forms } from './forms';

const NOW = new Date('2026-11-30T08:00:00Z');

/** The work on a form without rows, for its second revision; `step` is what happens in its only batch. */
function migrationsOf(step: (stored: MigrationWork) => void = () => undefined) {
  const stored = Object.assign(new MigrationWork(), { job_id: 'f', job_attempt: 2, status: 'queued', done: 0, error: null });
  const unit = (work: () => unknown): unknown => work();
  const work = {
    lock: () => Promise.resolve(Object.assign(new MigrationWork(), stored)),
    save: (row: MigrationWork) => Promise.resolve(void Object.assign(stored, row)),
  } as unknown as MigrationWorkRows;
  const migrations = {
    lockMigration: () => {
      step(stored);
      const { job_attempt: mig_revision, status: mig_status } = stored;
      return Promise.resolve({ mig_revision, mig_status, mig_from: null, mig_dropped: [], mig_keys: [] });
    },
    advanceMigration: () => Promise.resolve(void Object.assign(stored, { status: 'running' })),
    finishMigration: () => Promise.resolve(void Object.assign(stored, { status: 'completed' })),
  } as unknown as FormMigrationRows;
  const followed = new FormMigrations(
    new WorkEngine({ write: unit, read: unit } as unknown as Database, {} as Outbox, { now: () => NOW } as Clock),
    work,
    migrations,
    { findRow: () => Promise.resolve(null) } as unknown as FormsRepository,
    {} as FormValues,
    {} as FormValueRows,
    {} as FormHolders,
    {} as Forms,
  );
  const run = (over: Partial<MigrationRun> = {}): MigrationRun => ({
    signal: new AbortController().signal,
    heartbeat: () => Promise.resolve(),
    givesUpOn: () => Promise.resolve(false),
    ...over,
  });
  return { stored, followed, run };
}

describe('the work on stored rows after a change of their form', () => {
  it('is done with its last batch', async () => {
    const { stored, followed, run } = migrationsOf();
    await followed.followChange('f', 2, run());
    expect(stored).toMatchObject({ status: 'completed', error: null, job_started: NOW });
  });

  it('is done by a run for an earlier change, whose end closes the job of the later change too', async () => {
    const { stored, followed, run } = migrationsOf();
    await followed.followChange('f', 1, run());
    expect(stored).toMatchObject({ status: 'completed', error: null });
  });

  it('is not ended by the end of an earlier change, nor begun by a run for a change that it does not know', async () => {
    const { stored, followed, run } = migrationsOf();
    await followed.giveUpChange('f', 1);
    expect(stored).toMatchObject({ status: 'queued', error: null });
    await followed.followChange('f', 3, run());
    expect(stored).toMatchObject({ status: 'running', error: null });
  });

  it('stays ended where it was given up between two batches', async () => {
    const { stored, followed, run } = migrationsOf((row) => Object.assign(row, { status: 'failed', error: 'Lost.' }));
    await followed.followChange('f', 2, run());
    expect(stored).toMatchObject({ status: 'failed', error: 'Lost.' });
  });

  it('is tried again after a refusal too, and fails once its queue gives it up', async () => {
    const refused = new Problem('invalid_state', 'Not beside another change.');
    const { stored, followed, run } = migrationsOf(() => {
      throw refused;
    });
    await expect(followed.followChange('f', 2, run())).rejects.toBe(refused);
    expect(stored.status).toBe('running');
    await followed.followChange('f', 2, run({ givesUpOn: () => Promise.resolve(true) }));
    expect(stored).toMatchObject({ status: 'failed', error: 'Stored rows could not be migrated. Change the form again to retry.' });
  });

  it('fails where its workers were lost, or where it is given up', async () => {
    for (const end of ['giveUp', 'giveUpChange'] as const) {
      const { stored, followed } = migrationsOf();
      await (end === 'giveUp' ? followed.giveUp('f', 'Lost.') : followed.giveUpChange('f', 2));
      expect(stored).toMatchObject({ status: 'failed', error: 'Stored rows could not be migrated. Change the form again to retry.' });
    }
  });
});
