import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** Who or what assigned a tag to a file. */
export type TagSource = 'user' | 'rule' | 'guest' | 'model' | 'keyword';

/** Who gives way to people: what they took off stays off, and a single value they chose stays. */
export const isMachine = (source: TagSource): boolean => source === 'rule' || source === 'model' || source === 'keyword';

/** A tag on a file. */
export interface TagOnFile {
  readonly file_id: string;
  readonly mt_id: string;
  readonly mt_value: string;
  readonly mt_group: string;
  readonly mtg_name: string;
  readonly source: TagSource;
}

export interface NewTagOnFile {
  readonly file_id: string;
  readonly mt_id: string;
  readonly mt_group: string;
}

/** How tags come to a file. */
export interface TagOrigin {
  readonly source: TagSource;
  readonly by: string | null;
  readonly confidence?: number | null;
}

/** One tag, or all of a group. */
export type TaggedWith = { readonly tag: string } | { readonly group: string };

/** An expression: the words of all tags of a file, by which it is found. */
export const tagWordsOf = (file_id: Sql): Sql => sql`tag_words_of(${requireScope().tenant_id}::uuid, ${file_id})`;

/** The tags assigned to files. Counts and words follow by triggers; a writer holds the rows of the files. */
@Injectable()
export class FileTagsRepository {
  constructor(private readonly db: Database) {}

  async findTags(files: readonly string[]): Promise<ReadonlyMap<string, readonly TagOnFile[]>> {
    const rows = await this.db.current().query<TagOnFile>(sql`
      SELECT f.ft_file AS file_id, t.mt_id, t.mt_value, t.mt_group, g.mtg_name, f.ft_source AS source
      FROM file_tag f JOIN media_tag t ON t.tenant_id = f.tenant_id AND t.mt_id = f.ft_tag JOIN media_tag_group g ON g.tenant_id = t.tenant_id AND g.mtg_id = t.mt_group
      WHERE f.tenant_id = ${requireScope().tenant_id} AND f.ft_file = ANY(${[...files]}::uuid[])`);
    const found = new Map<string, TagOnFile[]>();
    for (const row of rows) {
      const tags = found.get(row.file_id);
      if (tags) tags.push(row);
      else found.set(row.file_id, [row]);
    }
    return found;
  }

  /** A query of the files that have a tag, behind the last one, in order of their ids. */
  filesWithTag(mt_id: string, after: string | null, most: number): Sql {
    return sql`SELECT ft_file AS file_id FROM file_tag WHERE tenant_id = ${requireScope().tenant_id}::uuid AND ft_tag = ${mt_id}::uuid AND (${after}::uuid IS NULL OR ft_file > ${after}::uuid) ORDER BY ft_file LIMIT ${most}`;
  }

  async addTags(tags: readonly NewTagOnFile[], { source, by, confidence = null }: TagOrigin): Promise<void> {
    if (tags.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO file_tag (tenant_id, ft_tag, ft_file, ft_group, ft_source, ft_confidence, ft_created_by)
      SELECT ${requireScope().tenant_id}::uuid, n.tag, n.file, n.grp, ${source}, ${confidence}::real, ${by}::uuid
      FROM unnest(${tags.map(({ mt_id }) => mt_id)}::uuid[], ${tags.map(({ file_id }) => file_id)}::uuid[], ${tags.map(({ mt_group }) => mt_group)}::uuid[]) AS n (tag, file, grp)
      ON CONFLICT DO NOTHING`);
  }

  async removeTags(tags: readonly Pick<TagOnFile, 'file_id' | 'mt_id'>[]): Promise<void> {
    if (tags.length === 0) return;
    await this.db.current().execute(sql`
      DELETE FROM file_tag f USING unnest(${tags.map(({ mt_id }) => mt_id)}::uuid[], ${tags.map(({ file_id }) => file_id)}::uuid[]) AS g (tag, file)
      WHERE f.tenant_id = ${requireScope().tenant_id} AND f.ft_tag = g.tag AND f.ft_file = g.file`);
  }

  /** How many tags each of the files has, and a group of one value of which it has more. */
  async countTags(files: readonly string[]): Promise<{ readonly count: number; readonly crowded: string | null }[]> {
    return this.db.current().query(sql`
      SELECT count(*) AS count, (
        SELECT g.mtg_name FROM file_tag s JOIN media_tag_group g ON g.tenant_id = s.tenant_id AND g.mtg_id = s.ft_group
        WHERE s.tenant_id = f.tenant_id AND s.ft_file = f.ft_file AND NOT g.mtg_multiple GROUP BY g.mtg_id, g.mtg_name HAVING count(*) > 1 LIMIT 1) AS crowded
      FROM file_tag f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.ft_file = ANY(${[...files]}::uuid[]) GROUP BY f.tenant_id, f.ft_file`);
  }

  /** Of the pairs, those that people took off again. */
  async findRefused(files: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ file: string; tag: string }>(
        sql`SELECT ftr_file AS file, ftr_tag AS tag FROM file_tag_refusal WHERE tenant_id = ${requireScope().tenant_id} AND ftr_file = ANY(${[...files]}::uuid[])`,
      );
    return new Set(rows.map(({ file, tag }) => `${file}:${tag}`));
  }

  /** People took these off although a machine had put them there. */
  async refuseTags(tags: readonly Pick<TagOnFile, 'file_id' | 'mt_id'>[]): Promise<void> {
    if (tags.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO file_tag_refusal (tenant_id, ftr_file, ftr_tag)
      SELECT ${requireScope().tenant_id}::uuid, n.file, n.tag FROM unnest(${tags.map(({ file_id }) => file_id)}::uuid[], ${tags.map(({ mt_id }) => mt_id)}::uuid[]) AS n (file, tag) ON CONFLICT DO NOTHING`);
  }

  /** Hides the tags of files that go to the trash from the counts, or shows them again. */
  async setHidden(files: readonly string[], hidden: boolean): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE file_tag SET ft_hidden = ${hidden} WHERE tenant_id = ${requireScope().tenant_id} AND ft_file = ANY(${[...files]}::uuid[]) AND ft_hidden <> ${hidden}`,
      );
  }

  /** Some of the files that have the tag or one of the group, those in the trash too; `all`: there are no others. */
  async findTaggedFiles(what: TaggedWith, most: number): Promise<{ readonly files: readonly string[]; readonly all: boolean }> {
    const rows = await this.db
      .current()
      .query<{ file: string }>(
        sql`SELECT ft_file AS file FROM file_tag WHERE tenant_id = ${requireScope().tenant_id} AND ${meansTag(what)} LIMIT ${most}`,
      );
    return { files: [...new Set(rows.map(({ file }) => file))], all: rows.length < most };
  }

  /** Of each of the tags, how many files in the albums have it; a tag of none is left out. */
  async countFilesIn(albums: readonly string[], tags: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.db.current().query<{ ft_tag: string; files: number }>(sql`
      SELECT t.ft_tag, count(DISTINCT t.ft_file)::integer AS files FROM album_file m JOIN file_tag t ON t.tenant_id = m.tenant_id AND t.ft_file = m.af_file
      WHERE m.tenant_id = ${requireScope().tenant_id} AND m.af_album = ANY(${[...albums]}::uuid[]) AND t.ft_tag = ANY(${[...tags]}::uuid[]) AND NOT t.ft_hidden GROUP BY 1`);
    return new Map(rows.map(({ ft_tag, files }) => [ft_tag, files]));
  }

  /** Some of the files that conditions on `r` select, of which `within` knows its tenant, in the order of their ids. */
  async findMatchingFiles(
    { within, among, where }: { readonly within: Sql; readonly among: Sql; readonly where: Sql },
    most: number,
  ): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ file_id: string }>(
        sql`SELECT r.file_id FROM file r WHERE ${within} AND ${among} AND (${where}) ORDER BY r.file_id LIMIT ${most}`,
      );
    return rows.map(({ file_id }) => file_id);
  }

  /** The tags of the group on the files. */
  async listTagsOfGroup(group: string, files: readonly string[]): Promise<{ readonly mt_id: string }[]> {
    return this.db.current().query(sql`
      SELECT DISTINCT ft_tag AS mt_id FROM file_tag WHERE tenant_id = ${requireScope().tenant_id} AND ft_file = ANY(${[...files]}::uuid[]) AND ft_group = ${group}::uuid`);
  }

  /** The tag, or all of the group, are given to no further file. */
  async retireTag(what: TaggedWith): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db
      .current()
      .execute(
        'tag' in what
          ? sql`UPDATE media_tag SET mt_active = false, row_version = row_version + 1 WHERE tenant_id = ${tenant_id} AND mt_id = ${what.tag}::uuid`
          : sql`UPDATE media_tag_group SET mtg_active = false, row_version = row_version + 1 WHERE tenant_id = ${tenant_id} AND mtg_id = ${what.group}::uuid`,
      );
  }
}

const meansTag = (what: TaggedWith): Sql => ('tag' in what ? sql`ft_tag = ${what.tag}::uuid` : sql`ft_group = ${what.group}::uuid`);
