import { Injectable } from '@nestjs/common';
import { aclAllows, type AclLevel, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type Sql, type UnitOfWork } from '@atrium/platform/database';
import type { Album } from '../domain/album';
import { AlbumFileRows } from '../infrastructure/album-files.rows';

type Kind = Album['album_kind'];
type Ids = Promise<readonly string[]>;

/**
 * Curated albums whose access list gives a caller less than a level. They are read in one statement and remembered
 * until the unit of work ends or an access list changes in it. The list of a smart album guards the album alone.
 */
@Injectable()
export class ClosedAlbums {
  private readonly known = new WeakMap<UnitOfWork, Map<string, Ids>>();

  constructor(
    private readonly db: Database,
    private readonly files: AlbumFileRows,
  ) {}

  /** The albums of a kind that the caller may not see. */
  closedIds(caller: Principal, kind: Kind): Ids {
    return this.levelsBelow(caller, kind, 'view');
  }

  /** The albums of a kind whose access list gives the caller less than the level. */
  levelsBelow(caller: Principal, kind: Kind, level: AclLevel): Ids {
    const tx = this.db.current();
    const known = this.known.get(tx) ?? new Map<string, Ids>();
    this.known.set(tx, known);
    const key = JSON.stringify([kind, level, caller.user_id, caller.role_ids, caller.space_ids]);
    const ids = known.get(key) ?? this.read(caller, kind, level);
    known.set(key, ids);
    return ids;
  }

  /** The ids that `levelsBelow` answers, as a statement for conditions. */
  closedIdsQuery(caller: Principal, kind: Kind, level: AclLevel): Sql {
    return sql`SELECT album_id FROM album WHERE tenant_id = ${requireScope().tenant_id} AND album_kind = ${kind} AND album_acl <> '{}' AND NOT album_smart AND NOT ${aclAllows('album_acl', caller, level)}`;
  }

  /** Condition on `r` (a row of `file`): no album of the kind that holds the file gives the caller less than the level. */
  openCondition(caller: Principal, kind: Kind, level: AclLevel): Sql {
    return heldByNone(sql`ARRAY(${this.closedIdsQuery(caller, kind, level)})`);
  }

  /** The same for nobody: no album that holds the file has an access list. */
  openToAll(kind: Kind): Sql {
    return heldByNone(
      sql`ARRAY(SELECT album_id FROM album WHERE tenant_id = ${requireScope().tenant_id} AND album_kind = ${kind} AND album_acl <> '{}' AND NOT album_smart)`,
    );
  }

  /** Those of the files that are in an album of the kind which gives the caller less than the level. */
  async findClosedFiles(caller: Principal, kind: Kind, level: AclLevel, files: readonly string[]): Promise<ReadonlySet<string>> {
    const closed = await this.levelsBelow(caller, kind, level);
    if (closed.length === 0 || files.length === 0) return new Set();
    return this.files.filterFilesIn(closed, files);
  }

  /** An access list is written in this unit of work: what was read before no longer counts. */
  forgetLevels(): void {
    this.known.delete(this.db.current());
  }

  private async read(caller: Principal, kind: Kind, level: AclLevel): Ids {
    const rows = await this.db.current().query<{ album_id: string }>(this.closedIdsQuery(caller, kind, level));
    return rows.map(({ album_id }) => album_id);
  }
}

const heldByNone = (albums: Sql): Sql =>
  sql`NOT EXISTS (SELECT FROM album_file m WHERE m.tenant_id = r.tenant_id AND m.af_file = r.file_id AND m.af_album = ANY(${albums}))`;
