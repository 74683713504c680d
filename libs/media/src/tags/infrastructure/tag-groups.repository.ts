import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
} from '@atrium/platform/database';
import { MediaTagGroup, type TagScope } from '../domain/media-tag-group';

/** A group as answers show it. */
export type TagGroupRow = Omit<MediaTagGroup, 'tenant_id' | 'row_version' | 'touch'>;

/** What decides whether a value may be given. */
export type Vocabulary = Pick<
  MediaTagGroup,
  'mtg_id' | 'mtg_name' | 'mtg_multiple' | 'mtg_closed' | 'mtg_active' | 'mtg_tag_count' | 'mtg_required_for' | 'mtg_rules'
>;

const VOCABULARY = sql`mtg_id, mtg_name, mtg_multiple, mtg_closed, mtg_active, mtg_tag_count, mtg_required_for, mtg_rules`;

/** Groups as aggregates and as answers. A workspace has few: those of a scope are read together. */
@Injectable()
export class TagGroupsRepository extends ResourceRepository<MediaTagGroup> {
  constructor(db: Database) {
    super(db, MediaTagGroup, 'media tag group');
  }

  listGroups(query: ListParameters): Promise<Page<TagGroupRow>> {
    return listPage<TagGroupRow>(this.db.current(), MediaTagGroup, query);
  }

  findGroupRow(id: string): Promise<(TagGroupRow & { readonly row_version: number }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(MediaTagGroup)}, r.row_version FROM media_tag_group r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.mtg_id = ${id}`,
      );
  }

  /** By name as names are compared. */
  async findByName(scope: TagScope, names: readonly string[]): Promise<ReadonlyMap<string, Vocabulary>> {
    if (names.length === 0) return new Map();
    const rows = await this.db.current().query<Vocabulary & { name: string }>(sql`
      WITH asked AS MATERIALIZED (SELECT n AS name, folded(n) AS same FROM unnest(${[...names]}::text[]) n)
      SELECT a.name, ${VOCABULARY} FROM media_tag_group g JOIN asked a ON folded(g.mtg_name) = a.same WHERE g.tenant_id = ${requireScope().tenant_id} AND g.mtg_scope = ${scope}`);
    return new Map(rows.map(({ name, ...group }) => [name, group]));
  }

  listWithRules(scope: TagScope): Promise<Vocabulary[]> {
    return this.db
      .current()
      .query<Vocabulary>(
        sql`SELECT ${VOCABULARY} FROM media_tag_group WHERE tenant_id = ${requireScope().tenant_id} AND mtg_scope = ${scope} AND mtg_active AND mtg_rules <> '[]' ORDER BY mtg_position, mtg_id`,
      );
  }

  /** For each of the files the names of the groups of which it needs a tag before it enters the state, and has none. */
  async findMissingGroups(
    files: readonly string[],
    { scope, state, named }: { readonly scope: TagScope; readonly state: string; readonly named: readonly string[] },
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.db.current().query<{ file: string; names: string[] }>(sql`
      WITH needed AS MATERIALIZED (
        SELECT g.mtg_id, g.mtg_name, g.mtg_position FROM media_tag_group g
        WHERE g.tenant_id = ${requireScope().tenant_id}::uuid AND g.mtg_scope = ${scope} AND g.mtg_active
          AND (${state}::text = ANY(g.mtg_required_for) OR folded(g.mtg_name) = ANY(ARRAY(SELECT folded(n) FROM unnest(${[...named]}::text[]) n))))
      SELECT f.id AS file, array_agg(n.mtg_name ORDER BY n.mtg_position, n.mtg_name) AS names FROM unnest(${[...files]}::uuid[]) AS f (id) CROSS JOIN needed n
      WHERE NOT EXISTS (SELECT FROM file_tag t WHERE t.tenant_id = ${requireScope().tenant_id}::uuid AND t.ft_file = f.id AND t.ft_group = n.mtg_id) GROUP BY 1`);
    return new Map(rows.map(({ file, names }) => [file, names]));
  }

  /** All groups by id, in their order. */
  async listGroupIds(): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ mtg_id: string }>(
        sql`SELECT mtg_id FROM media_tag_group WHERE tenant_id = ${requireScope().tenant_id} ORDER BY mtg_position, mtg_id`,
      );
    return rows.map(({ mtg_id }) => mtg_id);
  }

  /** Groups of which the file has no tag, in their order. */
  findUntaggedGroups(file_id: string, scope: TagScope): Promise<Pick<MediaTagGroup, 'mtg_name' | 'mtg_required_for'>[]> {
    return this.db.current().query(sql`
      SELECT g.mtg_name, g.mtg_required_for FROM media_tag_group g
      WHERE g.tenant_id = ${requireScope().tenant_id} AND g.mtg_scope = ${scope} AND g.mtg_active
        AND NOT EXISTS (SELECT FROM file_tag t WHERE t.tenant_id = g.tenant_id AND t.ft_file = ${file_id}::uuid AND t.ft_group = g.mtg_id) ORDER BY g.mtg_position, g.mtg_name`);
  }

  /** How many groups a scope has; nobody else adds one in the meantime. */
  async countLocked(scope: TagScope): Promise<number> {
    const { tenant_id } = requireScope();
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tag-groups:${tenant_id}:${scope}`}, 0))`);
    const row = await this.db
      .current()
      .first<{ count: number }>(sql`SELECT count(*) FROM media_tag_group WHERE tenant_id = ${tenant_id} AND mtg_scope = ${scope}`);
    return row?.count ?? 0;
  }

  async readNextPosition(): Promise<number> {
    const row = await this.db
      .current()
      .first<{ next: number }>(
        sql`SELECT coalesce(max(mtg_position) + 1, 0) AS next FROM media_tag_group WHERE tenant_id = ${requireScope().tenant_id}`,
      );
    return row?.next ?? 0;
  }

  /** Puts the groups in the order of the ids, before all others; how many there are among the ids. */
  async reorderGroups(ids: readonly string[]): Promise<number> {
    const { tenant_id } = requireScope();
    const placed = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) FROM media_tag_group WHERE tenant_id = ${tenant_id} AND mtg_id = ANY(${[...ids]}::uuid[])`,
      );
    if ((placed?.count ?? 0) < ids.length) return placed?.count ?? 0;
    await this.db.current().execute(sql`
      UPDATE media_tag_group g SET mtg_position = p.place, row_version = g.row_version + 1
      FROM (SELECT m.mtg_id, row_number() OVER (ORDER BY array_position(${[...ids]}::uuid[], m.mtg_id), m.mtg_position, m.mtg_id) - 1 AS place FROM media_tag_group m WHERE m.tenant_id = ${tenant_id}) p
      WHERE g.tenant_id = ${tenant_id} AND g.mtg_id = p.mtg_id AND g.mtg_position <> p.place`);
    return ids.length;
  }

  /** How many files have more than one value of the group. */
  async countFilesWithSeveral(id: string): Promise<number> {
    const row = await this.db.current().first<{ count: number }>(sql`
      SELECT count(*) FROM (SELECT 1 FROM file_tag t WHERE t.tenant_id = ${requireScope().tenant_id} AND t.ft_group = ${id}::uuid GROUP BY t.ft_file HAVING count(*) > 1) several`);
    return row?.count ?? 0;
  }

  /** Takes away those among the groups of documents that no document has a value of any more and nobody set up. */
  async dropEmptied(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.db.current().execute(sql`
      DELETE FROM media_tag_group g
      WHERE g.tenant_id = ${requireScope().tenant_id} AND g.mtg_id = ANY(${[...ids]}::uuid[]) AND g.mtg_scope = 'docs' AND NOT g.mtg_closed AND g.mtg_rules = '[]' AND g.mtg_required_for = '{}'
        AND NOT EXISTS (SELECT FROM file_tag t WHERE t.tenant_id = g.tenant_id AND t.ft_group = g.mtg_id)`);
  }
}
