import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import type { RecordStatus } from './knowledge-record';

/** What a writer says of a record; what is absent stays as it is, or begins empty. */
export interface RecordWish {
  readonly rec_name?: string;
  readonly rec_content?: JsonObject;
  readonly rec_url?: string | null;
  readonly rec_external_id?: string | null;
  readonly rec_tags?: readonly string[];
  readonly rec_language?: string | null;
  readonly rec_status?: RecordStatus;
  readonly rec_valid_from?: Date | null;
  readonly rec_valid_until?: Date | null;
  readonly rec_metadata?: JsonObject;
}

/** A wish whose text holds no HTML any more; `RecordBodies` makes it of one that is to be written. */
export interface CleanWish extends RecordWish {
  readonly isClean: true;
}

/** Everything that a record says, as it is stored. */
export interface RecordFacts {
  readonly rec_name: string;
  readonly rec_content: JsonObject;
  readonly rec_url: string | null;
  readonly rec_external_id: string | null;
  readonly rec_tags: readonly string[];
  readonly rec_language: string | null;
  readonly rec_status: RecordStatus;
  readonly rec_valid_from: Date | null;
  readonly rec_valid_until: Date | null;
  readonly rec_metadata: JsonObject;
}

export const NO_FACTS: Omit<RecordFacts, 'rec_name' | 'rec_content'> = {
  rec_url: null,
  rec_external_id: null,
  rec_tags: [],
  rec_language: null,
  rec_status: 'published',
  rec_valid_from: null,
  rec_valid_until: null,
  rec_metadata: {},
};

/** The facts alone, of whatever has them. */
export const factsOf = ({
  rec_name,
  rec_content,
  rec_url,
  rec_external_id,
  rec_tags,
  rec_language,
  rec_status,
  rec_valid_from,
  rec_valid_until,
  rec_metadata,
}: RecordFacts): RecordFacts => ({
  rec_name,
  rec_content,
  rec_url,
  rec_external_id,
  rec_tags,
  rec_language,
  rec_status,
  rec_valid_from,
  rec_valid_until,
  rec_metadata,
});

/** Equal for facts that say the same, whatever the order of their keys. */
export const hashOf = (facts: RecordFacts): string => digest(plain(factsOf(facts)));

/** Names the text that is indexed: the same while title, content, address and the reading of its schema are the same. */
export const textOf = ({ rec_name, rec_content, rec_url }: RecordFacts, revision: number): string =>
  digest(plain({ rec_name, rec_content, rec_url, revision }));

/** Without the ids that rows of lists are given when they are written. */
const plain = ({
  rec_content,
  ...value
}: Partial<RecordFacts> & { readonly rec_content: JsonObject; readonly revision?: number }): object => ({
  ...value,
  rec_content: withoutRowIds(rec_content),
});

function withoutRowIds(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(withoutRowIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '_id')
      .map(([key, inner]) => [key, withoutRowIds(inner)]),
  );
}

const digest = (value: object): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('base64url');
