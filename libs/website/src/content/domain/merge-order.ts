import { mergeSequences } from './sequences';

export interface ListVersions {
  readonly base: readonly string[];
  readonly local: readonly string[];
  readonly remote: readonly string[];
}

/**
 * The order of a list that two sides changed: that of the side that reordered, with what each side inserted behind what it follows there.
 * Where both reordered, and not alike, `settle` gives the version whose order is taken.
 */
export function mergeOrder(members: ReadonlySet<string>, versions: ListVersions, settle: () => readonly string[]): readonly string[] {
  const [local, remote] = [versions.local.filter((uid) => members.has(uid)), versions.remote.filter((uid) => members.has(uid))];
  const inRemote = new Set(remote);
  const common = new Set(local.filter((uid) => inRemote.has(uid)));
  const only = (list: readonly string[]): readonly string[] => list.filter((uid) => common.has(uid));
  const merged = sharedOrder({ local: only(local), remote: only(remote), base: only(versions.base) }) ?? only(settle());
  return withInsertions(merged, [local, remote]);
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

function withInsertions(shared: readonly string[], sides: readonly (readonly string[])[]): readonly string[] {
  const START = '';
  const placed = new Set(shared);
  const behind = new Map<string, string[]>();
  const inserted = new Set<string>();
  for (const side of sides) {
    let anchor = START;
    for (const uid of side) {
      if (placed.has(uid)) anchor = uid;
      else if (!inserted.has(uid)) {
        const run = behind.get(anchor) ?? [];
        run.push(uid);
        behind.set(anchor, run);
        inserted.add(uid);
      }
    }
  }
  return [START, ...shared].flatMap((uid) => [...(uid === START ? [] : [uid]), ...(behind.get(uid) ?? [])]);
}
