import { Injectable } from '@nestjs/common';
import { ACL_LEVELS, aclLevel, permissionDenied, type AclLevel, type Principal } from '@atrium/platform/access';
import { Database, sql, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, invalidField, isId, notFound, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { FileSummaries, type FilePreview } from '@atrium/files';
import { LegalHolds } from '@atrium/governance';
import { Album } from '../domain/album';
import { AlbumsRepository, type AlbumDetailRow, type AlbumRow, type Surroundings } from '../infrastructure/albums.repository';
import type { MembershipRow } from '../domain/membership';
import { MembershipsRepository } from '../infrastructure/memberships.repository';

export interface AlbumFacts {
  readonly album_name?: string;
  readonly album_description?: string | null;
  readonly album_cover_file?: string | null;
  readonly album_metadata?: JsonObject;
  readonly album_acl?: JsonObject;
  readonly album_active?: boolean;
  readonly album_parent?: string | null;
}

export interface AlbumFilters extends ListParameters {
  readonly album_parent?: string;
  readonly album_active?: boolean;
  readonly full_text_search?: string;
}

/** An album as clients see it. */
export type AlbumAnswer = Omit<AlbumRow, 'acl_level' | 'newest_file'> & {
  readonly album_cover_preview: (FilePreview & { readonly file_id: string }) | null;
  readonly album_access: AclLevel;
};

const TOP_LEVEL = 'root';

const NOTHING_AROUND: Surroundings = { album_child_count: 0, newest_file: null, album_path: [] };

/** Curated albums: who may see and change them, what lies in them, where they lie. */
@Injectable()
export class AlbumsService {
  constructor(
    private readonly db: Database,
    private readonly albums: AlbumsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly files: FileSummaries,
    private readonly holds: LegalHolds,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, query: AlbumFilters): Promise<Page<AlbumAnswer>> {
    const { album_parent: parent, album_active = true, full_text_search: text } = query;
    const level = parent === undefined ? sql`true` : parent === TOP_LEVEL ? sql`r.album_parent IS NULL` : sql`r.album_parent = ${parent}`;
    const matching = text === undefined ? sql`true` : sql`r.album_id IN (SELECT albums_matching(${text}))`;
    return this.db.read(async () => {
      const page = await this.albums.page(caller, query, sql`r.album_active = ${album_active} AND ${level} AND ${matching}`);
      return { ...page, data: await this.withCovers(caller, page.data) };
    });
  }

  one(caller: Principal, id: string): Promise<AlbumAnswer & { row_version: number }> {
    return this.db.read(() => this.read(caller, id));
  }

  create(caller: Principal, facts: AlbumFacts & { readonly album_name: string }): Promise<AlbumAnswer> {
    return this.db.write(async () => {
      const now = this.clock.now();
      const album = Object.assign(new Album(), {
        album_id: this.ids.next(),
        album_kind: 'media' as const,
        album_name: facts.album_name,
        album_description: facts.album_description ?? null,
        album_cover_file: null,
        album_metadata: facts.album_metadata ?? {},
        album_acl: this.checkedAcl(facts.album_acl ?? {}),
        album_active: facts.album_active ?? true,
        album_smart: false,
        album_parent: null,
        album_file_count: 0,
        album_created: now,
        album_updated: now,
        album_created_by: caller.user_id,
      });
      await this.place(caller, album, facts);
      this.outbox.emit({ name: 'album.created', subject_id: album.album_id, payload: { album_name: album.album_name } });
      if (album.album_parent !== null) {
        const [, answer] = await Promise.all([this.albums.insert(album), this.read(caller, album.album_id, { written: true })]);
        return answer;
      }
      this.albums.insertWithCommit(album);
      return this.answer(caller, album, NOTHING_AROUND);
    });
  }

  change(caller: Principal, id: string, facts: AlbumFacts, precondition?: Precondition): Promise<AlbumAnswer> {
    return this.db.write(async () => {
      if (facts.album_parent !== undefined) await this.albums.lockTree();
      const { album, around } = await this.albums.lockAround(caller, id, precondition, (row) => this.assertLevel(caller, row, 'edit'));
      if (facts.album_acl !== undefined) this.share(caller, album, facts.album_acl);
      await this.place(caller, album, facts);
      if (facts.album_name !== undefined) album.album_name = facts.album_name;
      if (facts.album_description !== undefined) album.album_description = facts.album_description;
      if (facts.album_metadata !== undefined) album.album_metadata = facts.album_metadata;
      if (facts.album_active !== undefined) album.album_active = facts.album_active;
      album.touch(this.clock);
      this.outbox.emit({ name: 'album.updated', subject_id: id, payload: { changed: Object.keys(facts) } });
      if (facts.album_parent === undefined) {
        this.albums.saveWithCommit(album);
        return this.answer(caller, album, around);
      }
      const [, answer] = await Promise.all([this.albums.save(album), this.read(caller, id, { written: true })]);
      return answer;
    });
  }

  remove(caller: Principal, id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const album = await this.lockFor(caller, id, 'owner', precondition);
      await this.holds.demandNone('album', id);
      await this.albums.remove(album);
      this.outbox.emit({ name: 'album.deleted', subject_id: id, payload: { album_name: album.album_name } });
    });
  }

  addFiles(caller: Principal, id: string, file_ids: readonly string[]): Promise<{ added: number; skipped: number; already: number }> {
    return this.db.write(async () => {
      await this.lockFor(caller, id, 'edit');
      const wanted = [...new Set(file_ids.map((file) => file.toLowerCase()))];
      const known = await this.files.libraryFiles(wanted, 'media', { lock: true });
      const added = await this.memberships.add(id, [...known], caller.user_id);
      if (added > 0) this.outbox.emit({ name: 'album.files_changed', subject_id: id, payload: { added } });
      return { added, skipped: wanted.length - known.size, already: known.size - added };
    });
  }

  removeFiles(caller: Principal, id: string, file_ids: readonly string[]): Promise<{ removed: number }> {
    return this.db.write(async () => {
      await this.lockFor(caller, id, 'edit');
      await this.holds.demandNone('album', id);
      const removed = await this.memberships.remove(id, file_ids);
      if (removed > 0) this.outbox.emit({ name: 'album.files_changed', subject_id: id, payload: { removed } });
      return { removed };
    });
  }

  listMemberships(caller: Principal, query: ListParameters): Promise<Page<MembershipRow>> {
    return this.db.read(() => this.memberships.page(caller, query));
  }

  stats(caller: Principal): Promise<Record<string, number>> {
    return this.db.read(() => this.albums.stats(caller));
  }

  private async read(caller: Principal, id: string, how: { readonly written?: boolean } = {}): Promise<AlbumAnswer & Pick<AlbumDetailRow, 'row_version' | 'album_path'>> {
    const row = await this.albums.detail(caller, id, how);
    if (!row) throw notFound('album');
    const { row_version, album_path, ...album } = row;
    const [answer] = await this.withCovers(caller, [album]);
    return { ...(answer as AlbumAnswer), row_version, album_path };
  }

  /** The album as it was written, among surroundings that the change did not touch. */
  private async answer(caller: Principal, { tenant_id: _, album_kind: __, ...album }: Album, { album_path, ...around }: Surroundings): ReturnType<AlbumsService['read']> {
    const { row_version, ...row } = album;
    const [answer] = await this.withCovers(caller, [{ ...row, ...around, acl_level: aclLevel(album.album_acl, caller) }]);
    return { ...(answer as AlbumAnswer), row_version, album_path };
  }

  /** Covers and access for a whole page: at most one further statement, however many rows. */
  private async withCovers(caller: Principal, rows: readonly AlbumRow[]): Promise<AlbumAnswer[]> {
    const candidates = rows.flatMap((row) => [row.album_cover_file, row.newest_file]).filter((id) => id !== null);
    const files = await this.files.summaries(candidates);
    return rows.map(({ acl_level, newest_file, ...row }) => {
      const cover = [row.album_cover_file, newest_file].map((id) => (id ? files.get(id) : undefined)).find((file) => file?.preview);
      return { ...row, album_cover_preview: cover?.preview ? { file_id: cover.file_id, ...cover.preview } : null, album_access: accessOf(caller, acl_level) };
    });
  }

  private lockFor(caller: Principal, id: string, level: AclLevel, precondition?: Precondition): Promise<Album> {
    return this.albums.lock(id, precondition, (album) => this.assertLevel(caller, album, level));
  }

  /** Unreadable answers 404, readable but not enough 403. */
  private assertLevel(caller: Principal, album: Album, level: AclLevel): void {
    const given = aclLevel(album.album_acl, caller);
    if (album.album_kind !== 'media' || given === 0) throw notFound('album');
    if (given !== null && given < ACL_LEVELS[level]) throw permissionDenied([`(${level} access to the album)`]);
  }

  /** Parent and cover, as far as the request names them. */
  private async place(caller: Principal, album: Album, { album_parent, album_cover_file }: AlbumFacts): Promise<void> {
    if (album_cover_file) {
      if (!(await this.files.libraryFiles([album_cover_file], 'media')).has(album_cover_file.toLowerCase())) throw invalidField('album_cover_file', 'is no file of the media library', 'reference');
    }
    if (album_cover_file !== undefined) album.album_cover_file = album_cover_file;
    if (album_parent === undefined) return;
    if (album_parent === null || album_parent === TOP_LEVEL) {
      album.album_parent = null;
      return;
    }
    if (!isId(album_parent)) throw invalidField('album_parent', 'must be a uuid, root or null', 'uuid');
    const [parent, ancestors] = await Promise.all([this.albums.find(album_parent), this.albums.ancestors(album_parent)]);
    const level = parent?.album_kind === 'media' ? aclLevel(parent.album_acl, caller) : 0;
    if (!parent || level === 0) throw invalidField('album_parent', 'is no album of this workspace', 'reference');
    if (level !== null && level < ACL_LEVELS.edit) throw permissionDenied(['(edit access to the parent album)']);
    album.moveUnder(parent, ancestors);
  }

  private share(caller: Principal, album: Album, acl: JsonObject): void {
    const level = aclLevel(album.album_acl, caller);
    if (level !== null && level < ACL_LEVELS.owner && !caller.permissions.has('admin:settings')) throw permissionDenied(['(owner access to the album)', 'admin:settings']);
    album.album_acl = this.checkedAcl(acl);
  }

  /** Well-formed, and with an owner left when it restricts at all. */
  private checkedAcl(acl: JsonObject): JsonObject {
    for (const [subject, entries] of Object.entries(acl)) {
      if (!['users', 'roles', 'spaces'].includes(subject)) throw invalidField(`album_acl.${subject}`, 'is none of users, roles, spaces', 'unknown_field');
      if (typeof entries !== 'object' || entries === null || Array.isArray(entries)) throw invalidField(`album_acl.${subject}`, 'must be an object of levels by id', 'object');
      for (const [id, level] of Object.entries(entries)) {
        if (!isId(id)) throw invalidField(`album_acl.${subject}`, 'must name its subjects by uuid', 'uuid');
        if (typeof level !== 'string' || !Object.hasOwn(ACL_LEVELS, level)) throw invalidField(`album_acl.${subject}.${id}`, 'must be view, edit or owner', 'choice');
      }
    }
    const levels = Object.values(acl).flatMap((entries) => Object.values(entries as JsonObject));
    if (levels.length > 0 && !levels.includes('owner')) throw new Problem('validation_failed', 'album_acl: keeps at least one owner.', { errors: [{ path: 'album_acl', code: 'owner', message: 'keeps at least one owner' }] });
    return acl;
  }
}

/** Without an ACL the permissions decide alone. */
function accessOf(caller: Principal, level: number | null): AclLevel {
  if (level !== null) return level >= ACL_LEVELS.owner ? 'owner' : level >= ACL_LEVELS.edit ? 'edit' : 'view';
  if (caller.permissions.has('media:delete')) return 'owner';
  return caller.permissions.has('media:edit') ? 'edit' : 'view';
}
