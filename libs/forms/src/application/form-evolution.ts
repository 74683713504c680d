import { Injectable } from '@nestjs/common';
import { Database, requireScope } from '@atrium/platform/database';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { FairPlaces, type JsonObject, MINUTE, notYet, Problem } from '@atrium/platform/kernel';
import { assertConvertible, assertKnownNames, assertUntouched } from '../domain/change-refusals';
import type { CompiledForm } from '../domain/compiled-form';
import { isRetrieved, type Form } from '../domain/form';
import type { FormDiff } from '../domain/form-diff';
import { isOpen } from '../domain/visible-fields';
import { isIndexed, samenessOf, type DoubledValue, type Sameness } from '../domain/value-index';
import { FormNumberRows } from '../infrastructure/form-numbers.rows';
import { FormMigrationRows, type FormMigration, type RowsOfCopy } from '../infrastructure/form-migrations.rows';
import { adoptForm, migrateForm } from '../jobs/migrate.jobs';
import { FormHolders } from './form-holders';
import { Forms } from './forms';
import type { LookTime, StoredAnswer, StoredQuestion } from '../infrastructure/stored-look';

const MOST_DUPLICATES = 10;
const ALL_ROWS = { mayBeLong: 'all stored rows of a form are looked through before it changes, with no lock' };

/** What a form is to become. */
export interface NextForm {
  readonly form_config?: JsonObject;
  readonly form_metadata?: JsonObject;
}

/** What is decided before a changed form is written. */
export interface PlannedChange {
  readonly diff: FormDiff;
  readonly pending: FormMigration | undefined;
  /** How many rows are to follow. */
  readonly total: number;
}

/** What the stored rows of a form say to a change, by the question. */
export type StoredAnswers = ReadonlyMap<string, StoredAnswer>;

/** The form has changed since its stored rows were looked through: others are to be looked through now. */
export class LookedTooEarly extends Error {
  constructor() {
    super('The form has changed while its stored rows were checked.');
  }
}

/** A change as it is compared with what is stored. */
interface Comparison {
  readonly before: CompiledForm;
  readonly diff: FormDiff;
  readonly pending: FormMigration | undefined;
}

/**
 * Decides whether a configuration may follow another over what is stored, and has the stored rows follow it. Nothing is
 * lost: a value is moved, converted or hidden, and a change that would do otherwise is refused with its count. Stored rows are
 * looked through before the form is locked, because those who write by it wait for the lock. What is written in between is
 * judged row by row while the rows follow.
 */
@Injectable()
export class FormEvolution {
  /** One change of a workspace at a time looks through stored values, and few of all of them: the places of large reads are for others too. */
  private readonly looks = new FairPlaces({
    places: 2,
    reserve: 1,
    waiting: 10,
    // Two may be before one, each with two minutes.
    waitMs: 5 * MINUTE,
    full: 'Stored values are being checked for other changes of forms. Try again shortly.',
  });

  constructor(
    private readonly db: Database,
    private readonly forms: Forms,
    private readonly holders: FormHolders,
    private readonly migrations: FormMigrationRows,
    private readonly numbers: FormNumberRows,
    private readonly outbox: Outbox,
  ) {}

  /** Looks through the stored rows for `planChange`, with no lock; a request may take longer over it than over a page, within `time`. */
  async inspectStoredRows(form: Form, next: NextForm, time: LookTime): Promise<StoredAnswers> {
    const [holder, compared] = [this.holders.findHolder(form.form_kind), await this.db.read(() => this.compare(form, next))];
    if (compared) await this.assertTaken(form, compared.pending);
    if (!holder || !compared || isUnsettled(compared.pending)) return new Map();
    const { diff, pending } = compared;
    const questions: StoredQuestion[] = [
      ...diff.blocked.map(({ path }) =>
        question(
          countOf(path),
          () => holder.countRows(form.form_id, path.split('.')),
          (count) => count > 0,
        ),
      ),
      ...diff.madeUnique.map((unique) => {
        const { path, sameness } = doubledIn(unique, pending);
        const ask = () => holder.findDuplicates(form.form_id, path.split('.'), MOST_DUPLICATES, sameness);
        return question(doubledOf(path, sameness), ask, (doubled) => doubled.length > 0);
      }),
      ...(asksRows(compared)
        ? [
            question(
              ROWS,
              () => this.rowsOf(form),
              () => false,
            ),
          ]
        : []),
    ];
    if (questions.length === 0) return new Map();
    const look = (): Promise<StoredAnswers> => this.db.readMany((tx) => time.answerQuestions(tx, questions), ALL_ROWS);
    // Rows are counted by an index; values are read row by row.
    const readsValues = diff.blocked.length + diff.madeUnique.length > 0;
    return readsValues ? this.looks.runInPlace(requireScope().tenant_id, look) : look();
  }

  /**
   * Refuses to change a form that rows are still to take because it is a copy of theirs: what they say would be judged by two forms at
   * once. Where that was given up, it is begun again.
   */
  private async assertTaken({ form_id }: Pick<Form, 'form_id'>, pending: FormMigration | undefined): Promise<void> {
    if (!pending || pending.mig_from === null) return;
    if (pending.mig_status === 'failed')
      await this.db.write(async () => {
        if (await this.migrations.resumeCopy(form_id)) this.outbox.addJob(planJob(adoptForm, { form_id, revision: pending.mig_revision }));
      });
    assertSettled(pending);
  }

  /** What the change asks of stored rows; null where it asks nothing. Refused while stored rows still follow the change before. */
  async planChange(form: Form, next: NextForm, answers: StoredAnswers): Promise<PlannedChange | null> {
    const compared = await this.compare(form, next);
    if (!compared) return null;
    const { diff, pending } = compared;
    assertSettled(pending);
    assertUntouched(pending?.mig_moves ?? [], this.compiled(form, next), 'form_migration is done');
    assertKnownNames(diff);
    if (this.holders.findHolder(form.form_kind)) assertPossible(compared, answers);
    return { diff, pending, total: await this.total(form, compared, answers) };
  }

  /** Writes down what is left to do on stored rows, and has it done; nothing where no row is stored or none is touched. */
  async beginMigration(form: Form, { diff, pending, total }: PlannedChange): Promise<void> {
    for (const { within, from, to } of diff.moves)
      if (within.length === 0 && from !== to) await this.numbers.renameField(form.form_id, from, to);
    const { moves, keys, dropped, reworded, failed } = workOf({ diff, pending });
    if (moves.length + keys.length + dropped.length === 0 && !reworded) return;
    if (total === 0 && !failed) return;
    const { form_id: mig_form, form_revision: mig_revision } = form;
    await this.migrations.beginMigration({
      mig_form,
      mig_revision,
      mig_total: total,
      mig_moves: moves,
      mig_keys: keys,
      mig_dropped: dropped,
      mig_reworded: reworded,
    });
    this.outbox.addJob(planJob(migrateForm, { form_id: mig_form, revision: mig_revision }));
  }

  /** Has rows of one base, in batches, take a form that is a copy of theirs. Until they have, lists do not use its fields, and it is not changed. */
  async adoptCopy(
    form: Pick<Form, 'form_id' | 'form_kind' | 'form_config' | 'form_revision'>,
    rows: Omit<RowsOfCopy, 'keys'>,
  ): Promise<void> {
    const { form_id, form_revision: revision } = form;
    const keys = this.forms
      .compileForm(form.form_config, { kind: form.form_kind })
      .all.filter(isIndexed)
      .map(({ path }) => path);
    await this.migrations.beginCopy(form_id, revision, { ...rows, keys });
    this.outbox.addJob(planJob(adoptForm, { form_id, revision }));
  }

  private async compare(form: Form, next: NextForm): Promise<Comparison | null> {
    const { form_config, form_metadata } = next;
    const retrieval = form_metadata !== undefined && isRetrieved({ form_metadata }) !== isRetrieved(form);
    if (form_config === undefined && !retrieval) return null;
    const after = this.compiled(form, next);
    const pending = await this.migrations.findMigration(form.form_id);
    const before = this.forms.compileForm(form.form_config, { kind: form.form_kind });
    const diff = this.forms.compareForms(before, after, { retired: form.form_retired, kind: form.form_kind });
    return { before, diff: { ...diff, reworded: diff.reworded || retrieval }, pending };
  }

  private compiled(form: Form, { form_config = form.form_config }: NextForm): CompiledForm {
    return this.forms.compileForm(form_config, { kind: form.form_kind });
  }

  /** Counted before the form was locked; where no row was there, one may have been written since. */
  private async total(form: Form, compared: Comparison, answers: StoredAnswers): Promise<number> {
    if (!asksRows(compared)) return 0;
    return (this.holders.findHolder(form.form_kind) && answered<number>(answers, ROWS)) || this.rowsOf(form);
  }

  private async rowsOf({ form_id, form_kind }: Form): Promise<number> {
    const holder = this.holders.findHolder(form_kind);
    return ((await holder?.countRows(form_id)) ?? 0) + ((await holder?.countAside?.(form_id)) ?? 0);
  }
}

const ROWS = 'rows';
const countOf = (path: string): string => `values ${path}`;
const doubledOf = (path: string, sameness: Sameness): string => `${sameness} ${path}`;
const question = <T extends StoredAnswer>(name: string, ask: () => Promise<T>, refuses: (answer: T) => boolean): StoredQuestion => ({
  name,
  ask,
  refuses: (answer) => refuses(answer as T),
});

/** By what and where the values of a field that becomes unique are compared. */
const doubledIn = ({ field, stored }: FormDiff['madeUnique'][number], pending: FormMigration | undefined) => ({
  path: sourceOf(stored, pending),
  sameness: samenessOf(field),
});

function answered<T extends number | readonly DoubledValue[]>(answers: StoredAnswers, question: string): T {
  const answer = answers.get(question);
  if (answer === undefined) throw new LookedTooEarly();
  return answer as T;
}

/** What stored rows are to follow, with what a failed migration left. */
function workOf({ diff, pending }: Pick<Comparison, 'diff' | 'pending'>) {
  const failed = pending?.mig_status === 'failed' ? pending : undefined;
  return {
    failed,
    moves: [...(failed?.mig_moves ?? []), ...diff.moves],
    keys: [...new Set([...(failed?.mig_keys ?? []), ...diff.reindexed])],
    dropped: [...new Set([...(failed?.mig_dropped ?? []), ...diff.unindexed])],
    reworded: diff.reworded || (failed?.mig_reworded ?? false),
  };
}

function asksRows(compared: Comparison): boolean {
  const { moves, keys, dropped, reworded } = workOf(compared);
  return moves.length + keys.length + dropped.length > 0 || reworded;
}

function assertPossible({ before, diff: { blocked, madeUnique }, pending }: Comparison, answers: StoredAnswers): void {
  const counts = new Map<string, number>();
  for (const { path } of blocked) {
    // The look ends with the first refusal.
    if (!answers.has(countOf(path)) && [...counts.values()].some((count) => count > 0)) break;
    counts.set(path, answered<number>(answers, countOf(path)));
  }
  assertConvertible(blocked, counts);
  for (const unique of madeUnique) {
    const { field, stored } = unique;
    const { path, sameness } = doubledIn(unique, pending);
    const doubled = answered<readonly DoubledValue[]>(answers, doubledOf(path, sameness));
    // Who changes schemas may not read all rows: what is protected, or was until now, is counted and not quoted.
    const quotable = isOpen(field) && isOpen(before.field(stored) ?? field);
    if (doubled.length === 0) continue;
    throw new Problem('in_use', `${field.label} cannot become unique: values are stored more than once; see errors.`, {
      errors: doubled.map(({ value, count, isOpen: readable }) => ({
        path: field.declared,
        code: 'unique',
        message: `${quotable && readable ? `"${value.slice(0, 100)}"` : 'A value'} is stored ${count} times.`,
      })),
    });
  }
}

/** Where values stand that a failed migration has not moved. */
const sourceOf = (path: string, pending: FormMigration | undefined): string =>
  (pending?.mig_moves ?? []).find(({ within, to }) => [...within, to].join('.') === path)?.from ?? path;

/** Rows that are to take a copy of their form do so before it changes, also where that was given up. */
const isUnsettled = (pending: FormMigration | undefined): boolean =>
  pending !== undefined && (pending.mig_from !== null || pending.mig_status === 'queued' || pending.mig_status === 'running');

function assertSettled(pending: FormMigration | undefined): void {
  if (isUnsettled(pending))
    throw notYet('Stored rows are still being migrated to the last change of this form. Change it again when form_migration is done.', 5);
}
