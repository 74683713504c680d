import { Injectable } from '@nestjs/common';
import { job, Outbox } from '@atrium/platform/messaging';
import { type FieldFault, invalidFields, type JsonObject, notYet, Problem } from '@atrium/platform/kernel';
import type { CompiledForm } from '../domain/compiled-form';
import { isRetrieved, type Form } from '../domain/form';
import type { FormDiff } from '../domain/form-diff';
import type { Move } from '../domain/moves';
import { isOpen } from '../domain/visible-fields';
import { samenessOf } from '../domain/value-index';
import { FormNumberRows } from '../infrastructure/form-numbers.rows';
import { FormMigrationRows, type FormMigration } from '../infrastructure/form-migrations.rows';
import { migrateForm } from '../jobs/migrate.jobs';
import { FormHolders, type FormHolder } from './form-holders';
import { Forms } from './forms';

const MOST_DUPLICATES = 10;

/** What a form is to become. */
export interface NextForm {
  readonly form_config?: JsonObject;
  readonly form_metadata?: JsonObject;
}

/** What is decided before a changed form is written. */
export interface PlannedChange {
  readonly diff: FormDiff;
  readonly pending: FormMigration | undefined;
}

/**
 * Decides whether a configuration may follow another over what is stored, and has the stored rows follow it. Nothing is
 * lost: a value is moved, converted or hidden, and a change that would do otherwise is refused with its count.
 */
@Injectable()
export class FormEvolution {
  constructor(
    private readonly forms: Forms,
    private readonly holders: FormHolders,
    private readonly migrations: FormMigrationRows,
    private readonly numbers: FormNumberRows,
    private readonly outbox: Outbox,
  ) {}

  /** What the change asks of stored rows; null where it asks nothing. Refused while stored rows still follow the change before. */
  async plan(form: Form, { form_config, form_metadata }: NextForm): Promise<PlannedChange | null> {
    const retrieval = form_metadata !== undefined && isRetrieved({ form_metadata }) !== isRetrieved(form);
    if (form_config === undefined && !retrieval) return null;
    const after = this.forms.compile(form_config ?? form.form_config, { kind: form.form_kind });
    const pending = await this.migrations.find(form.form_id);
    demandSettled(pending);
    const before = this.forms.compile(form.form_config, { kind: form.form_kind });
    const diff = this.forms.diff(before, after, { retired: form.form_retired, kind: form.form_kind });
    demandUntouched(pending, after);
    demandKnownNames(diff);
    const holder = this.holders.of(form.form_kind);
    if (holder) await this.demandPossible(holder, form, { before, diff, pending });
    return { diff: { ...diff, reworded: diff.reworded || retrieval }, pending };
  }

  /** Writes down what is left to do on stored rows, and has it done; nothing where no row is stored or none is touched. */
  async begin(form: Form, { diff, pending }: PlannedChange): Promise<void> {
    for (const { within, from, to } of diff.moves)
      if (within.length === 0 && from !== to) await this.numbers.rename(form.form_id, from, to);
    const failed = pending?.mig_status === 'failed' ? pending : undefined;
    const moves = [...(failed?.mig_moves ?? []), ...diff.moves];
    const keys = [...new Set([...(failed?.mig_keys ?? []), ...diff.reindexed])];
    const dropped = [...new Set([...(failed?.mig_dropped ?? []), ...diff.unindexed])];
    const reworded = diff.reworded || (failed?.mig_reworded ?? false);
    if (moves.length + keys.length + dropped.length === 0 && !reworded) return;
    const holder = this.holders.of(form.form_kind);
    const total = ((await holder?.count(form.form_id)) ?? 0) + ((await holder?.countAside?.(form.form_id)) ?? 0);
    if (total === 0 && !failed) return;
    const { form_id: mig_form, form_revision: mig_revision } = form;
    await this.migrations.begin({
      mig_form,
      mig_revision,
      mig_total: total,
      mig_moves: moves,
      mig_keys: keys,
      mig_dropped: dropped,
      mig_reworded: reworded,
    });
    this.outbox.add(job(migrateForm, { form_id: mig_form, revision: mig_revision }));
  }

  private async demandPossible(
    holder: FormHolder,
    form: Form,
    { before, diff: { blocked, madeUnique }, pending }: PlannedChange & { readonly before: CompiledForm },
  ): Promise<void> {
    const faults: FieldFault[] = [];
    for (const { path, declared, from_type, to_type } of blocked) {
      const count = await holder.count(form.form_id, path.split('.'));
      if (count > 0)
        faults.push({
          path: declared,
          code: 'type',
          message: `${count} stored values of ${path} are of the type ${from_type} and can not become ${to_type}; use a new key.`,
        });
    }
    if (faults.length > 0)
      throw new Problem(
        'in_use',
        faults.length === 1 ? (faults[0]?.message ?? '') : `${faults.length} fields have stored values of another type; see errors.`,
        { errors: faults },
      );
    for (const { field, stored } of madeUnique) {
      const path = sourceOf(stored, pending);
      const doubled = await holder.duplicates(form.form_id, path.split('.'), MOST_DUPLICATES, samenessOf(field));
      // Who changes schemas may not read all rows: what is protected, or was until now, is counted and not quoted.
      const quotable = isOpen(field) && isOpen(before.field(stored) ?? field);
      if (doubled.length === 0) continue;
      throw new Problem('in_use', `${field.label} can not become unique: values are stored more than once; see errors.`, {
        errors: doubled.map(({ value, count, isOpen: readable }) => ({
          path: field.declared,
          code: 'unique',
          message: `${quotable && readable ? `"${value.slice(0, 100)}"` : 'A value'} is stored ${count} times.`,
        })),
      });
    }
  }
}

/** Where values stand that a failed migration has not moved. */
const sourceOf = (path: string, pending: FormMigration | undefined): string =>
  (pending?.mig_moves ?? []).find(({ within, to }) => [...within, to].join('.') === path)?.from ?? path;

function demandSettled(pending: FormMigration | undefined): void {
  if (pending?.mig_status === 'queued' || pending?.mig_status === 'running')
    throw notYet('Stored rows still follow the last change of this form; change it again when form_migration says done.', 5);
}

/** A field that is to continue another one has to name one that is there: else its values would seem to be gone. */
function demandKnownNames({ strays }: FormDiff): void {
  if (strays.length === 0) return;
  throw invalidFields(
    strays.map(({ declared, renamed_from }) => ({
      path: `${declared}.renamed_from`,
      code: 'reference',
      message: `The form has no field ${renamed_from ?? ''} whose values could be moved.`,
    })),
  );
}

/** A key from which values are still to be moved cannot be that of another field in the meantime. */
function demandUntouched(pending: FormMigration | undefined, after: CompiledForm): void {
  const taken = (pending?.mig_moves ?? []).find(
    (move: Move) => move.from !== move.to && after.field([...move.within, move.from].join('.')),
  );
  if (taken)
    throw notYet(`Values of ${taken.from} are still to be moved to ${taken.to}; the key is free when form_migration says done.`, 5);
}
