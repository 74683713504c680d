import { Injectable } from '@nestjs/common';
import { Bytes, type ShownFile } from '@atrium/files';
import { Clock, Ids, type JsonObject } from '@atrium/platform/kernel';
import { isBlock } from '../../content/domain/content-form';
import { findPlaces } from '../domain/content-places';
import { SiteLibraries, type SiteLibrary } from '../../nodes/application/site-libraries';
import type { SiteOfDrafts } from '../../nodes/domain/page-draft';
import type { FrozenFile, LivePage, Snapshot } from '../domain/live-page';
import { PublishWork, type PageToPublish } from '../domain/publish-work';
import { SnapshotsRows } from '../infrastructure/snapshots.rows';
import { SnapshotIndex } from './snapshot-index';

/** The files that drafts show, as they are now and stay until the unit of work ends. */
export type ReadyFiles = ReadonlyMap<string, ShownFile>;

/** Freezes what a locale of a page shows into one self-contained snapshot, and keeps its bytes while it is live. */
@Injectable()
export class Snapshots {
  constructor(
    private readonly rows: SnapshotsRows,
    private readonly index: SnapshotIndex,
    private readonly libraries: SiteLibraries,
    private readonly bytes: Bytes,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** The pages of which something else would be live: their content, their place, or a file that was replaced. */
  async findChanged(pages: readonly PageToPublish[], files: ReadyFiles): Promise<readonly PageToPublish[]> {
    const same = pages.filter((page) => PublishWork.isLiveAlready(page));
    const shown = same.flatMap(({ live }) => (live?.snapshot ? [live.snapshot] : []));
    const frozen = shown.length === 0 ? [] : await this.rows.findFrozenFiles(shown);
    const replaced = new Set(frozen.filter(({ file_id, hash }) => files.get(file_id)?.file_hash !== hash).map(({ snap_id }) => snap_id));
    const unchanged = new Set(same.filter(({ live }) => !live?.snapshot || !replaced.has(live.snapshot)));
    return pages.filter((page) => !unchanged.has(page));
  }

  /** A snapshot of each page or link, by page; folders show nothing of their own. */
  async freezePages(site: SiteOfDrafts, pages: readonly PageToPublish[], files: ReadyFiles): Promise<ReadonlyMap<PageToPublish, string>> {
    const library = await this.libraries.openLibrary(site);
    const frozen = new Map<PageToPublish, Snapshot>();
    for (const page of pages) if (page.draft.kind !== 'folder') frozen.set(page, this.snapshotOf(page, files, library));
    const snapshots = [...frozen.values()];
    if (snapshots.length > 0) {
      await this.rows.insertSnapshots(site.site_id, snapshots, this.clock.now());
      await this.index.indexSnapshots(snapshots, library);
      await this.bytes.pinAll(
        snapshots.flatMap(({ snap_id, references }) =>
          references.flatMap(({ kind, ref, hash }) => (kind === 'file' ? [{ file_id: ref, hash, owner: ownerOf(snap_id) }] : [])),
        ),
      );
    }
    return new Map([...frozen].map(([page, { snap_id }]) => [page, snap_id]));
  }

  /** Pages that are closed give their bytes and their entries in lists back, unless the same content is live elsewhere. */
  async releaseUnshown(closed: readonly Pick<LivePage, 'snapshot'>[]): Promise<void> {
    const shown = closed.flatMap(({ snapshot }) => (snapshot === null ? [] : [snapshot]));
    if (shown.length === 0) return;
    const unshown = await this.rows.findUnshown(shown);
    if (unshown.length === 0) return;
    const files = await this.rows.findFrozenFiles(unshown);
    await this.bytes.unpinAll(files.map(({ snap_id, file_id }) => ({ file_id, owner: ownerOf(snap_id) })));
    await this.index.removeSnapshots(unshown);
  }

  private snapshotOf({ draft }: PageToPublish, files: ReadyFiles, library: SiteLibrary): Snapshot {
    const shown: Record<string, FrozenFile> = {};
    for (const { kind, ref } of draft.references) {
      const file = kind === 'file' ? files.get(ref) : undefined;
      if (file) shown[ref] = frozenFile(file);
    }
    return {
      snap_id: this.ids.next(),
      node_id: draft.node_id,
      locale: draft.locale,
      template: draft.template,
      hash: draft.hash,
      doc: { content: draft.content, places: placesOf(draft.content, library), seo: draft.seo, files: shown },
      references: draft.references.map(({ kind, ref }) => ({ kind, ref, hash: shown[ref]?.hash ?? '' })),
    };
  }
}

const placesOf = (content: JsonObject, { find }: SiteLibrary) => (isBlock(content) ? findPlaces(content, find) : []);

/** Who pins the bytes that a snapshot shows. */
const ownerOf = (snap_id: string): string => `site:${snap_id}`;

export const frozenFile = ({ file_hash, file_name, file_type, file_size, file_width, file_height }: ShownFile): FrozenFile => ({
  hash: file_hash ?? '',
  name: file_name,
  type: file_type,
  size: file_size,
  width: file_width,
  height: file_height,
});
