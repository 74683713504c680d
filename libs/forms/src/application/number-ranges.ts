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

  /** How many numbers this unit of work has taken, by the keys of their fields. */
  countTaken(): ReadonlyMap<string, number> {
    return this.rows.countTaken();
  }

  /**
   * Takes so many numbers for the fields of a form, and for each of them one for every row of which it is not known yet whether it takes one,
   * in a unit of work of its own; a holder that has some already, such as a job that is run again, gets what it lacks.
   */
  async reserveNumbers(
    holder: string,
    { form_id, compiled }: OpenForm,
    counts: ReadonlyMap<string, number>,
    unsure: number,
  ): Promise<void> {
    const wanted = (key: string): number => (counts.get(key) ?? 0) + unsure;
    const fields = compiled.fields.filter(({ type, key }) => type.name === 'auto_number' && wanted(key) > 0);
    if (fields.length === 0) return;
    await this.db.write(async () => {
      for (const field of fields)
        await this.rows.reserveNumbers({ form_id, field_key: field.key }, settingNumber(field, 'start') ?? 1, {
          holder,
          count: wanted(field.key),
        });
    });
  }

  /** Within a unit of work, all rows of which take their numbers from those of the holder; it has none afterwards. */
  async useReserved<T>(holder: string, work: () => Promise<T>): Promise<T> {
    const held = await this.rows.useReserved(holder);
    const result = await work();
    this.db.current().lockLast(`numbers of ${holder}`, held, () => this.rows.returnUnused(holder));
    return result;
  }
}
