import type { JsonValue } from '@atrium/platform/kernel';
import { isEmptyValue } from './content-form';
import { canonicalText, unitName, type Unit } from './page-document';
import { mergeSequences } from './sequences';

/** The same place of three versions; absent where a version does not have it. */
export interface Versions<T> {
  readonly base: T | undefined;
  readonly local: T | undefined;
  readonly remote: T | undefined;
}
export type Side = keyof Versions<unknown>;

/** A place that both sides changed, and how. A block that one side removed and the other changed is one conflict, named by its `_uid`. */
export interface MergeConflict {
  readonly path: string;
  readonly locale: string | null;
  readonly base: JsonValue;
  readonly local: JsonValue;
  readonly remote: JsonValue;
}

/** How a conflict is settled: by one of the versions, or by a value of its own. */
export type MergeChoice = { readonly path: string; readonly locale?: string | null } & (
  { readonly take: Side } | { readonly value: JsonValue }
);

/** Choices and the conflicts that they settle; what no choice settles keeps the local version until it does. */
export class Conflicts {
  readonly open: MergeConflict[] = [];
  readonly settled: MergeConflict[] = [];
  private readonly choices: ReadonlyMap<string, MergeChoice>;
  private readonly used = new Set<string>();

  constructor(choices: readonly MergeChoice[]) {
    this.choices = new Map(choices.map((choice) => [nameOf(choice), choice]));
  }

  /** Choices that settled nothing: there is no such conflict. */
  get unused(): readonly MergeChoice[] {
    return [...this.choices].filter(([name]) => !this.used.has(name)).map(([, choice]) => choice);
  }

  /** The version that is taken at a place that only versions settle, such as a block or the order of a list. */
  settleSide(conflict: MergeConflict): Side {
    const choice = this.use(conflict, (one) => 'take' in one);
    return choice && 'take' in choice ? choice.take : 'local';
  }

  settleValue(conflict: MergeConflict): JsonValue {
    const choice = this.use(conflict, () => true);
    if (!choice) return conflict.local;
    return 'take' in choice ? conflict[choice.take] : choice.value;
  }

  private use(conflict: MergeConflict, fits: (choice: MergeChoice) => boolean): MergeChoice | undefined {
    const choice = this.choices.get(nameOf(conflict));
    if (!choice || !fits(choice)) {
      this.open.push(conflict);
      return undefined;
    }
    this.used.add(nameOf(conflict));
    this.settled.push(conflict);
    return choice;
  }
}

const nameOf = ({ path, locale = null }: Pick<MergeChoice, 'path' | 'locale'>): string => unitName({ path, locale });

/** One place of three versions: the change of one side, the same change of both, lines of a text that differ in different places, or a conflict. */
export function mergeValue(
  { base, local, remote }: Versions<JsonValue>,
  place: Pick<Unit, 'path' | 'locale'>,
  conflicts: Conflicts,
): JsonValue | undefined {
  const [b, l, r] = [base, local, remote].map(comparable);
  if (l === r || r === b) return local;
  if (l === b) return remote;
  const merged = mergeTexts({ base, local, remote });
  if (merged !== null) return merged;
  const { path, locale } = place;
  return conflicts.settleValue({ path, locale, base: base ?? null, local: local ?? null, remote: remote ?? null });
}

const comparable = (value: JsonValue | undefined): string => (isEmptyValue(value) ? '' : canonicalText(value));

/** Texts of several lines whose changes are in different places. */
function mergeTexts({ base, local, remote }: Versions<JsonValue>): string | null {
  if (typeof base !== 'string' || typeof local !== 'string' || typeof remote !== 'string' || !base.includes('\n')) return null;
  const merged = mergeSequences(linesOf(local), linesOf(base), linesOf(remote));
  return merged && merged.join('\n');
}

const linesOf = (text: string): readonly string[] => text.split('\n');

/** All places of three maps, each merged by itself. */
export function mergeUnits(
  { base, local, remote }: Record<Side, ReadonlyMap<string, Unit>>,
  conflicts: Conflicts,
): ReadonlyMap<string, Unit> {
  const merged = new Map<string, Unit>();
  for (const name of new Set([...local.keys(), ...remote.keys(), ...base.keys()])) {
    const place = local.get(name) ?? remote.get(name) ?? base.get(name);
    if (!place) continue;
    const value = mergeValue(
      { base: base.get(name)?.value, local: local.get(name)?.value, remote: remote.get(name)?.value },
      place,
      conflicts,
    );
    if (value !== undefined && (value !== null || place.path === 'slug')) merged.set(name, { ...place, value });
  }
  return merged;
}
