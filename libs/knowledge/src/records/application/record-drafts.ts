import type { FieldFault, Ids } from '@atrium/platform/kernel';
import type { KnowledgeRecord } from '../domain/knowledge-record';
import { NO_FACTS, type CleanWish, type RecordFacts, type RecordWish } from '../domain/record-facts';

/** What became of one entry. */
export type Written =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly rec_id: string; readonly issues: readonly [] }
  | { readonly outcome: 'refused'; readonly rec_id: null; readonly issues: readonly FieldFault[] };

/** An entry on its way into the base. */
export interface RecordDraft<Wish extends RecordWish = CleanWish> {
  /** Its place among the entries. */
  readonly at: number;
  readonly rec_id: string;
  readonly wish: Wish;
  readonly previous: KnowledgeRecord | null;
}

export const refusedDraft = (...issues: readonly FieldFault[]): Written => ({ outcome: 'refused', rec_id: null, issues });

export const TAKEN: FieldFault = {
  path: 'rec_external_id',
  code: 'unique',
  message: 'Another record of the knowledge base has this external id.',
};

const DUPLICATE: FieldFault = {
  path: 'rec_external_id',
  code: 'duplicate_key',
  message: 'A later entry has the same key and was used instead.',
};

/**
 * Matches entries with the records that they replace. Of several entries with one key the last one counts; without `upsert`
 * a record that is there already refuses the entry.
 */
export function draftsOf<Wish extends RecordWish>(
  entries: readonly Wish[],
  known: ReadonlyMap<string, KnowledgeRecord>,
  keyOf: (entry: RecordWish) => string | null,
  { upsert, ids }: { readonly upsert: boolean; readonly ids: Ids },
): { readonly drafts: readonly RecordDraft<Wish>[]; readonly refusals: ReadonlyMap<number, Written> } {
  const last = new Map(entries.map((entry, at) => [keyOf(entry), at]));
  const refusals = new Map<number, Written>();
  const drafts = entries.flatMap((wish, at): RecordDraft<Wish>[] => {
    const key = keyOf(wish);
    const previous = key === null ? null : (known.get(key) ?? null);
    if (key !== null && last.get(key) !== at) refusals.set(at, refusedDraft(DUPLICATE));
    else if (previous && !upsert) refusals.set(at, refusedDraft(TAKEN));
    else return [{ at, wish, previous, rec_id: previous?.rec_id ?? ids.next() }];
    return [];
  });
  return { drafts, refusals };
}

/** What a record says once the wish is granted, its name and content aside. */
export function wishedFacts(wish: RecordWish, previous: RecordFacts | null): Omit<RecordFacts, 'rec_name' | 'rec_content'> {
  const before = previous ?? NO_FACTS;
  const said = <K extends keyof typeof NO_FACTS>(name: K): (typeof NO_FACTS)[K] => {
    const value = wish[name];
    return (value === undefined ? before[name] : value) as (typeof NO_FACTS)[K];
  };
  return {
    rec_url: said('rec_url'),
    rec_external_id: said('rec_external_id'),
    rec_tags: [...new Set(said('rec_tags').map((tag) => tag.trim()))],
    rec_language: said('rec_language'),
    rec_status: said('rec_status'),
    rec_valid_from: said('rec_valid_from'),
    rec_valid_until: said('rec_valid_until'),
    rec_metadata: said('rec_metadata'),
  };
}
