import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type Page, type Precondition } from '@atrium/platform/database';
import {
  AlbumsService,
  SmartAlbums,
  type AlbumAnswer,
  type AlbumDetailAnswer,
  type AlbumFacts,
  type AlbumFilters,
  type NewAlbum,
  type NewSmartAlbum,
  type SmartChanges,
} from '@atrium/media';

/** A folder as clients see it. */
export type FolderAnswer = Omit<AlbumAnswer, 'album_parent'> & { readonly album_parent: string };

export type FolderDetailAnswer = Omit<AlbumDetailAnswer, 'album_parent'> & {
  readonly album_parent: string;
  readonly album_document_count: number;
  readonly album_folder_count: number;
};

/**
 * Folders of the document library: albums of a kind of their own, whose top level is called `root`. What is answered is made in
 * the unit of work of the change, so that it can be kept with it for a repeated request.
 */
@Injectable()
export class FoldersService {
  constructor(
    private readonly db: Database,
    private readonly folders: AlbumsService,
    private readonly smart: SmartAlbums,
  ) {}

  async list(caller: Principal, query: AlbumFilters): Promise<Page<FolderAnswer>> {
    const page = await this.folders.list(caller, query);
    return { ...page, data: page.data.map(placed) };
  }

  async get(caller: Principal, id: string): Promise<FolderDetailAnswer> {
    return detailed(await this.folders.get(caller, id));
  }

  create(caller: Principal, facts: NewAlbum): Promise<FolderDetailAnswer> {
    return this.db.write(async () => detailed(await this.folders.create(caller, facts)));
  }

  createSmart(caller: Principal, facts: NewSmartAlbum): Promise<FolderDetailAnswer> {
    return this.db.write(async () => detailed(await this.smart.create(caller, facts)));
  }

  change(caller: Principal, id: string, facts: AlbumFacts, precondition?: Precondition): Promise<FolderDetailAnswer> {
    return this.db.write(async () => detailed(await this.folders.change(caller, id, facts, precondition)));
  }

  changeSmart(caller: Principal, id: string, facts: SmartChanges, precondition?: Precondition): Promise<FolderDetailAnswer> {
    return this.db.write(async () => detailed(await this.smart.change(caller, id, facts, precondition)));
  }

  remove(caller: Principal, id: string, precondition?: Precondition): Promise<void> {
    return this.folders.remove(caller, id, precondition);
  }

  getStats(caller: Principal): Promise<Record<string, number>> {
    return this.folders.getStats(caller);
  }
}

const placed = <T extends AlbumAnswer>(folder: T): Omit<T, 'album_parent'> & { readonly album_parent: string } => ({
  ...folder,
  album_parent: folder.album_parent ?? 'root',
});

const detailed = (folder: AlbumDetailAnswer): FolderDetailAnswer => ({
  ...placed(folder),
  album_document_count: folder.album_file_count,
  album_folder_count: folder.album_child_count,
});
