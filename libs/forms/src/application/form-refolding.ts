import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { FormMigrationRows } from '../infrastructure/form-migrations.rows';
import { FormValueRows, type UnfoldedForm } from '../infrastructure/form-values.rows';
import { FormsRepository } from '../infrastructure/forms.repository';
import { FormHolders } from './form-holders';
import { FormRows } from './form-rows';
import { FormValues } from './form-values';

const ROWS = 100;
/** Of one form before it is the turn of the next one. */
const BATCHES = 5;
/** So that requests go on beside it. */
const BREATH_MS = 20;

/** A form of which more rows are to be looked at, behind one of them. */
interface HalfFolded extends UnfoldedForm {
  readonly last: string | null;
}

/**
 * Folds values of content that a host of the release before has written, and digests of long texts of that time. It may be cut off
 * anywhere; where all values are folded it costs one look at an index that is empty. Forms take turns, and a row that cannot be folded
 * is left to the next run.
 */
@Injectable()
export class FormRefolding {
  private readonly log = new Logger(FormRefolding.name);

  constructor(
    private readonly db: Database,
    private readonly rows: FormValueRows,
    private readonly repository: FormsRepository,
    private readonly migrations: FormMigrationRows,
    private readonly forms: FormRows,
    private readonly values: FormValues,
    private readonly holders: FormHolders,
  ) {}

  async foldForms(signal: AbortSignal): Promise<void> {
    let open: HalfFolded[] = [];
    for (let after: UnfoldedForm | null = null; !signal.aborted;) {
      const next: UnfoldedForm | undefined = await this.rows.findNextUnfolded(after);
      if (!next) break;
      open.push(...(await this.turn({ ...next, last: null }, signal)));
      after = next;
    }
    while (open.length > 0 && !signal.aborted) {
      const still: HalfFolded[] = [];
      for (const form of open) still.push(...(await this.turn(form, signal)));
      open = still;
    }
  }

  /** A few batches of a form; where it goes on, if there may be more. */
  private async turn(form: HalfFolded, signal: AbortSignal): Promise<HalfFolded[]> {
    const { tenant_id, form_id } = form;
    try {
      return await inWorkspace(tenant_id, () => this.fold(form, signal));
    } catch (error) {
      this.log.warn({ msg: 'values of a form could not be folded', tenant_id, form_id, err: error });
      return [];
    }
  }

  private async fold(form: HalfFolded, signal: AbortSignal): Promise<HalfFolded[]> {
    const { form_id } = form;
    let { last } = form;
    for (let batch = 0; batch < BATCHES && !signal.aborted; batch++) {
      const ids = await this.db.read(async () =>
        // Rows that still take a copy of their form have claims by the one form and values by the other.
        (await this.migrations.isCopying(form_id)) ? [] : this.rows.findUnfoldedRows(form_id, last, ROWS),
      );
      if (ids.length > 0) await this.foldRows(form_id, ids);
      if (ids.length < ROWS) return [];
      last = ids.at(-1) ?? null;
      await pause(BREATH_MS, undefined, { signal }).catch(() => undefined);
    }
    return [{ ...form, last }];
  }

  /** Where rows cannot be folded together, each is by itself, so that one keeps no other from it. */
  private async foldRows(form_id: string, ids: readonly string[]): Promise<void> {
    try {
      await this.db.write(() => this.step(form_id, ids));
    } catch (error) {
      this.log.warn({ msg: 'values of rows could not be folded', form_id, rows: ids, err: error });
      // A lock that was not to be had would be waited for again with each row.
      if (ids.length > 1 && isFaultOfRows(error)) for (const id of ids) await this.foldRows(form_id, [id]);
    }
  }

  /** Rows that are gone, or have another form by now, count as folded. */
  private async step(form_id: string, ids: readonly string[]): Promise<void> {
    if (await this.migrations.isCopying(form_id)) return;
    const kind = (await this.repository.findRow(form_id))?.form_kind;
    const holder = kind && this.holders.findHolder(kind);
    if (kind && holder) {
      const form = await this.forms.openForm(kind, form_id, 'share');
      const held = await holder.lockRows(form_id, ids);
      await this.values.refoldRows(
        form,
        held.map(({ id, ...row }) => ({ ...row, owner_id: id })),
      );
    }
    await this.rows.markFolded(form_id, ids);
  }
}

/** Not that of the database at that moment, or of others who hold the rows. */
const isFaultOfRows = (error: unknown): boolean => !(error instanceof Problem && error.code === 'service_unavailable');
