import { requireScope, sql, type Sql, type UnitOfWork } from '@atrium/platform/database';

/** Whose kept answers are removed: those of a person, and of requests whose key fits the pattern, which is an expression. */
export interface OutcomesOfPerson {
  readonly user_id: string | null;
  readonly pattern: Sql;
}

/** Removes kept answers, at most so many; how many it were. Repeated, such a request is carried out again. */
export function forgetOutcomes(tx: UnitOfWork, { user_id, pattern }: OutcomesOfPerson, most: number): Promise<number> {
  const { tenant_id } = requireScope();
  return tx.execute(sql`
    DELETE FROM idempotency_key k WHERE k.tenant_id = ${tenant_id} AND (k.user_id, k.idem_route, k.idem_key) IN (
      SELECT d.user_id, d.idem_route, d.idem_key FROM idempotency_key d
      WHERE d.tenant_id = ${tenant_id} AND (d.user_id = ${user_id}::uuid OR d.idem_key ~* ${pattern}) LIMIT ${most})`);
}
