import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { FormValueRows, type UnfoldedForm } from '../infrastructure/form-values.rows';
import { FormsRepository } from '../infrastructure/forms.repository';
import { FormHolders } from './form-holders';
import { FormRows } from './form-rows';
import { FormValues } from './form-values';

const ROWS = 100;
/** So that requests go on beside it. */
const BREATH_MS = 20;

/**
 * Folds values of content that a host of the release before has written, and digests of long texts of that time. It may be cut off
 * anywhere; where all values are folded it costs one look at an index that is empty.
 */
@Injectable()
export class FormRefolding {
  private readonly log = new Logger(FormRefolding.name);

  constructor(
    private readonly db: Database,
    private readonly rows: FormValueRows,
    private readonly repository: FormsRepository,
    private readonly forms: FormRows,
    private readonly values: FormValues,
    private readonly holders: FormHolders,
  ) {}

  async foldAll(signal: AbortSignal): Promise<void> {
    for (let after: UnfoldedForm | null = null; !signal.aborted;) {
      const next: UnfoldedForm | undefined = await this.rows.nextUnfolded(after);
      if (!next) return;
      const { tenant_id, form_id } = next;
      await inWorkspace(tenant_id, () => this.fold(form_id, signal)).catch((error: unknown) =>
        this.log.warn({ msg: 'values of a form could not be folded', tenant_id, form_id, err: error }),
      );
      after = next;
    }
  }

  private async fold(form_id: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.db.write(() => this.step(form_id))) === ROWS)
      await pause(BREATH_MS, undefined, { signal }).catch(() => undefined);
  }

  /** How many rows were looked at. Rows that are gone, or have another form by now, count as folded. */
  private async step(form_id: string): Promise<number> {
    const ids = await this.rows.unfolded(form_id, ROWS);
    if (ids.length === 0) return 0;
    const kind = (await this.repository.find(form_id))?.form_kind;
    const holder = kind && this.holders.of(kind);
    if (kind && holder) {
      const form = await this.forms.open(kind, form_id, 'share');
      const held = await holder.these(form_id, ids);
      await this.values.refold(
        form,
        held.map(({ id, ...row }) => ({ ...row, owner_id: id })),
      );
    }
    await this.rows.markFolded(form_id, ids);
    return ids.length;
  }
}
