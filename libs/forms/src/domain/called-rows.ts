import { folded, normalized } from '@atrium/platform/kernel';
import type { NamedReference } from './named-references';

/** A row that a name may mean, and what it is called by. */
export interface NamedRow {
  readonly id: string;
  readonly name: string;
  readonly external_id: string | null;
}

/** Rows by what they are called: the key of a unique field counts before the external id, and that before the name. */
export class RowsByName {
  private readonly ids = new Set<string>();
  private readonly byExternalId = new Map<string, Set<string>>();
  private readonly byName = new Map<string, Set<string>>();

  /** `keys`: the rows that own the keys of each unique field; `unknown`: what is said of a name that none of the rows has. */
  constructor(
    rows: readonly NamedRow[],
    private readonly keys: readonly ReadonlyMap<unknown, string>[],
    private readonly unknown: string,
  ) {
    for (const { id, name, external_id } of rows) {
      this.ids.add(id);
      if (external_id !== null) add(this.byExternalId, normalized(external_id, 'NFC'), id);
      add(this.byName, folded(name), id);
    }
  }

  meaningOf(name: string): NamedReference {
    const byKey = new Set(this.keys.flatMap((owners) => owners.get(name) ?? []).filter((id) => this.ids.has(id)));
    return (
      one(byKey) ?? one(this.byExternalId.get(normalized(name, 'NFC'))) ?? one(this.byName.get(folded(name))) ?? { misfit: this.unknown }
    );
  }
}

function one(ids: ReadonlySet<string> = new Set()): NamedReference | undefined {
  const [id] = ids;
  if (id === undefined) return undefined;
  return ids.size === 1 ? { id } : { misfit: 'matches several; use the id of one of them' };
}

function add(rows: Map<string, Set<string>>, word: string, id: string): void {
  const present = rows.get(word);
  if (present) present.add(id);
  else rows.set(word, new Set([id]));
}
