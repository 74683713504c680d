import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import type { Sql } from '@atrium/platform/database';
import { FileSummaries, LibraryFiles, type LibraryFileRow } from '@atrium/files';
import { FileSurroundingsRepository, type AlbumOfFile, type MediaTags } from '../infrastructure/file-surroundings.repository';

/** What the media library adds to a file wherever it shows one. */
export interface MediaFileExtras {
  /** Albums that hold it and that the caller may read. */
  readonly file_albums: readonly AlbumOfFile[];
  readonly media_tags: MediaTags;
  /** Signed address of the small rendition, good for 15 minutes; null without one. */
  readonly file_thumb_url: string | null;
}

export type MediaFileRow = LibraryFileRow & MediaFileExtras;

const NO_TAGS: MediaTags = {};

/**
 * The one place where rows of files become rows of the media library: albums, tags and thumbnails come in three
 * statements however many rows there are, in the order the rows came. Called within a unit of work.
 */
@Injectable()
export class MediaFiles {
  constructor(
    private readonly library: LibraryFiles,
    private readonly summaries: FileSummaries,
    private readonly surroundings: FileSurroundingsRepository,
  ) {}

  async completeRows<R extends { readonly file_id: string }>(caller: Principal, rows: readonly R[]): Promise<(R & MediaFileExtras)[]> {
    if (rows.length === 0) return [];
    const ids = rows.map((row) => row.file_id);
    const [albums, tags, summaries] = await Promise.all([
      this.surroundings.findAlbums(caller, ids),
      this.surroundings.findTags(ids),
      this.summaries.findSummaries(ids),
    ]);
    return rows.map((row) => ({
      ...row,
      file_albums: albums.get(row.file_id) ?? [],
      media_tags: tags.get(row.file_id) ?? NO_TAGS,
      file_thumb_url: summaries.get(row.file_id)?.preview?.url ?? null,
    }));
  }

  /** The tags of the files; those without any are left out. */
  findTags(ids: readonly string[]): Promise<ReadonlyMap<string, MediaTags>> {
    return this.surroundings.findTags(ids);
  }

  /** The library files among the ids, complete and in the order of the ids; what the caller may not see is left out. `where` speaks of `r`. */
  async findVisible(caller: Principal, ids: readonly string[], where: readonly Sql[] = []): Promise<MediaFileRow[]> {
    return this.completeRows(caller, await this.library.findVisible(caller, 'media', ids, where));
  }
}
