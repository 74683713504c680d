import { Injectable } from '@nestjs/common';
import { isRestricted, type Principal } from '@atrium/platform/access';
import { Database, sql, type ListParameters, type Page, type Precondition, type Sql } from '@atrium/platform/database';
import { Clock, Ids, invalidField, invalidState, isId, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { SavedSearches } from '@atrium/files';
import { LegalHolds } from '@atrium/governance';
import { AclSubjects } from '@atrium/identity';
import { Album } from '../domain/album';
import { AlbumKind } from '../domain/album-kind';
import { AlbumsRepository, type Surroundings } from '../infrastructure/albums.repository';
import { AlbumAccess } from './album-access';
import { AlbumAnswers, type AlbumAnswer, type AlbumDetailAnswer } from './album-answers';
import { AlbumPlaces, TOP_LEVEL } from './album-places';

export interface AlbumFacts {
  readonly album_name?: string;
  readonly album_description?: string | null;
  readonly album_cover_file?: string | null;
  readonly album_metadata?: JsonObject;
  readonly album_acl?: JsonObject;
  readonly album_active?: boolean;
  readonly album_parent?: string | null;
}

export interface NewAlbum extends AlbumFacts {
  readonly album_name: string;
  readonly album_smart?: boolean;
  readonly album_query?: string | null;
}

export interface AlbumFilters extends ListParameters {
  readonly album_parent?: string;
  readonly album_active?: boolean;
  readonly full_text_search?: string;
}

const NOTHING_AROUND: Surroundings = { album_child_count: 0, newest_file: null, album_path: [] };

/** Albums as such: who may see and change them, and their place in the tree. */
@Injectable()
export class AlbumsService {
  constructor(
    private readonly db: Database,
    private readonly albums: AlbumsRepository,
    private readonly access: AlbumAccess,
    private readonly answers: AlbumAnswers,
    private readonly places: AlbumPlaces,
    private readonly searches: SavedSearches,
    private readonly holds: LegalHolds,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly kind: AlbumKind,
    private readonly subjects: AclSubjects,
  ) {}

  list(caller: Principal, query: AlbumFilters): Promise<Page<AlbumAnswer>> {
    return this.db.read(async () => {
      const steady = query.album_parent === undefined && query.full_text_search === undefined;
      const page = await this.albums.listAlbums(caller, query, { where: whereOf(query), steady, effort: this.answers.effort });
      return { ...page, data: await this.answers.completeRows(caller, page.data) };
    });
  }

  get(caller: Principal, id: string): Promise<AlbumDetailAnswer> {
    return this.db.read(() => this.answers.readAlbum(caller, id));
  }

  create(caller: Principal, facts: NewAlbum): Promise<AlbumDetailAnswer> {
    return this.db.write(async () => {
      const album = await this.buildAlbum(caller, facts);
      if (facts.album_parent) await this.albums.lockTree();
      await this.search(album, facts);
      await this.places.placeAlbum(caller, album, facts);
      return this.insertAlbum(caller, album);
    });
  }

  /** A new album with its access list, whose subjects are there. */
  async buildAlbum(caller: Principal, facts: NewAlbum): Promise<Album> {
    return this.blankAlbum(caller, { ...facts, album_acl: await this.subjects.validateSubjects('album_acl', facts.album_acl ?? {}) });
  }

  /** An album that nothing is said of but its name. */
  blankAlbum(
    caller: Principal,
    { album_name, album_description = null, album_metadata = {}, album_acl = {}, album_active = true }: NewAlbum,
  ): Album {
    const now = this.clock.now();
    return Album.blank(
      {
        album_id: this.ids.next(),
        album_kind: this.kind.name,
        album_name,
        album_description,
        album_metadata,
        album_acl,
        album_active,
        album_created_by: caller.user_id,
      },
      now,
    );
  }

  /** Writes a new album; one at the top level goes with the commit, because it has no neighbours. */
  async insertAlbum(caller: Principal, album: Album): Promise<AlbumDetailAnswer> {
    await this.places.assertRoom();
    this.outbox.emitEvent({
      name: `${this.kind.reference}.created`,
      subject_id: album.album_id,
      payload: { album_name: album.album_name },
    });
    if (album.album_parent !== null) {
      await this.albums.insert(album);
      return this.answers.readAlbum(caller, album.album_id, { written: true });
    }
    this.albums.insertWithCommit(album);
    return this.answers.toDetail(caller, album, NOTHING_AROUND);
  }

  change(caller: Principal, id: string, facts: AlbumFacts, precondition?: Precondition): Promise<AlbumDetailAnswer> {
    return this.db.write(async () => {
      if (facts.album_parent !== undefined) await this.albums.lockTree();
      const { album, around } = await this.albums.lockAround(caller, id, precondition, (row) =>
        this.access.assertLevel(caller, row, 'edit'),
      );
      if (facts.album_acl !== undefined) await this.access.changeAccessList(caller, album, facts.album_acl);
      await this.places.placeAlbum(caller, album, facts);
      if (facts.album_name !== undefined) album.album_name = facts.album_name;
      if (facts.album_description !== undefined) album.album_description = facts.album_description;
      if (facts.album_metadata !== undefined) album.album_metadata = facts.album_metadata;
      if (facts.album_active !== undefined) album.album_active = facts.album_active;
      album.touch(this.clock);
      this.outbox.emitEvent({ name: `${this.kind.reference}.updated`, subject_id: id, payload: { changed: Object.keys(facts) } });
      const closes = this.kind.guardsFiles && facts.album_acl !== undefined;
      if (facts.album_parent === undefined && !closes) {
        this.albums.saveWithCommit(album);
        return this.answers.toDetail(caller, album, around);
      }
      await this.albums.save(album);
      return this.answers.readAlbum(caller, id, { written: true });
    });
  }

  remove(caller: Principal, id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      await this.albums.lockTree();
      const album = await this.access.lockAlbum(caller, id, 'owner', precondition);
      await this.holds.assertNone('album', id);
      await this.assertNothingOpens(album);
      await this.albums.remove(album);
      if (album.album_query !== null && album.album_query_own) await this.searches.removeUnused(album.album_query);
      this.outbox.emitEvent({ name: `${this.kind.reference}.deleted`, subject_id: id, payload: { album_name: album.album_name } });
    });
  }

  getStats(caller: Principal): Promise<Record<string, number>> {
    return this.db.read(() => this.answers.countAlbums(caller));
  }

  /** Where the list of an album guards its files too, they would be open to everyone without it. */
  private async assertNothingOpens(album: Album): Promise<void> {
    if (!this.kind.guardsFiles || album.album_smart || !isRestricted(album.album_acl)) return;
    if (await this.albums.hasFiles(album.album_id))
      throw invalidState(
        `The access list of the ${this.kind.noun} restricts access to its content. Move its files out or clear its access list before you delete it.`,
      );
  }

  /** A smart album names the saved search that fills it, a curated one none. */
  private async search(album: Album, { album_smart = false, album_query = null }: NewAlbum): Promise<void> {
    if (!album_smart && album_query !== null)
      throw invalidField('album_query', `is allowed only for smart ${this.kind.noun}s`, 'not_applicable');
    if (!album_smart) return;
    if (album_query === null) throw invalidField('album_query', `is required for a smart ${this.kind.noun}`, 'required');
    if ((await this.searches.findScope(album_query)) !== this.kind.name)
      throw invalidField('album_query', `must be a saved search of the ${this.kind.library}`, 'reference');
    album.album_smart = true;
    album.album_query = album_query.toLowerCase();
  }
}

function whereOf({ album_parent: parent, album_active = true, full_text_search: text }: AlbumFilters): Sql {
  const level =
    parent === undefined
      ? sql`true`
      : parent === TOP_LEVEL
        ? sql`r.album_parent IS NULL`
        : isId(parent)
          ? sql`r.album_parent = ${parent}`
          : sql`false`;
  const matching = text === undefined ? sql`true` : sql`r.album_id IN (SELECT albums_matching(${text}))`;
  return sql`r.album_active = ${album_active} AND ${level} AND ${matching}`;
}
