import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql, type UnitOfWork } from '@atrium/platform/database';
import { numbersIn, sizeOf, splitRanges, textOf, type NumberRange } from '../domain/number-ranges';

/** Counters of automatic numbers, and the ranges that belong to those who write many rows in one unit of work. */
@Injectable()
export class FormNumberRows {
  /** What is left of the ranges with which a unit of work is writing. */
  private readonly open = new WeakMap<UnitOfWork, Map<string, readonly NumberRange[]>>();

  /** How many numbers a unit of work has taken, by the keys of their fields. */
  private readonly taken = new WeakMap<UnitOfWork, Map<string, number>>();

  constructor(private readonly db: Database) {}

  /** How many numbers this unit of work has taken, by the keys of their fields; of all forms. */
  countTaken(): ReadonlyMap<string, number> {
    return this.taken.get(this.tx) ?? new Map();
  }

  /**
   * Takes so many numbers, in their order: of the range with which this unit of work is writing, else of the counter. Others wait for
   * the counter until the unit of work has ended, so that none is left out.
   */
  async takeNumbers(form_id: string, field_key: string, start: number, count: number): Promise<readonly number[]> {
    const taken = this.taken.get(this.tx) ?? new Map<string, number>();
    this.taken.set(this.tx, taken.set(field_key, (taken.get(field_key) ?? 0) + count));
    const open = this.open.get(this.tx);
    const [own, left] = splitRanges(open?.get(`${form_id} ${field_key}`) ?? [], count);
    open?.set(`${form_id} ${field_key}`, left);
    const missing = count - sizeOf(own);
    const more = missing === 0 ? [] : await this.count({ form_id, field_key }, start, missing);
    return numbersIn([...own, ...more]);
  }

  /** Makes so many numbers the holder's for a while, whose unit of work is still to come; those that it has already count. */
  async reserveNumbers(
    counter: Counter,
    start: number,
    { holder, count }: { readonly holder: string; readonly count: number },
  ): Promise<void> {
    const has = await this.tx.first<{ numbers: number }>(sql`
      UPDATE form_number_range SET range_until = ${until(count)} WHERE ${of(counter)} AND range_holder = ${holder}
      RETURNING (SELECT coalesce(sum(upper(n) - lower(n)), 0)::bigint FROM unnest(range_numbers) n) AS numbers`);
    const missing = count - (has?.numbers ?? 0);
    if (missing <= 0) return;
    const more = textOf(await this.count(counter, start, missing));
    await this.tx.execute(sql`
      INSERT INTO form_number_range AS r (tenant_id, form_id, field_key, range_holder, range_numbers, range_until)
      VALUES (${requireScope().tenant_id}, ${counter.form_id}, ${counter.field_key}, ${holder}, ${more}::int8multirange, ${until(count)})
      ON CONFLICT (tenant_id, form_id, field_key, range_holder) DO UPDATE SET range_numbers = r.range_numbers + EXCLUDED.range_numbers`);
  }

  /** This unit of work takes its numbers from those of the holder. Nobody else takes them until it ends; answers what they are. */
  async useReserved(holder: string): Promise<readonly HeldNumbers[]> {
    const [, held] = await Promise.all([
      this.tx.query(sql`SELECT pg_advisory_xact_lock_shared(${holding(sql`${holder}`)})`),
      this.tx.query<HeldNumbers & Record<string, unknown>>(
        sql`SELECT form_id, field_key, range_numbers::text AS numbers FROM form_number_range WHERE ${heldBy(holder)}`,
      ),
    ]);
    held.sort(bySeries);
    this.open.set(this.tx, new Map(held.map(({ form_id, field_key, numbers }) => [`${form_id} ${field_key}`, rangesOf(numbers)])));
    return held;
  }

  /** The holder has no more numbers, within the unit of work that began with them: those that it has not taken go back. Answers what they were. */
  async returnUnused(holder: string): Promise<readonly HeldNumbers[]> {
    const open = this.open.get(this.tx);
    const held = await this.tx.query<HeldNumbers & Record<string, unknown>>(
      sql`DELETE FROM form_number_range WHERE ${heldBy(holder)} RETURNING form_id, field_key, range_numbers::text AS numbers`,
    );
    held.sort(bySeries);
    for (const { form_id, field_key } of held) {
      await this.giveBack({ form_id, field_key }, textOf(open?.get(`${form_id} ${field_key}`) ?? []));
    }
    return held;
  }

  /** A field gets another key, and goes on counting; of two counters the one that is further ahead stays. */
  async renameField(form_id: string, from: string, to: string): Promise<void> {
    const [before, after] = [of({ form_id, field_key: from }), of({ form_id, field_key: to })];
    await this.tx.execute(sql`
      INSERT INTO form_number AS n (tenant_id, form_id, field_key, num_next, num_returned) SELECT tenant_id, form_id, ${to}, num_next, num_returned FROM form_number WHERE ${before}
      ON CONFLICT (tenant_id, form_id, field_key) DO UPDATE SET num_next = greatest(n.num_next, EXCLUDED.num_next), num_returned = EXCLUDED.num_returned`);
    const moved = await this.tx.execute(sql`DELETE FROM form_number WHERE ${before}`);
    // Numbers of the series that ends here are those of the one that goes on.
    if (moved > 0) await this.tx.execute(sql`DELETE FROM form_number_range WHERE ${after}`);
    await this.tx.execute(sql`UPDATE form_number_range SET field_key = ${to} WHERE ${before}`);
  }

  /** The counters of one form for another one that has none; what rows of the one are about to be numbered with is free in the other. */
  async copyCounters(from: string, to: string): Promise<void> {
    await this.tx.execute(sql`
      INSERT INTO form_number (tenant_id, form_id, field_key, num_next, num_returned)
      SELECT n.tenant_id, ${to}::uuid, n.field_key, n.num_next, n.num_returned + coalesce((
        SELECT range_agg(r.range_numbers) FROM form_number_range r WHERE r.tenant_id = n.tenant_id AND r.form_id = n.form_id AND r.field_key = n.field_key), '{}')
      FROM form_number n WHERE n.tenant_id = ${requireScope().tenant_id} AND n.form_id = ${from} ON CONFLICT DO NOTHING`);
  }

  private async count(counter: Counter, start: number, count: number): Promise<readonly NumberRange[]> {
    const { form_id, field_key } = counter;
    const counted = await this.tx.first<{ first: number }>(sql`
      INSERT INTO form_number AS n (tenant_id, form_id, field_key, num_next) VALUES (${requireScope().tenant_id}, ${form_id}, ${field_key}, ${start}::bigint + ${count}::bigint)
      ON CONFLICT (tenant_id, form_id, field_key) DO UPDATE SET num_next = n.num_next + ${count}::bigint
      WHERE isempty(n.num_returned) AND NOT EXISTS (
        SELECT FROM form_number_range r WHERE r.tenant_id = n.tenant_id AND r.form_id = n.form_id AND r.field_key = n.field_key AND r.range_until < now())
      RETURNING n.num_next - ${count}::bigint AS first`);
    // Where some were given back the counter is locked, and has not moved.
    return counted ? [{ first: counted.first, end: counted.first + count }] : this.countReturned(counter, count);
  }

  private async countReturned(counter: Counter, count: number): Promise<readonly NumberRange[]> {
    await this.reclaim(counter);
    const row = await this.tx.first<{ returned: string }>(sql`SELECT num_returned::text AS returned FROM form_number WHERE ${of(counter)}`);
    const [back] = splitRanges(rangesOf(row?.returned ?? '{}'), count);
    const rest = count - sizeOf(back);
    const moved = await this.tx.first<{ next: number }>(sql`
      UPDATE form_number SET num_returned = num_returned - ${textOf(back)}::int8multirange, num_next = num_next + ${rest}::bigint WHERE ${of(counter)} RETURNING num_next AS next`);
    if (!moved) throw new Error('No number was given.');
    return rest === 0 ? back : [...back, { first: moved.next - rest, end: moved.next }];
  }

  /** Ranges whose time is over go back, except those with which a unit of work is writing. */
  private async reclaim(counter: Counter): Promise<void> {
    const gone = await this.tx.query<{ numbers: string }>(sql`
      DELETE FROM form_number_range WHERE ${of(counter)} AND range_until < now() AND pg_try_advisory_xact_lock(${holding(sql`range_holder`)})
      RETURNING range_numbers::text AS numbers`);
    for (const { numbers } of gone) await this.giveBack(counter, numbers);
  }

  private async giveBack(counter: Counter, numbers: string): Promise<void> {
    if (numbers === textOf([])) return;
    await this.tx.execute(sql`UPDATE form_number SET num_returned = num_returned + ${numbers}::int8multirange WHERE ${of(counter)}`);
  }

  private get tx(): UnitOfWork {
    return this.db.current();
  }
}

/** A series of automatic numbers. */
export interface Counter {
  readonly form_id: string;
  readonly field_key: string;
}

/** Numbers of a series that belong to a holder, as a multirange. */
export interface HeldNumbers extends Counter {
  readonly numbers: string;
}

/**
 * How long numbers are a holder's: longer than a run waits to be run again, and than it writes. From then on every other writer looks whether
 * the holder is writing still, which is three more statements.
 */
const until = (count: number): Sql => sql`now() + interval '15 minutes' + ${count} * interval '100 milliseconds'`;

const bySeries = (a: Counter, b: Counter): number => (`${a.form_id} ${a.field_key}` < `${b.form_id} ${b.field_key}` ? -1 : 1);
const of = ({ form_id, field_key }: Counter): Sql =>
  sql`tenant_id = ${requireScope().tenant_id} AND form_id = ${form_id} AND field_key = ${field_key}`;
const heldBy = (holder: string): Sql => sql`tenant_id = ${requireScope().tenant_id} AND range_holder = ${holder}`;
const holding = (holder: Sql): Sql => sql`hashtextextended('numbers:' || ${holder}::text, 0)`;

/** Multiranges of whole numbers are written as {[1,5),[8,9)}. */
const rangesOf = (multirange: string): readonly NumberRange[] =>
  [...multirange.matchAll(/\[(-?\d+),(-?\d+)\)/g)].map(([, first, end]) => ({ first: Number(first), end: Number(end) }));
