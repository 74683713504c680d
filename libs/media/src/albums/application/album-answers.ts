import { Injectable } from '@nestjs/common';
import type { AclLevel, Principal } from '@atrium/platform/access';
import { aclLevel } from '@atrium/platform/access';
import { notFound, type JsonObject } from '@atrium/platform/kernel';
import { FileSummaries, type FilePreview } from '@atrium/files';
import type { Album } from '../domain/album';
import { AlbumsRepository, type AlbumDetailRow, type AlbumRow, type Surroundings } from '../infrastructure/albums.repository';
import { accessOf } from './album-access';
import { SmartContents } from './smart-contents';

/** An album as clients see it. */
export type AlbumAnswer = Omit<AlbumRow, 'acl_level' | 'newest_file'> & {
  readonly album_cover_preview: (FilePreview & { readonly file_id: string }) | null;
  readonly album_access: AclLevel;
  /** False where counting a smart album stopped. */
  readonly album_file_count_exact: boolean;
  /** What a smart album shows, in the search language. */
  readonly album_query_search: JsonObject | null;
};

export type AlbumDetailAnswer = AlbumAnswer & Pick<AlbumDetailRow, 'row_version' | 'album_path'>;

/** Rows of albums as answers: covers, access and what smart ones hold, in a constant number of statements for a page. */
@Injectable()
export class AlbumAnswers {
  constructor(
    private readonly albums: AlbumsRepository,
    private readonly files: FileSummaries,
    private readonly smart: SmartContents,
  ) {}

  /** One album that the caller may read (or has just written). */
  async read(caller: Principal, id: string, how: { readonly written?: boolean } = {}): Promise<AlbumDetailAnswer> {
    const row = await this.albums.detail(caller, id, how);
    if (!row) throw notFound('album');
    const { row_version, album_path, ...album } = row;
    const [answer] = await this.complete(caller, [album]);
    return { ...(answer as AlbumAnswer), row_version, album_path };
  }

  /** The album as it was written, among surroundings that the change did not touch. */
  async written(
    caller: Principal,
    { tenant_id: _, album_kind: __, album_path_ids: ___, album_query_own: ____, row_version, ...album }: Album,
    { album_path, ...around }: Surroundings,
  ): Promise<AlbumDetailAnswer> {
    const [answer] = await this.complete(caller, [{ ...album, ...around, acl_level: aclLevel(album.album_acl, caller) }]);
    return Object.assign(answer as AlbumAnswer, { row_version, album_path });
  }

  /** What smart albums hold in two statements, covers in one, however many rows. */
  async complete(caller: Principal, rows: readonly AlbumRow[]): Promise<AlbumAnswer[]> {
    const held = await this.smart.held(caller, rows);
    const newestOf = (row: AlbumRow): string | null => (row.album_smart ? (held.get(row.album_id)?.newest ?? null) : row.newest_file);
    const files = await this.files.summaries(rows.flatMap((row) => [row.album_cover_file, newestOf(row)]).filter((id) => id !== null));
    return rows.map((row) => {
      const { acl_level, newest_file: _, ...album } = row;
      const contents = held.get(row.album_id);
      const cover = [row.album_cover_file, newestOf(row)].map((id) => (id ? files.get(id) : undefined)).find((file) => file?.preview);
      return {
        ...album,
        album_file_count: contents?.count ?? row.album_file_count,
        album_file_count_exact: contents?.exact ?? true,
        album_query_search: contents?.query ?? null,
        album_cover_preview: cover?.preview ? { file_id: cover.file_id, ...cover.preview } : null,
        album_access: accessOf(caller, acl_level),
      };
    });
  }
}
