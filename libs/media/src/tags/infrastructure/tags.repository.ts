import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  join,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { MediaTag, MOST_TAG_LEVELS } from '../domain/media-tag';
import type { TagScope } from '../domain/media-tag-group';

/** A tag as answers show it. */
export type TagRow = Pick<
  MediaTag,
  'mt_id' | 'mt_group' | 'mt_value' | 'mt_synonyms' | 'mt_parent' | 'mt_active' | 'mt_file_count' | 'mt_created' | 'mt_updated'
> & { readonly mt_group_name: string };

/** A value of a group as somebody wrote it. */
export interface WrittenValue {
  readonly group: string;
  readonly value: string;
}

/** A tag as a query names it: a value of a group, or any of the group. */
export interface NamedTag {
  readonly group: string;
  readonly value?: string;
}

/** The tag that a written value means. */
export interface MatchedTag {
  readonly at: number;
  readonly mt_id: string;
  readonly mt_value: string;
  readonly mt_active: boolean;
}

/** A tag that a word means in one of the groups. */
export interface ListedTag {
  readonly at: number;
  readonly mt_id: string;
  readonly mt_value: string;
  readonly mt_group: string;
  readonly mtg_name: string;
  readonly mtg_multiple: boolean;
  readonly mtg_closed: boolean;
  readonly active: boolean;
}

const GROUP = sql`JOIN media_tag_group g ON g.tenant_id = r.tenant_id AND g.mtg_id = r.mt_group`;
const GROUP_NAME = sql`g.mtg_name AS mt_group_name`;

/** Tags as aggregates and as answers, and which tag a word means. */
@Injectable()
export class TagsRepository extends ResourceRepository<MediaTag> {
  constructor(db: Database) {
    super(db, MediaTag, 'media tag');
  }

  listTags(query: ListParameters, where: readonly Sql[]): Promise<Page<TagRow>> {
    return listPage<TagRow>(this.db.current(), MediaTag, query, {
      join: GROUP,
      select: GROUP_NAME,
      ignore: ['mt_value'],
      ...(where.length > 0 ? { where: join([...where], ' AND ') } : {}),
    });
  }

  findTagRow(id: string): Promise<(TagRow & { readonly row_version: number }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(MediaTag)}, r.row_version, ${GROUP_NAME} FROM media_tag r ${GROUP} WHERE r.tenant_id = ${requireScope().tenant_id} AND r.mt_id = ${id}`,
      );
  }

  /** What written values mean, by value or synonym; `at` is the position of a value among them. */
  async findMeantTags(written: readonly WrittenValue[]): Promise<MatchedTag[]> {
    if (written.length === 0) return [];
    return this.db.current().query<MatchedTag>(sql`
      WITH asked AS MATERIALIZED (SELECT a.at - 1 AS at, a.grp, folded(a.value) AS word FROM unnest(${written.map(({ group }) => group)}::uuid[], ${written.map(({ value }) => value)}::text[]) WITH ORDINALITY AS a (grp, value, at))
      SELECT a.at, t.mt_id, t.mt_value, t.mt_active FROM asked a
      JOIN media_tag_word w ON w.tenant_id = ${requireScope().tenant_id} AND w.mtw_group = a.grp AND w.mtw_word = a.word
      JOIN media_tag t ON t.tenant_id = w.tenant_id AND t.mt_id = w.mtw_tag`);
  }

  /** The tags of all groups of a scope that words mean, in the order of the groups; `at` is the position of a word among them. */
  async findListedTags(scope: TagScope, words: readonly string[]): Promise<ListedTag[]> {
    if (words.length === 0) return [];
    return this.db.current().query<ListedTag>(sql`
      WITH asked AS MATERIALIZED (SELECT a.at - 1 AS at, folded(a.value) AS word FROM unnest(${[...words]}::text[]) WITH ORDINALITY AS a (value, at))
      SELECT a.at, t.mt_id, t.mt_value, g.mtg_id AS mt_group, g.mtg_name, g.mtg_multiple, g.mtg_closed, g.mtg_active AND t.mt_active AS active
      FROM asked a CROSS JOIN media_tag_group g
      JOIN media_tag_word w ON w.tenant_id = g.tenant_id AND w.mtw_group = g.mtg_id AND w.mtw_word = a.word
      JOIN media_tag t ON t.tenant_id = w.tenant_id AND t.mt_id = w.mtw_tag
      WHERE g.tenant_id = ${requireScope().tenant_id} AND g.mtg_scope = ${scope} ORDER BY a.at, g.mtg_position, g.mtg_id`);
  }

  /** The positions of those that mean a tag, or a group with nothing said of a value. */
  async filterNamed(scope: string, named: readonly NamedTag[]): Promise<number[]> {
    const rows = await this.db.current().query<{ at: number }>(sql`
      WITH asked AS MATERIALIZED (
        SELECT folded(n."group") AS name, folded(n.value) AS word, n.at FROM jsonb_to_recordset(${JSON.stringify(named.map((tag, at) => ({ ...tag, at })))}::jsonb) AS n ("group" text, value text, at integer))
      SELECT DISTINCT a.at FROM asked a
      JOIN media_tag_group g ON g.tenant_id = ${requireScope().tenant_id}::uuid AND g.mtg_scope = ${scope} AND folded(g.mtg_name) = a.name
      LEFT JOIN media_tag_word w ON w.tenant_id = g.tenant_id AND w.mtw_group = g.mtg_id AND w.mtw_word = a.word
      WHERE a.word IS NULL OR w.mtw_tag IS NOT NULL`);
    return rows.map(({ at }) => at);
  }

  /** Values of a group, the most used first, for telling people what it takes. */
  async listValues(group: string, most: number): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ mt_value: string }>(
        sql`SELECT mt_value FROM media_tag WHERE tenant_id = ${requireScope().tenant_id} AND mt_group = ${group}::uuid AND mt_active ORDER BY mt_value_key, mt_id LIMIT ${most}`,
      );
    return rows.map(({ mt_value }) => mt_value);
  }

  /** Holds the group, so that nobody else changes its values in the meantime; how many it has, or null when it is gone. */
  async holdGroup(group: string): Promise<{ readonly mtg_name: string; readonly mtg_tag_count: number } | null> {
    const row = await this.db
      .current()
      .first<{ mtg_name: string; mtg_tag_count: number }>(
        sql`SELECT mtg_name, mtg_tag_count FROM media_tag_group WHERE tenant_id = ${requireScope().tenant_id} AND mtg_id = ${group}::uuid FOR NO KEY UPDATE`,
      );
    return row ?? null;
  }

  /** The tags above one, nearest first. */
  async findAncestors(id: string): Promise<string[]> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ id: string }>(sql`
      WITH RECURSIVE above AS (
        SELECT mt_parent AS id, 1 AS step FROM media_tag WHERE tenant_id = ${tenant_id} AND mt_id = ${id}::uuid
        UNION ALL
        SELECT t.mt_parent, above.step + 1 FROM above JOIN media_tag t ON t.tenant_id = ${tenant_id} AND t.mt_id = above.id WHERE above.step <= ${MOST_TAG_LEVELS}::integer)
      SELECT id FROM above WHERE id IS NOT NULL ORDER BY step`);
    return rows.map((row) => row.id);
  }

  /** How many levels a tag and those below it take. */
  async countLevels(id: string): Promise<number> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<{ levels: number }>(sql`
      WITH RECURSIVE below AS (
        SELECT mt_id, 1 AS step FROM media_tag WHERE tenant_id = ${tenant_id} AND mt_id = ${id}::uuid
        UNION ALL
        SELECT t.mt_id, below.step + 1 FROM below JOIN media_tag t ON t.tenant_id = ${tenant_id} AND t.mt_parent = below.mt_id WHERE below.step <= ${MOST_TAG_LEVELS}::integer)
      SELECT max(step) AS levels FROM below`);
    return row?.levels ?? 1;
  }

  /** The children of a removed tag move below the one that replaces it. */
  async reparentChildren(from: string, into: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE media_tag SET mt_parent = ${into}::uuid, row_version = row_version + 1 WHERE tenant_id = ${requireScope().tenant_id} AND mt_parent = ${from}::uuid AND mt_id <> ${into}::uuid`,
      );
  }
}
