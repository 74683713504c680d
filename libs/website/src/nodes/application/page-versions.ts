import { Injectable } from '@nestjs/common';
import { Clock, Ids } from '@atrium/platform/kernel';
import { isExtended, isKept, type RecordedVersion, type VersionChange } from '../domain/page-version';
import {
  MOST_VERSIONS,
  PageVersionRows,
  type CurrentState,
  type PinnedVersion,
  type WrittenVersion,
} from '../infrastructure/page-versions.rows';
import { VersionHolders } from './version-holders';

/** The history of nodes: full snapshots, whose values are stored once for each node. The nodes are locked by the caller. */
@Injectable()
export class PageVersions {
  constructor(
    private readonly rows: PageVersionRows,
    private readonly holders: VersionHolders,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /**
   * Keeps what the nodes are now, within the unit of work of the caller; each node once. A constant number of statements, besides one
   * for each version that is extended: saves of one person within ten minutes make one.
   */
  async recordVersions(changes: readonly VersionChange[], by: string | null): Promise<readonly RecordedVersion[]> {
    return this.keepStates(changes, by, { pinned: false });
  }

  /** Versions that are what the nodes are now and stay so: later saves begin other ones, and no number of them removes these. */
  async freezeVersions(node_ids: readonly string[], by: string | null): Promise<readonly RecordedVersion[]> {
    const frozen = await this.keepStates(
      node_ids.map((node_id) => ({ node_id, kind: 'saved', locales: [] })),
      by,
      { pinned: true },
    );
    await this.rows.pinVersions(
      frozen.map(({ ver_id }) => ver_id),
      true,
    );
    return frozen;
  }

  /** Versions that exist already and that something refers to from now on. */
  keepVersions(ver_ids: readonly string[]): Promise<void> {
    return this.rows.pinVersions(ver_ids, true);
  }

  /** What referred to the versions is done with them; those that something else refers to stay. */
  async releaseVersions(ver_ids: readonly string[]): Promise<void> {
    if (ver_ids.length > 0) await this.releasePinned(await this.rows.findPinned({ ver_ids }));
  }

  /** The same of all versions of nodes. */
  async releaseVersionsOf(node_ids: readonly string[]): Promise<void> {
    if (node_ids.length > 0) await this.releasePinned(await this.rows.findPinned({ node_ids }));
  }

  private async releasePinned(pinned: readonly PinnedVersion[]): Promise<void> {
    if (pinned.length === 0) return;
    const held = await this.holders.findHeld([...new Set(pinned.map(({ ver_node }) => ver_node))]);
    const free = pinned.map(({ ver_id }) => ver_id).filter((ver_id) => !held.has(ver_id));
    if (free.length > 0) await this.rows.pinVersions(free, false);
  }

  private async keepStates(
    changes: readonly VersionChange[],
    by: string | null,
    { pinned }: { readonly pinned: boolean },
  ): Promise<readonly RecordedVersion[]> {
    if (changes.length === 0) return [];
    const node_ids = changes.map(({ node_id }) => node_id);
    const now = this.clock.now();
    const current = new Map((await this.rows.findCurrent(node_ids)).map((state) => [state.node_id, state]));
    const recorded: RecordedVersion[] = [];
    const fresh: WrittenVersion[] = [];
    const outdated = new Set<string>();
    for (const change of changes) {
      const state = current.get(change.node_id);
      if (!state) continue;
      const { newest } = state;
      if (newest && isKept(newest, state.hash, change)) recorded.push({ ...change, ver_id: newest.ver_id, ver_number: newest.ver_number });
      else if (newest && !pinned && isExtended(newest, change, { now, by })) {
        outdated.add(change.node_id);
        await this.rows.extendVersion({ ...written(change, state), ver_id: newest.ver_id }, now);
        recorded.push({ ...change, ver_id: newest.ver_id, ver_number: newest.ver_number });
      } else {
        const version = {
          ...written(change, state),
          ver_id: this.ids.next(),
          ver_number: (newest?.ver_number ?? 0) + 1,
          ver_pinned: pinned,
        };
        fresh.push(version);
        if (version.ver_number > MOST_VERSIONS) outdated.add(change.node_id);
        recorded.push({ ...change, ver_id: version.ver_id, ver_number: version.ver_number });
      }
    }
    await this.rows.storeParts(node_ids);
    await this.rows.insertVersions(fresh, { now, by });
    if (outdated.size > 0) await this.rows.pruneVersions([...outdated]);
    return recorded.map(({ node_id, ver_id, ver_number }) => ({ node_id, ver_id, ver_number }));
  }
}

const written = (
  { node_id, kind, locales, note = null }: VersionChange,
  { hash, parts }: CurrentState,
): Omit<WrittenVersion, 'ver_id' | 'ver_number' | 'ver_pinned'> => ({
  ver_node: node_id,
  ver_kind: kind,
  ver_locales: [...locales].sort(),
  ver_note: note,
  ver_hash: hash,
  ver_parts: parts,
});
