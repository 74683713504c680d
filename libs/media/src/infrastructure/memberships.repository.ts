import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, listPage, requireScope, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { Membership, type MembershipRow } from '../domain/membership';

/** Which files lie in which albums. Files in trash keep their memberships, hidden. */
@Injectable()
export class MembershipsRepository {
  constructor(private readonly db: Database) {}

  page(caller: Principal, query: ListParameters): Promise<Page<MembershipRow>> {
    return listPage<MembershipRow>(this.db.current(), Membership, query, {
      join: sql`JOIN album a ON a.tenant_id = r.tenant_id AND a.album_id = r.af_album`,
      where: sql`NOT r.af_hidden AND a.album_kind = 'media' AND ${aclAllows('a.album_acl', caller, 'view')}`,
    });
  }

  /** How many of the files were not in the album yet. */
  add(album: string, files: readonly string[], by: string): Promise<number> {
    return this.db.current().execute(
      sql`INSERT INTO album_file (tenant_id, af_album, af_file, af_added_by) SELECT ${requireScope().tenant_id}, ${album}, f, ${by} FROM unnest(${[...files]}::uuid[]) f ON CONFLICT DO NOTHING`,
    );
  }

  remove(album: string, files: readonly string[]): Promise<number> {
    return this.db.current().execute(sql`DELETE FROM album_file WHERE tenant_id = ${requireScope().tenant_id} AND af_album = ${album} AND af_file = ANY(${[...files]}::uuid[])`);
  }

  /** Hides the memberships of files that go to trash, or shows them again. */
  async setHidden(files: readonly string[], hidden: boolean): Promise<void> {
    await this.db.current().execute(
      sql`UPDATE album_file SET af_hidden = ${hidden} WHERE tenant_id = ${requireScope().tenant_id} AND af_file = ANY(${[...files]}::uuid[]) AND af_hidden <> ${hidden}`,
    );
  }

  /** Readable albums that hold the file; how many more hold it unseen. */
  async albumsOf(caller: Principal, file: string): Promise<{ readonly album_id: string; readonly album_name: string; readonly readable: boolean }[]> {
    return this.db.current().query(
      sql`SELECT a.album_id, a.album_name, ${aclAllows('a.album_acl', caller, 'view')} AS readable FROM album_file f JOIN album a ON a.tenant_id = f.tenant_id AND a.album_id = f.af_album
          WHERE f.tenant_id = ${requireScope().tenant_id} AND f.af_file = ${file} ORDER BY a.album_name, a.album_id`,
    );
  }
}
