import { Injectable } from '@nestjs/common';
import { accessLevel, aclLevel, type AclLevel, type Principal } from '@atrium/platform/access';
import type { RowEffort } from '@atrium/platform/database';
import { notFound, type JsonObject } from '@atrium/platform/kernel';
import { FileSummaries, type FilePreview } from '@atrium/files';
import type { Album } from '../domain/album';
import { AlbumKind } from '../domain/album-kind';
import { AlbumsRepository, type AlbumDetailRow, type AlbumRow, type Surroundings } from '../infrastructure/albums.repository';
import { GuardedContents } from './guarded-contents';
import { COUNTED, SmartContents, type HeldFiles } from './smart-contents';

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

/** As many as 50 smart albums hold at most. */
const MOST_COUNTED = 50 * (COUNTED + 1);

type AlbumContents = Pick<HeldFiles, 'count' | 'exact' | 'newest'>;

/** Rows of albums as answers: covers, access and what smart ones hold, in a constant number of statements for a page. */
@Injectable()
export class AlbumAnswers {
  constructor(
    private readonly albums: AlbumsRepository,
    private readonly files: FileSummaries,
    private readonly smart: SmartContents,
    private readonly guarded: GuardedContents,
    private readonly kind: AlbumKind,
  ) {}

  /** One album that the caller may read (or has just written). */
  async readAlbum(caller: Principal, id: string, how: { readonly written?: boolean } = {}): Promise<AlbumDetailAnswer> {
    const row = await this.albums.findAlbumDetail(caller, id, how);
    if (!row) throw notFound(this.kind.noun);
    const { row_version, album_path, ...album } = row;
    const [answer] = await this.completeRows(caller, [album]);
    return { ...(answer as AlbumAnswer), row_version, album_path };
  }

  /** The album as it was written, among surroundings that the change did not touch. */
  async toDetail(
    caller: Principal,
    { tenant_id: _, album_kind: __, album_path_ids: ___, album_query_own: ____, row_version, ...album }: Album,
    { album_path, ...around }: Surroundings,
  ): Promise<AlbumDetailAnswer> {
    const [answer] = await this.completeRows(caller, [{ ...album, ...around, acl_level: aclLevel(album.album_acl, caller) }]);
    return Object.assign(answer as AlbumAnswer, { row_version, album_path });
  }

  /** Files that are counted for one page of albums: those of a smart one up to 10,001, those of a guarded one that are kept in it. */
  get effort(): RowEffort {
    return {
      most: MOST_COUNTED,
      of: ({ album_smart, album_file_count }) =>
        album_smart === true ? COUNTED + 1 : this.kind.guardsFiles ? Math.min(Number(album_file_count), COUNTED + 1) : 0,
    };
  }

  /** How many albums there are, by what they are. */
  async countAlbums(caller: Principal): Promise<Record<string, number>> {
    return this.albums.countAlbums(caller, await this.guarded.buildShownCondition(caller));
  }

  /** What smart albums hold in two statements, covers in one, however many rows. */
  async completeRows(caller: Principal, rows: readonly AlbumRow[]): Promise<AlbumAnswer[]> {
    const held = await this.smart.countContents(caller, rows);
    const guarded = await this.guarded.countContents(caller, rows);
    const contentsOf = ({ album_id, album_smart, album_file_count, newest_file }: AlbumRow): AlbumContents => {
      if (album_smart) return held.get(album_id) ?? { count: 0, exact: true, newest: null };
      if (!guarded) return { count: album_file_count, exact: true, newest: newest_file };
      const { count = 0, newest = null } = guarded.get(album_id) ?? {};
      return { count: Math.min(count, COUNTED), exact: count <= COUNTED, newest };
    };
    const coverOf = ({ album_id, album_cover_file }: AlbumRow): string | null =>
      guarded && !guarded.get(album_id)?.covered ? null : album_cover_file;
    const shownOf = (row: AlbumRow): (string | null)[] => [coverOf(row), contentsOf(row).newest];
    const files = await this.files.findSummaries(rows.flatMap(shownOf).filter((id) => id !== null));
    return rows.map((row) => {
      const { acl_level, newest_file: _, ...album } = row;
      const contents = contentsOf(row);
      const cover = shownOf(row)
        .map((id) => (id ? files.get(id) : undefined))
        .find((file) => file?.preview);
      return {
        ...album,
        album_cover_file: coverOf(row),
        album_file_count: contents.count,
        album_file_count_exact: contents.exact,
        album_query_search: held.get(row.album_id)?.query ?? null,
        album_cover_preview: cover?.preview ? { file_id: cover.file_id, ...cover.preview } : null,
        album_access: accessLevel(acl_level, caller.permissions, {
          owner: this.kind.permissions.delete,
          edit: [this.kind.permissions.edit],
        }),
      };
    });
  }
}
