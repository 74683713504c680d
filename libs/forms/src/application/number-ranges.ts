import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { settingNumber } from '../domain/field';
import { FormNumberRows } from '../infrastructure/form-numbers.rows';
import type { OpenForm } from './open-form';

/**
 * Automatic numbers for those who write many rows in one unit of work: they take them before it, as a range of their own, so that
 * nobody waits for the counter while it lasts. What is not used goes back and is the first that is given: the series keeps no gap.
 */
@Injectable()
export class NumberRanges {
  constructor(
    private readonly db: Database,
    private readonly rows: FormNumberRows,
  ) {}

  /** Takes numbers for so many rows of a form, in a unit of work of its own; a holder that has some already, such as a job that is run again, gets what it lacks. */
  async reserve(holder: string, form: OpenForm, count: number): Promise<void> {
    const fields = form.compiled.fields.filter(({ type }) => type.name === 'auto_number');
    if (fields.length === 0 || count === 0) return;
    await this.db.write(async () => {
      for (const field of fields)
        await this.rows.reserve({ form_id: form.form_id, field_key: field.key }, settingNumber(field, 'start') ?? 1, { holder, count });
    });
  }

  /** Within a unit of work, all rows of which take their numbers from those of the holder; it has none afterwards. */
  async using<T>(holder: string, work: () => Promise<T>): Promise<T> {
    const held = await this.rows.begin(holder);
    const result = await work();
    this.db.current().lockLast(`numbers of ${holder}`, held, () => this.rows.end(holder));
    return result;
  }

  /** The holder will not use what it has. */
  release(holder: string): Promise<void> {
    return this.db.write(async () => {
      await this.rows.end(holder);
    });
  }
}
