import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { sql, type Sql } from '@atrium/platform/database';
import { isId } from '@atrium/platform/kernel';
import { AlbumSelection } from '@atrium/media';

/** What lists call documents that are in no folder. */
const IN_NO_FOLDER = 'none';

/** A folder as a document in it names it. */
export interface NamedFolder {
  readonly album_id: string;
  readonly album_name: string;
}

/** Folders for the lists and reads of documents. */
@Injectable()
export class FolderFiles {
  constructor(private readonly folders: AlbumSelection) {}

  /** Condition on `r`: a document of the folder, curated or smart, or of none. A folder that the reader may not read holds nothing; nobody (null) reads curated folders without an access list. */
  buildFolderCondition(reader: Principal | null, folder: string, { below = false }: { readonly below?: boolean } = {}): Promise<Sql> {
    if (folder === IN_NO_FOLDER) return Promise.resolve(this.folders.outsideAlbumsCondition());
    return isId(folder) ? this.folders.buildAlbumCondition(reader, folder, { below }) : Promise.resolve(sql`false`);
  }

  /** Of the folders those that the reader may read, with their names. */
  async findReadableFolders(reader: Principal, folders: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (!reader.permissions.has('document:view') || !reader.modules.has('module-documents')) return new Map();
    return this.folders.findReadableAlbums(reader, folders);
  }

  /** The readable curated folders that hold each of the documents, by name. */
  findHoldingFolders(reader: Principal, files: readonly string[]): Promise<ReadonlyMap<string, readonly NamedFolder[]>> {
    return this.folders.findHoldingAlbums(reader, files);
  }
}
