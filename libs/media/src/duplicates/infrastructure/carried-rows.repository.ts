import { Injectable } from '@nestjs/common';
import type { FilesToMerge } from '@atrium/files';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** A membership that a keeper got from a duplicate. */
export interface MovedMembership {
  readonly af_album: string;
  readonly af_file: string;
}

/** A tag that a keeper got from a duplicate. */
export interface MovedTag {
  readonly ft_tag: string;
  readonly ft_file: string;
}

/** Brings memberships and tags of files over to others, and takes exactly those back. What a keeper has already is left as it is. */
@Injectable()
export class CarriedRows {
  constructor(private readonly db: Database) {}

  /** Each keeper takes the places of the others in albums, with their authors. */
  carryMemberships({ keepers, others }: FilesToMerge): Promise<MovedMembership[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<MovedMembership>(sql`
      INSERT INTO album_file (tenant_id, af_album, af_file, af_added_by, af_position)
      SELECT DISTINCT ON (m.af_album, k.id) m.tenant_id, m.af_album, k.id, m.af_added_by, m.af_position
      FROM album_file m CROSS JOIN unnest(${[...keepers]}::uuid[]) AS k (id)
      WHERE m.tenant_id = ${tenant_id} AND m.af_file = ANY(${[...others]}::uuid[]) AND NOT m.af_hidden
      ORDER BY m.af_album, k.id, m.af_position
      ON CONFLICT DO NOTHING RETURNING af_album, af_file`);
  }

  removeMemberships(moved: readonly MovedMembership[]): Promise<MovedMembership[]> {
    return this.db.current().query<MovedMembership>(sql`
      DELETE FROM album_file m USING jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) AS r (af_album uuid, af_file uuid)
      WHERE m.tenant_id = ${requireScope().tenant_id} AND m.af_album = r.af_album AND m.af_file = r.af_file RETURNING m.af_album, m.af_file`);
  }

  /** All tags of the others; of a group that takes one value alone, one, and only where the keeper has none of that group. */
  carryTags({ keepers, others }: FilesToMerge): Promise<MovedTag[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<MovedTag>(sql`
      INSERT INTO file_tag (tenant_id, ft_tag, ft_file, ft_source, ft_confidence, ft_created_by)
      SELECT tenant_id, ft_tag, keeper, ft_source, ft_confidence, ft_created_by FROM (
        SELECT DISTINCT ON (k.id, CASE WHEN g.mtg_multiple THEN f.ft_tag ELSE g.mtg_id END) f.tenant_id, f.ft_tag, k.id AS keeper, f.ft_source, f.ft_confidence, f.ft_created_by
        FROM file_tag f
        JOIN media_tag t ON t.tenant_id = f.tenant_id AND t.mt_id = f.ft_tag
        JOIN media_tag_group g ON g.tenant_id = t.tenant_id AND g.mtg_id = t.mt_group
        CROSS JOIN unnest(${[...keepers]}::uuid[]) AS k (id)
        WHERE f.tenant_id = ${tenant_id} AND f.ft_file = ANY(${[...others]}::uuid[]) AND NOT f.ft_hidden
          AND (g.mtg_multiple OR NOT EXISTS (
            SELECT FROM file_tag o JOIN media_tag ot ON ot.tenant_id = o.tenant_id AND ot.mt_id = o.ft_tag
            WHERE o.tenant_id = f.tenant_id AND o.ft_file = k.id AND ot.mt_group = g.mtg_id))
        ORDER BY k.id, CASE WHEN g.mtg_multiple THEN f.ft_tag ELSE g.mtg_id END, array_position(${[...others]}::uuid[], f.ft_file)) wanted
      ON CONFLICT DO NOTHING RETURNING ft_tag, ft_file`);
  }

  removeTags(moved: readonly MovedTag[]): Promise<MovedTag[]> {
    return this.db.current().query<MovedTag>(sql`
      DELETE FROM file_tag f USING jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) AS r (ft_tag uuid, ft_file uuid)
      WHERE f.tenant_id = ${requireScope().tenant_id} AND f.ft_tag = r.ft_tag AND f.ft_file = r.ft_file RETURNING f.ft_tag, f.ft_file`);
  }
}
