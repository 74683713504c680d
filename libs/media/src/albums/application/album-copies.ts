import { Injectable } from '@nestjs/common';
import { ACL_LEVELS, aclLevel, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { HistoryWriter } from '@atrium/files';
import type { Album } from '../domain/album';
import { AlbumsRepository } from '../infrastructure/albums.repository';
import { MembershipsRepository } from '../infrastructure/memberships.repository';
import { AlbumAccess, aclOfCopy } from './album-access';
import { AlbumAnswers, type AlbumDetailAnswer } from './album-answers';
import { AlbumsService } from './albums.service';
import { SmartContents } from './smart-contents';

/** Members that a copy may have; a larger album is not copied in one request. */
const MOST_COPIED = 100_000;
const HISTORY_BATCH = 5_000;

/** Curated copies of albums: of a smart one, what it shows now. */
@Injectable()
export class AlbumCopies {
  constructor(
    private readonly db: Database,
    private readonly albums: AlbumsRepository,
    private readonly service: AlbumsService,
    private readonly access: AlbumAccess,
    private readonly answers: AlbumAnswers,
    private readonly contents: SmartContents,
    private readonly memberships: MembershipsRepository,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  copyAlbum(caller: Principal, id: string, album_name: string): Promise<AlbumDetailAnswer> {
    return this.db.write(async () => {
      await this.albums.lockTree();
      const original = await this.access.requireReadable(caller, id);
      const { album_description, album_metadata, album_acl } = original;
      const album = this.service.blankAlbum(caller, {
        album_name,
        album_description,
        album_metadata,
        album_acl: aclOfCopy(album_acl, caller),
      });
      album.album_cover_file = original.album_cover_file;
      album.album_parent = await this.parentFor(caller, original);
      await this.albums.insert(album);
      const files = await this.fill(caller, original, album.album_id);
      if (files.length > MOST_COPIED) throw new Problem('limit_reached', `Albums with more than ${MOST_COPIED} files cannot be copied.`);
      await this.note(album, files);
      this.outbox.emitEvent({ name: 'album.created', subject_id: album.album_id, payload: { album_name, copy_of: id } });
      return this.answers.readAlbum(caller, album.album_id, { written: true });
    });
  }

  private async fill(caller: Principal, original: Album, to: string): Promise<readonly string[]> {
    const by = { by: caller.user_id, now: this.clock.now(), most: MOST_COPIED + 1 };
    if (!original.album_smart) return this.memberships.copyMembers(original.album_id, to, by);
    return this.memberships.addMatching(to, await this.contents.buildContentCondition(caller, await this.contents.readQuery(original)), by);
  }

  /** Beside the original, where the caller may put albums there. */
  private async parentFor(caller: Principal, { album_parent }: Album): Promise<string | null> {
    const parent = album_parent === null ? null : await this.albums.findRow(album_parent);
    return parent && (aclLevel(parent.album_acl, caller) ?? ACL_LEVELS.owner) >= ACL_LEVELS.edit ? parent.album_id : null;
  }

  private async note({ album_id, album_name }: Album, files: readonly string[]): Promise<void> {
    for (let at = 0; at < files.length; at += HISTORY_BATCH) {
      await this.history.addEntries(
        files.slice(at, at + HISTORY_BATCH).map((file_id) => ({ file_id, action: 'album_added', details: { album_id, album_name } })),
      );
    }
  }
}
