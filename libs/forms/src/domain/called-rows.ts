import { folded } from '@atrium/platform/kernel';
import type { NamedReference } from './named-references';

/** A row that a name may mean, and what it is called by. */
export interface CalledRow {
  readonly id: string;
  readonly name: string;
  readonly external_id: string | null;
}

/** What a name means among rows: the one with this key of a unique field, else with this external id, else the only one with this name. */
export function rowCalled(
  name: string,
  { keys, rows }: { readonly keys: readonly ReadonlyMap<unknown, string>[]; readonly rows: readonly CalledRow[] },
  unknown: string,
): NamedReference {
  const byKey = keys.flatMap((owners) => owners.get(name) ?? []).filter((id) => rows.some((row) => row.id === id));
  const word = folded(name);
  for (const ids of [
    byKey,
    rows.filter(({ external_id }) => external_id === name).map(({ id }) => id),
    rows.filter((row) => folded(row.name) === word).map(({ id }) => id),
  ]) {
    const [id, ...others] = new Set(ids);
    if (id !== undefined) return others.length === 0 ? { id } : { misfit: 'names several; write the id of one of them' };
  }
  return { misfit: unknown };
}
