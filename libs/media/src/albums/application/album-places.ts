import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { invalidField, Problem } from '@atrium/platform/kernel';
import { FileSummaries } from '@atrium/files';
import type { Album } from '../domain/album';
import { AlbumKind } from '../domain/album-kind';
import { AlbumsRepository } from '../infrastructure/albums.repository';
import { AlbumAccess } from './album-access';
import { GuardedContents } from './guarded-contents';

/** What clients send for the top level instead of the id of an album. */
export const TOP_LEVEL = 'root';

/** Where an album is wanted, and which file is to stand for it; what is absent stays as it is. */
export interface WantedPlace {
  readonly album_parent?: string | null;
  readonly album_cover_file?: string | null;
}

/** The tree of albums and their covers. Moves of a workspace follow each other: the tree is locked. */
@Injectable()
export class AlbumPlaces {
  constructor(
    private readonly albums: AlbumsRepository,
    private readonly access: AlbumAccess,
    private readonly files: FileSummaries,
    private readonly guarded: GuardedContents,
    private readonly kind: AlbumKind,
  ) {}

  /** Parent and cover, as far as the request names them; asked under the lock of the tree when it names a parent. */
  async placeAlbum(caller: Principal, album: Album, { album_parent, album_cover_file }: WantedPlace): Promise<void> {
    if (album_cover_file && !(await this.isOpen(caller, album_cover_file.toLowerCase())))
      throw invalidField('album_cover_file', `must be a file of the ${this.kind.library}`, 'reference');
    if (album_cover_file !== undefined) album.album_cover_file = album_cover_file;
    if (album_parent === undefined) return;
    if (album_parent === null || album_parent === TOP_LEVEL) {
      album.album_parent = null;
      return;
    }
    const parent = await this.access.requireParent(caller, album_parent.toLowerCase());
    album.moveUnder(parent, await this.albums.countLevelsBelow(album.album_id));
  }

  /** A workspace has so many albums of the kind and no more. */
  async assertRoom(): Promise<void> {
    const { albums } = this.kind.most;
    if (!Number.isFinite(albums)) return;
    await this.albums.lockTree();
    if (await this.albums.hasAtLeast(albums))
      throw new Problem('limit_reached', `A workspace can have at most ${albums} ${this.kind.noun}s.`);
  }

  private async isOpen(caller: Principal, file: string): Promise<boolean> {
    if (!(await this.files.filterLibraryFiles([file], this.kind.name)).has(file)) return false;
    return this.guarded.isOpen(caller, file);
  }
}
