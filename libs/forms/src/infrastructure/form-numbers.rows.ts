import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Counters of automatic numbers. */
@Injectable()
export class FormNumberRows {
  constructor(private readonly db: Database) {}

  /** Takes so many numbers in a row; the first of them. Others wait until this unit of work has ended, so that none is left out. */
  async take(form_id: string, field_key: string, start: number, count: number): Promise<number> {
    const taken = await this.db.current().first<{ first: number }>(sql`
      INSERT INTO form_number AS n (tenant_id, form_id, field_key, num_next) VALUES (${requireScope().tenant_id}, ${form_id}, ${field_key}, ${start}::bigint + ${count}::bigint)
      ON CONFLICT (tenant_id, form_id, field_key) DO UPDATE SET num_next = n.num_next + ${count}::bigint RETURNING n.num_next - ${count}::bigint AS first`);
    if (!taken) throw new Error('No number was given.');
    return taken.first;
  }

  /** A field gets another key, and goes on counting; of two counters the one that is further ahead stays. */
  async rename(form_id: string, from: string, to: string): Promise<void> {
    const tx = this.db.current();
    await tx.execute(sql`
      INSERT INTO form_number AS n (tenant_id, form_id, field_key, num_next) SELECT tenant_id, form_id, ${to}, num_next FROM form_number
      WHERE tenant_id = ${requireScope().tenant_id} AND form_id = ${form_id} AND field_key = ${from}
      ON CONFLICT (tenant_id, form_id, field_key) DO UPDATE SET num_next = greatest(n.num_next, EXCLUDED.num_next)`);
    await tx.execute(
      sql`DELETE FROM form_number WHERE tenant_id = ${requireScope().tenant_id} AND form_id = ${form_id} AND field_key = ${from}`,
    );
  }

  /** The counters of one form for another one that has none. */
  async copy(from: string, to: string): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO form_number (tenant_id, form_id, field_key, num_next) SELECT tenant_id, ${to}::uuid, field_key, num_next FROM form_number
      WHERE tenant_id = ${requireScope().tenant_id} AND form_id = ${from} ON CONFLICT DO NOTHING`);
  }
}
