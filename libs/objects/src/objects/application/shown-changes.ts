import { MASK, type VisibleFields } from '@atrium/forms';
import type { JsonValue } from '@atrium/platform/kernel';
import type { ObjectDifference } from '../domain/stored-object';

const NAME = 'obj_name';
const CONTENT = 'obj_content.';

/** A revision that gave the object another schema. */
export interface SchemaMove {
  readonly version: number;
  /** The schema before. */
  readonly from: string;
}

/** Which schema an object had when: it says what was closed at the time. */
export class SchemaTimes {
  constructor(
    private readonly today: string,
    /** The first comes first. */
    private readonly moves: readonly SchemaMove[],
  ) {}

  get forms(): readonly string[] {
    return [...new Set([this.today, ...this.moves.map(({ from }) => from)])];
  }

  /** The schema that the revision found. */
  before(revision: number): string {
    return this.moves.find(({ version }) => version >= revision)?.from ?? this.today;
  }

  /** The schema that it left behind. */
  after(revision: number): string {
    return this.moves.find(({ version }) => version > revision)?.from ?? this.today;
  }
}

/** The fields of a schema of today and of one of its time, as one reader sees them. */
export interface SeenBy {
  readonly now: VisibleFields | undefined;
  readonly then: VisibleFields | undefined;
}

interface Sides {
  readonly before: SeenBy;
  readonly after: SeenBy;
}

/**
 * Values of fields that the schema no longer has, or hides, are left out; sensitive ones are masked, also where a name repeats them.
 * What the schema of its time keeps from the reader is shown by no other one.
 */
export function shownChanges(changes: readonly ObjectDifference[], sides: Sides): readonly ObjectDifference[] {
  const closed = new Set<JsonValue>();
  const shown = changes.map((change) => (change.field.startsWith(CONTENT) ? shownChange(change, sides, closed) : change));
  return shown.flatMap((change): readonly ObjectDifference[] => {
    if (!change) return [];
    if (change.field !== NAME) return [change];
    return [{ ...change, from: closed.has(change.from) ? MASK : change.from, to: closed.has(change.to) ? MASK : change.to }];
  });
}

/** Null where the reader sees nothing of it; what it does not show is added to `closed`: a title field gave the name of its time. */
function shownChange({ field, from, to }: ObjectDifference, { before, after }: Sides, closed: Set<JsonValue>): ObjectDifference | null {
  const key = field.slice(CONTENT.length);
  const named = after.now?.change(key, { from: null, to: null });
  const [old, next] = [shownValue(key, from, before), shownValue(key, to, after)];
  for (const [stored, seen] of [[from, old] as const, [to, next] as const]) if (stored !== null && stored !== seen) closed.add(stored);
  if (!named || (old === undefined && next === undefined)) return null;
  if ((old === undefined && to === null) || (next === undefined && from === null)) return null;
  return { field: `${CONTENT}${named.key}`, from: old === undefined ? MASK : old, to: next === undefined ? MASK : next };
}

/** A value as both schemas show it; undefined where one of them shows nothing of it. */
function shownValue(key: string, value: JsonValue, { now, then }: SeenBy): JsonValue | undefined {
  if (value === null) return null;
  const first = then?.change(key, { from: value, to: null })?.from;
  if (first === undefined || first === MASK || then === now) return first;
  return now?.change(key, { from: first, to: null })?.from;
}
