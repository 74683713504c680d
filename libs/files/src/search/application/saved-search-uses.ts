import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';

/** Port for contexts that fill something by saved searches (smart albums, smart folders): register one at start. Called within a unit of work. */
export interface SavedSearchUse {
  /** How many things each of the saved searches fills, of those that the reader may read, or of all (null); those that fill none may be left out. */
  countUses(sq_ids: readonly string[], reader: Principal | null): Promise<ReadonlyMap<string, number>>;
}

/** What saved searches are used for, gathered from every context of this installation. */
@Injectable()
export class SavedSearchUses {
  private readonly known: SavedSearchUse[] = [];

  register(use: SavedSearchUse): void {
    this.known.push(use);
  }

  /** Of what the reader may read, or of everything (null), as it matters to a removal. */
  async countUses(sq_ids: readonly string[], reader: Principal | null): Promise<ReadonlyMap<string, number>> {
    const total = new Map<string, number>();
    if (sq_ids.length === 0) return total;
    for (const use of this.known)
      for (const [sq_id, count] of await use.countUses(sq_ids, reader)) total.set(sq_id, (total.get(sq_id) ?? 0) + count);
    return total;
  }
}
