import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PermissionSet, systemPrincipal, type Principal } from '@atrium/platform/access';
import {
  Database,
  listPage,
  requireScope,
  sql,
  type ListParameters,
  type Page,
  Choice,
  Id,
  Ref,
  Resource,
  Stamp,
  TenantRow,
} from '@atrium/platform/database';
import { Clock, DAY } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { AlbumSnapshotsRepository, type SmartAlbum } from '../infrastructure/album-snapshots.repository';
import { AlbumAccess } from './album-access';
import { SmartContents } from './smart-contents';

/** That a file came into a smart album's view or left it, and when that was found out. */
@Resource({ table: 'album_change', sort: '-ac_created' })
export class AlbumChange extends TenantRow {
  @Id({ about: 'Id of the change.' }) readonly ac_id!: string;
  @Ref({ about: 'The smart album.' }) readonly ac_album!: string;
  @Ref({ about: 'The file. It may have been deleted since.', filter: 'equals' }) readonly ac_file!: string;
  @Choice(['entered', 'left'], { about: 'Whether the file was added or removed.', filter: 'equals' }) readonly ac_change!:
    'entered' | 'left';
  @Stamp({ about: 'When the change was detected.', sort: true }) readonly ac_created!: Date;
}

/** Files of a smart album that are compared; of a larger one the first so many by id. */
const MOST_COMPARED = 100_000;
const KEPT_MS = 90 * DAY;

export interface ListedChanges extends ListParameters {
  readonly since?: Date;
}

/**
 * What entered and left smart albums. Each is looked at once a day and when its filter was made or changed, by
 * without a reader: what depends on the reader (favorites, `me`, albums with an access list) matches nothing there.
 */
@Injectable()
export class SmartAlbumChanges {
  constructor(
    private readonly db: Database,
    private readonly access: AlbumAccess,
    private readonly contents: SmartContents,
    private readonly snapshots: AlbumSnapshotsRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  listChanges(caller: Principal, id: string, query: ListedChanges): Promise<Page<AlbumChange>> {
    return this.db.read(async (tx) => {
      const album = await this.access.requireReadable(caller, id);
      album.assertSmart();
      const since = query.since === undefined ? sql`true` : sql`r.ac_created >= ${query.since}`;
      return listPage<AlbumChange>(tx, AlbumChange, query, { where: sql`r.ac_album = ${id} AND ${since}` });
    });
  }

  /** Compares every smart album of the workspace, one transaction each. */
  async recordChanges(signal: AbortSignal): Promise<void> {
    for (let after: string | null = null; !signal.aborted;) {
      const at: string | null = after;
      const album: SmartAlbum | undefined = await this.db.read(() => this.snapshots.findNextAlbum(at));
      if (!album) return;
      await this.compare(album);
      after = album.album_id;
    }
  }

  /** Records how the album differs from its last look. The first look finds nothing out: it is what the next is compared with. */
  private async compare({ album_id, album_query }: SmartAlbum): Promise<void> {
    await this.db.write(async () => {
      const known = await this.snapshots.lockSnapshot(album_id);
      const condition = await this.contents.buildContentCondition(
        systemPrincipal(requireScope().tenant_id, READER),
        await this.contents.readQuery({ album_query }),
      );
      const found = await this.snapshots.findMatching(condition, MOST_COMPARED + 1);
      const complete = found.length <= MOST_COMPARED;
      const files = found.slice(0, MOST_COMPARED);
      const as_hash = createHash('sha256').update(files.join()).digest('hex');
      const now = this.clock.now();
      if (known?.as_hash === as_hash) return this.snapshots.touchSnapshot(album_id, now);
      await this.snapshots.saveSnapshot(album_id, { as_hash, as_count: files.length, as_complete: complete, as_taken: now });
      const changed = await this.snapshots.replaceFiles(album_id, files, known ? now : null);
      await this.snapshots.deleteChangesBefore(album_id, new Date(now.getTime() - KEPT_MS));
      if (known) this.outbox.emitEvent({ name: 'album.files_changed', subject_id: album_id, payload: { ...changed, smart: true } });
    });
  }
}

/** Who looks when nobody does: may see the whole library, and is no one's favorite or owner. */
const READER = { permissions: PermissionSet.of(['media:view']), modules: new Set<never>() };
