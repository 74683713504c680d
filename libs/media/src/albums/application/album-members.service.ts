import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, isLargePage, type Page } from '@atrium/platform/database';
import { Clock, invalidField, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { FileSummaries, HistoryWriter } from '@atrium/files';
import { LegalHolds } from '@atrium/governance';
import type { Album } from '../domain/album';
import { AlbumKind } from '../domain/album-kind';
import type { MembershipRow } from '../domain/membership';
import { MembershipsRepository, type Edge, type MembershipQuery } from '../infrastructure/memberships.repository';
import { AlbumAccess } from './album-access';
import { GuardedContents } from './guarded-contents';

export interface AddedMembers {
  readonly added: number;
  readonly skipped: number;
  readonly already: number;
}

/** Members to put beside another one. */
export interface MemberOrder {
  readonly file_ids: readonly string[];
  readonly before?: string;
  readonly after?: string;
}

/** The content of curated albums and its order. Changes of one album follow each other: its row is locked. */
@Injectable()
export class AlbumMembers {
  constructor(
    private readonly db: Database,
    private readonly access: AlbumAccess,
    private readonly memberships: MembershipsRepository,
    private readonly files: FileSummaries,
    private readonly holds: LegalHolds,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly guarded: GuardedContents,
    private readonly kind: AlbumKind,
  ) {}

  addMembers(caller: Principal, id: string, file_ids: readonly string[], at?: Edge): Promise<AddedMembers> {
    return this.db.write(async () => {
      const album = await this.lockCurated(caller, id);
      const wanted = distinct(file_ids);
      const library = await this.files.filterLibraryFiles(wanted, this.kind.name, { lock: true });
      const known = await this.guarded.filterEditable(
        caller,
        wanted.filter((file) => library.has(file)),
      );
      const added = await this.memberships.addMembers(id, known, { by: caller.user_id, now: this.clock.now(), at });
      await this.assertRoom(added);
      await this.tell(album, 'album_added', added, { added: added.length });
      return { added: added.length, skipped: wanted.length - known.length, already: known.length - added.length };
    });
  }

  removeMembers(caller: Principal, id: string, file_ids: readonly string[]): Promise<{ removed: number }> {
    return this.db.write(async () => {
      const album = await this.lockCurated(caller, id);
      await this.holds.assertNone('album', id);
      const removed = await this.memberships.removeMembers(id, await this.guarded.filterEditable(caller, distinct(file_ids)));
      await this.tell(album, 'album_removed', removed, { removed: removed.length });
      return { removed: removed.length };
    });
  }

  /** Puts members in front of another one, behind it, or at the end of the album. */
  reorderMembers(caller: Principal, id: string, { file_ids, before, after }: MemberOrder): Promise<{ moved: number; skipped: number }> {
    if (before !== undefined && after !== undefined) throw invalidField('after', 'cannot be combined with before', 'not_applicable');
    const anchor = (before ?? after)?.toLowerCase();
    const wanted = distinct(file_ids);
    if (anchor !== undefined && wanted.includes(anchor))
      throw invalidField(before === undefined ? 'after' : 'before', 'must not be one of the files in file_ids', 'reference');
    return this.db.write(async () => {
      const album = await this.lockCurated(caller, id);
      const members = await this.memberships.filterMembers(id, anchor === undefined ? wanted : [...wanted, anchor]);
      if (anchor !== undefined && !members.has(anchor))
        throw invalidField(before === undefined ? 'after' : 'before', `must be a file of the ${this.kind.noun}`, 'reference');
      const moved = wanted.filter((file) => members.has(file));
      if (moved.length > 0) {
        if (anchor === undefined) await this.memberships.placeLast(id, moved, this.clock.now());
        else await this.memberships.moveMembers(id, moved, { side: before === undefined ? 'after' : 'before', file: anchor });
        this.outbox.emitEvent({
          name: `${this.kind.reference}.files_changed`,
          subject_id: album.album_id,
          payload: { moved: moved.length },
        });
      }
      return { moved: moved.length, skipped: wanted.length - moved.length };
    });
  }

  listMembers(caller: Principal, query: MembershipQuery): Promise<Page<MembershipRow>> {
    const page = async (): Promise<Page<MembershipRow>> =>
      this.memberships.listMemberships(caller, query, await this.guarded.buildShownCondition(caller));
    return isLargePage(query) ? this.db.readMany(page) : this.db.read(page);
  }

  /** A file is in so many albums at most. */
  private async assertRoom(files: readonly string[]): Promise<void> {
    const { holding } = this.kind.most;
    if (files.length === 0 || !Number.isFinite(holding)) return;
    const full = await this.memberships.findHeldByMore(files, holding);
    if (full)
      throw new Problem(
        'limit_reached',
        `A file can be in at most ${holding} ${this.kind.noun}s; ${full} of these files would exceed that.`,
      );
  }

  private async lockCurated(caller: Principal, id: string): Promise<Album> {
    const album = await this.access.lockAlbum(caller, id, 'edit');
    album.assertCurated();
    return album;
  }

  private async tell(
    { album_id, album_name }: Album,
    action: 'album_added' | 'album_removed',
    files: readonly string[],
    payload: JsonObject,
  ): Promise<void> {
    if (files.length === 0) return;
    await this.history.addEntries(files.map((file_id) => ({ file_id, action, details: { album_id, album_name } })));
    this.outbox.emitEvent({ name: `${this.kind.reference}.files_changed`, subject_id: album_id, payload });
  }
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];
