import { mergeSequences } from './sequences';

export interface ListVersions {
  readonly base: readonly string[];
  readonly local: readonly string[];
  readonly remote: readonly string[];
}

/**
 * The order of a list that two sides changed: that of the side that reordered, with what each side inserted behind what it follows there.
 * Null where both reordered, and not alike; `local` then settles it.
 */
export function mergeOrder(
  members: ReadonlySet<string>,
  versions: ListVersions,
): { readonly order: readonly string[]; readonly isConflict: boolean } {
  const [local, remote] = [versions.local, versions.remote].map((list) => list.filter((uid) => members.has(uid)));
  const inRemote = new Set(remote);
  const common = new Set((local ?? []).filter((uid) => inRemote.has(uid)));
  const only = (list: readonly string[] = []): readonly string[] => list.filter((uid) => common.has(uid));
  const shared = { local: only(local), remote: only(remote), base: only(versions.base) };
  const merged = sharedOrder(shared);
  return { order: withInsertions(merged ?? shared.local, common, [local ?? [], remote ?? []]), isConflict: merged === null };
}

/** The order of what both sides have. */
function sharedOrder({ base, local, remote }: ListVersions): readonly string[] | null {
  if (isEqual(local, remote) || isSubsequence(base, remote, local)) return local;
  if (isSubsequence(base, local, remote)) return remote;
  const merged = mergeSequences(local, base, remote);
  return merged && new Set(merged).size === merged.length && merged.length === local.length ? merged : null;
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((uid, at) => uid === other[at]);

/** Whether a side left the order of the base as it was; what both sides added is in the order of the other. */
const isSubsequence = (base: readonly string[], side: readonly string[], other: readonly string[]): boolean => {
  const known = new Set(base);
  const added = (list: readonly string[]): readonly string[] => list.filter((uid) => !known.has(uid));
  return (
    isEqual(
      side.filter((uid) => known.has(uid)),
      base,
    ) && isEqual(added(side), added(other))
  );
};

function withInsertions(shared: readonly string[], common: ReadonlySet<string>, sides: readonly (readonly string[])[]): readonly string[] {
  const START = '';
  const behind = new Map<string, string[]>();
  for (const side of sides) {
    let anchor = START;
    for (const uid of side) {
      if (common.has(uid)) anchor = uid;
      else {
        const run = behind.get(anchor) ?? [];
        run.push(uid);
        behind.set(anchor, run);
      }
    }
  }
  return [START, ...shared].flatMap((uid) => [...(uid === START ? [] : [uid]), ...(behind.get(uid) ?? [])]);
}
