import { Injectable } from '@nestjs/common';
import type { AclLevel, Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { Album } from '../domain/album';
import { AlbumKind } from '../domain/album-kind';
import { ClosedAlbums } from './closed-albums';
import { COUNTED, SmartContents } from './smart-contents';

/** What a reader may see of an album: files in it (counted up to 10,000), the newest, and whether the cover is among those open to them. */
export interface ShownContents extends Record<string, unknown> {
  readonly album_id: string;
  readonly count: number;
  readonly newest: string | null;
  readonly covered: boolean;
}

type Covered = Pick<Album, 'album_id' | 'album_cover_file'>;

/** Contents of albums whose access lists guard the files in them: closed files appear in no count, cover or membership. */
@Injectable()
export class GuardedContents {
  constructor(
    private readonly db: Database,
    private readonly contents: SmartContents,
    private readonly closed: ClosedAlbums,
    private readonly kind: AlbumKind,
  ) {}

  /** Condition on `r`: a file that the reader meets in lists; null where every member may be shown. */
  async buildShownCondition(reader: Principal): Promise<Sql | null> {
    return this.kind.guardsFiles ? this.contents.buildContentCondition(reader, {}) : null;
  }

  /** What the albums hold for the reader, in one statement however many they are; null where the kept counts are right for everybody. */
  async countContents(reader: Principal, albums: readonly Covered[]): Promise<ReadonlyMap<string, ShownContents> | null> {
    const shown = await this.buildShownCondition(reader);
    if (!shown || albums.length === 0) return shown && new Map<string, ShownContents>();
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<ShownContents>(sql`
      SELECT a.album_id, x.count, x.newest, EXISTS (SELECT FROM file r WHERE r.file_id = a.cover AND ${shown}) AS covered
      FROM unnest(${albums.map(({ album_id }) => album_id)}::uuid[], ${albums.map(({ album_cover_file }) => album_cover_file)}::uuid[]) AS a (album_id, cover)
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS count, (array_agg(y.af_file ORDER BY y.af_created DESC, y.af_id DESC))[1] AS newest
        FROM (SELECT m.af_file, m.af_created, m.af_id FROM album_file m JOIN file r ON r.tenant_id = m.tenant_id AND r.file_id = m.af_file
              WHERE m.tenant_id = ${tenant_id} AND m.af_album = a.album_id AND NOT m.af_hidden AND ${shown}
              ORDER BY m.af_created DESC, m.af_id DESC LIMIT ${COUNTED + 1}) y) x`);
    return new Map(rows.map((row) => [row.album_id, row]));
  }

  /** Whether no album that holds the file is closed to the caller. */
  async isOpen(caller: Principal, file: string): Promise<boolean> {
    return (await this.open(caller, [file], 'view')).length > 0;
  }

  /** Those of the files that the caller may change: no album that holds them gives less. */
  async filterEditable(caller: Principal, files: readonly string[]): Promise<readonly string[]> {
    return this.open(caller, files, 'edit');
  }

  private async open(caller: Principal, files: readonly string[], level: AclLevel): Promise<readonly string[]> {
    if (!this.kind.guardsFiles || files.length === 0) return files;
    const rows = await this.db.current().query<{ id: string }>(
      sql`SELECT f.id FROM unnest(${[...files]}::uuid[]) AS f (id) WHERE NOT EXISTS (
            SELECT FROM album_file m WHERE m.tenant_id = ${requireScope().tenant_id} AND m.af_file = f.id AND m.af_album = ANY(ARRAY(${this.closed.closedIdsQuery(caller, this.kind.name, level)})))`,
    );
    const open = new Set(rows.map(({ id }) => id));
    return files.filter((file) => open.has(file));
  }
}
