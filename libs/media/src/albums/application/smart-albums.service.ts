import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type Precondition } from '@atrium/platform/database';
import { Clock, invalidField, notFound, type JsonObject } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { SavedSearches, SavedSearchUses, SearchLanguage, type SearchLeaf, type SearchQuery } from '@atrium/files';
import type { Album } from '../domain/album';
import { AlbumKind } from '../domain/album-kind';
import { AlbumsRepository } from '../infrastructure/albums.repository';
import { smartAlbums } from '../jobs/smart-albums.jobs';
import { AlbumAccess } from './album-access';
import { AlbumPlaces } from './album-places';
import { AlbumAnswers, type AlbumDetailAnswer } from './album-answers';
import { AlbumsService } from './albums.service';
import { SmartContents } from './smart-contents';

export interface NewSmartAlbum {
  readonly album_name: string;
  readonly album_description?: string | null;
  readonly query_search: JsonObject;
  readonly album_parent?: string | null;
}

export type SmartChanges = Partial<Omit<NewSmartAlbum, 'album_parent'>>;

/** Why a file is in a smart album, or why it is not: what each leaf of the filter says of it. */
export interface Explanation {
  readonly file_id: string;
  readonly matched: boolean;
  readonly leaves: readonly { readonly path: string; readonly leaf: SearchLeaf; readonly matched: boolean }[];
}

/** Albums that a saved search fills: made and changed together with it. */
@Injectable()
export class SmartAlbums {
  constructor(
    private readonly db: Database,
    private readonly albums: AlbumsRepository,
    private readonly service: AlbumsService,
    private readonly places: AlbumPlaces,
    private readonly access: AlbumAccess,
    private readonly answers: AlbumAnswers,
    private readonly contents: SmartContents,
    private readonly searches: SavedSearches,
    private readonly uses: SavedSearchUses,
    private readonly language: SearchLanguage,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly kind: AlbumKind,
  ) {}

  create(caller: Principal, { query_search, ...facts }: NewSmartAlbum): Promise<AlbumDetailAnswer> {
    return this.db.write(async () => {
      if (facts.album_parent) await this.albums.lockTree();
      const query = await this.language.readQueryToStore(query_search, this.kind.name, caller);
      const album = await this.service.buildAlbum(caller, facts);
      await this.places.placeAlbum(caller, album, facts);
      await this.fill(caller, album, query);
      this.lookAt();
      return this.service.insertAlbum(caller, album);
    });
  }

  change(
    caller: Principal,
    id: string,
    { album_name, album_description, query_search }: SmartChanges,
    precondition?: Precondition,
  ): Promise<AlbumDetailAnswer> {
    if (album_name === undefined && album_description === undefined && query_search === undefined)
      throw invalidField('', 'at least one of album_name, album_description and query_search is required', 'required');
    return this.db.write(async () => {
      const album = await this.access.lockAlbum(caller, id, 'edit', precondition);
      album.assertSmart();
      if (album_name !== undefined) album.album_name = album_name;
      if (album_description !== undefined) album.album_description = album_description;
      if (query_search !== undefined)
        await this.refill(caller, album, await this.language.readQueryToStore(query_search, this.kind.name, caller));
      album.touch(this.clock);
      await this.albums.save(album);
      const changed = Object.entries({ album_name, album_description, query_search }).flatMap(([name, value]) =>
        value === undefined ? [] : [name],
      );
      this.outbox.emitEvent({ name: `${this.kind.reference}.updated`, subject_id: id, payload: { changed } });
      return this.answers.readAlbum(caller, id, { written: true });
    });
  }

  /** What each leaf of the album's filter says of a library file. */
  explainFile(caller: Principal, id: string, file_id: string): Promise<Explanation> {
    return this.db.read(async () => {
      const album = await this.access.requireReadable(caller, id);
      album.assertSmart();
      const query = await this.contents.readQuery(album);
      const told = await this.language.explainFile({ scope: this.kind.name, query, reader: caller }, file_id);
      if (!told) throw notFound('file');
      const condition = await this.contents.buildContentCondition(caller, query);
      const matched = await this.contents.matchesFile(condition, file_id);
      return { file_id, matched, leaves: told.map(({ path, leaf, matched: here }) => ({ path, leaf, matched: here })) };
    });
  }

  /** The first saved search of an album, made for it alone. */
  private async fill(caller: Principal, album: Album, query: SearchQuery): Promise<void> {
    album.album_query = await this.searches.insertSearch(caller, { sq_name: album.album_name, sq_scope: this.kind.name, query });
    album.album_smart = true;
    album.album_query_own = true;
  }

  /** The saved search changes in place when nothing else uses it; else the album gets one of its own. */
  private async refill(caller: Principal, album: Album, query: SearchQuery): Promise<void> {
    const shared = album.album_query !== null && ((await this.uses.countUses([album.album_query], null)).get(album.album_query) ?? 0) > 1;
    if (album.album_query === null || shared) await this.fill(caller, album, query);
    else await this.searches.replaceQuery(album.album_query, query);
    this.lookAt();
  }

  /** What entered and left is found out soon, without keeping the caller waiting. */
  private lookAt(): void {
    if (this.kind.recordsChanges) this.outbox.addJob(planJob(smartAlbums, { because: 'filter' }));
  }
}
