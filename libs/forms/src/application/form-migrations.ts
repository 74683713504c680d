import { Injectable } from '@nestjs/common';
import { sql, type WorkOutcome } from '@atrium/platform/database';
import type { Problem } from '@atrium/platform/kernel';
import { TrackedRuns, WorkEnded, WorkEngine, type JobRun } from '@atrium/platform/messaging';
import { FIRST_BATCH, nextBatch } from '../domain/batch-size';
import type { Form } from '../domain/form';
import type { MigrationWork } from '../domain/migration-work';
import { applyMoves } from '../domain/moves';
import { projectContent } from '../domain/visible-fields';
import { FormMigrationRows, type FormMigration } from '../infrastructure/form-migrations.rows';
import { MigrationWorkRows } from '../infrastructure/migration-work.rows';
import { FormValueRows } from '../infrastructure/form-values.rows';
import { FormsRepository } from '../infrastructure/forms.repository';
import { migrateForm } from '../jobs/migrate.jobs';
import { FormHolders, type FormHolder, type HeldRow, type ReturnedRow } from './form-holders';
import { Forms } from './forms';
import { FormValues } from './form-values';
import type { OpenForm } from './open-form';

const FAILED = 'Stored rows could not be migrated. Change the form again to retry.';

/** What keeps a run going, and what ends it. */
export type MigrationRun = Pick<JobRun, 'signal' | 'heartbeat' | 'givesUpOn'>;

/**
 * Has the stored rows of a form follow its last change, batch by batch. A batch and how far the work is are one transaction,
 * so that a run that is cut off is gone on with where it ended, and each row is done once.
 */
@Injectable()
export class FormMigrations extends TrackedRuns<MigrationWork> {
  constructor(
    engine: WorkEngine,
    work: MigrationWorkRows,
    private readonly migrations: FormMigrationRows,
    private readonly repository: FormsRepository,
    private readonly values: FormValues,
    private readonly valueRows: FormValueRows,
    private readonly holders: FormHolders,
    private readonly forms: Forms,
  ) {
    super(engine, work);
  }

  followChange(form_id: string, revision: number, run: MigrationRun): Promise<void> {
    return this.runWork(form_id, run, async ({ job_attempt }) => {
      if (job_attempt < revision) throw new WorkEnded();
      // Where the form has changed again, this run ends the job of that change as well: both have the same key.
      await this.stepAll(form_id, job_attempt, run);
      return { status: 'completed' };
    });
  }

  /** Its queue has given a change up; content is read through its moves all the same. */
  async giveUpChange(form_id: string, revision: number): Promise<void> {
    try {
      await this.finishRun({ job_id: form_id, job_attempt: revision }, this.failureOf());
    } catch (error) {
      if (!(error instanceof WorkEnded)) throw error;
    }
  }

  protected labelOf(): string {
    return migrateForm.name;
  }

  protected eventsOf(): readonly never[] {
    return [];
  }

  /** What is refused at one moment, such as beside a change of rows, may be done at another. */
  protected override isFinal(_error: unknown): _error is Problem {
    return false;
  }

  protected override failureOf(): WorkOutcome {
    return { status: 'failed', error: FAILED };
  }

  private async stepAll(form_id: string, revision: number, run: MigrationRun): Promise<void> {
    for (let rows = FIRST_BATCH; ;) {
      const { more, tookMs } = await this.engine.db.write(async () => {
        // What it waits for a turn and a connection is no reason for smaller batches.
        const began = performance.now();
        return { more: await this.step(form_id, revision, rows), tookMs: performance.now() - began };
      });
      if (!more) return;
      rows = nextBatch(rows, tookMs);
      run.signal.throwIfAborted();
      await run.heartbeat();
    }
  }

  /** One batch of at most so many rows; whether more is to be done. */
  private async step(form_id: string, revision: number, most: number): Promise<boolean> {
    const migration = await this.migrations.lockMigration(form_id);
    // Ended by another run, given up or lost, or gone with its form.
    if (migration?.mig_revision !== revision || migration.mig_status !== 'running') throw new WorkEnded();
    const form = await this.repository.findRow(form_id);
    const holder = form && this.holders.findHolder(form.form_kind);
    if (migration.mig_from !== null) return this.adopt(migration, holder, most);
    const held = holder ? await holder.handOut(form_id, migration.mig_cursor, most) : [];
    if (form && holder && held.length > 0) await this.followRows(form, holder, migration, held);
    await this.migrations.advanceMigration(form_id, held.length, held.at(-1)?.id ?? null, 'running');
    if (held.length === most) return true;
    // Unique values of fields that are unique no more, in the end and at once.
    if (migration.mig_dropped.length + migration.mig_keys.length > 0 && form) await this.releaseOld(form, migration);
    await this.migrations.finishMigration(form_id);
    return false;
  }

  /** One batch of rows that take the form because it is a copy of theirs; whether more of them, or other work, is to be done. */
  private async adopt(migration: FormMigration, holder: FormHolder | null | undefined, most: number): Promise<boolean> {
    const { mig_form, mig_from: from, mig_within: within, mig_cursor: after } = migration;
    if (!holder?.adoptForm) throw new Error('Nobody here keeps the rows of the form.');
    const ids = from !== null && within !== null ? await holder.adoptForm({ from, to: mig_form, within }, after, most) : [];
    if (from !== null && ids.length > 0) await this.valueRows.moveValues(from, mig_form, sql`SELECT unnest(${[...ids]}::uuid[])`);
    await this.migrations.advanceMigration(mig_form, ids.length, ids.at(-1) ?? null, 'running');
    if (ids.length === most) return true;
    if (await this.migrations.endCopy(mig_form)) return true;
    await this.migrations.finishMigration(mig_form);
    return false;
  }

  private async followRows(form: Form, holder: FormHolder, migration: FormMigration, held: readonly HeldRow[]): Promise<void> {
    const compiled = this.forms.compileForm(form.form_config, { kind: form.form_kind });
    const open: OpenForm = { ...form, compiled, unready: new Set(), copiedFrom: null };
    const contents = held.map((row) => ({ ...row, next: applyMoves(row.content, migration.mig_moves) }));
    const taken = await this.values.tryIndexRows(
      open,
      contents
        .filter(({ aside }) => aside !== true)
        .map(({ id, next, beside, claims, within }) => ({ owner_id: id, content: next, beside, claims, within })),
    );
    const returned: ReturnedRow[] = contents.map(({ id, content, next, aside = false }) => {
      const doubled = taken.filter(({ owner_id }) => owner_id === id).map(({ field_key }) => ({ field: field_key, code: 'unique' }));
      if (aside) return { id, content: next, issues: [], changed: next !== content, aside };
      return {
        id,
        content: next,
        issues: [...projectContent(compiled, next, { hidden: true }).issues, ...doubled],
        changed: next !== content,
        aside,
      };
    });
    await holder.storeRows(form, returned, { reworded: migration.mig_reworded });
  }

  private async releaseOld(form: Form, { mig_dropped, mig_keys }: FormMigration): Promise<void> {
    const compiled = this.forms.compileForm(form.form_config, { kind: form.form_kind });
    const gone = [...mig_dropped, ...mig_keys].filter((key) => compiled.field(key)?.unique !== true);
    if (gone.length > 0) await this.valueRows.releaseValues(form.form_id, gone);
  }
}
