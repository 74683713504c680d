import sql from 'sql-template-tag';
import type { UnitOfWork } from './unit-of-work';

/** How many steps of the schema are applied, and the name of the last. */
export async function readAppliedSteps(tx: UnitOfWork): Promise<{ readonly applied: number; readonly latest: string | null }> {
  const row = await tx.first<{ applied: number; latest: string | null }>(
    sql`SELECT count(*) AS applied, max(name) AS latest FROM atrium_migration`,
  );
  return row ?? { applied: 0, latest: null };
}
