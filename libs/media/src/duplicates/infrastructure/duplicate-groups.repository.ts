import { Injectable } from '@nestjs/common';
import {
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { DuplicateGroup, type DuplicateKind } from '../domain/duplicate-group';

export type DuplicateGroupRow = Pick<DuplicateGroup, 'dup_id' | 'dup_kind' | 'dup_state' | 'dup_created'>;

/** What resolving a group did, for as long as it can be undone. */
export interface MergeRecord {
  readonly dm_trashed: readonly string[];
  readonly dm_carried: Readonly<Record<string, JsonObject>>;
  readonly dm_until: string;
}

/** Groups of duplicates, their files, and the pairs that people said are none. */
@Injectable()
export class DuplicateGroupsRepository extends ResourceRepository<DuplicateGroup> {
  constructor(db: Database) {
    super(db, DuplicateGroup, 'duplicate group');
  }

  listGroups(query: ListParameters, where: Sql): Promise<Page<DuplicateGroupRow>> {
    return listPage<DuplicateGroupRow>(this.db.current(), DuplicateGroup, query, { where, ignore: ['dup_state'] });
  }

  /** One unit of work at a time decides about the groups of the workspace. */
  async lockAll(): Promise<void> {
    await this.db
      .current()
      .query(sql`SELECT pg_advisory_xact_lock(hashtextextended('duplicates:' || ${requireScope().tenant_id}::text, 0))`);
  }

  /** The files of groups. */
  async findFiles(groups: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.db
      .current()
      .query<{ dgf_group: string; files: string[] }>(
        sql`SELECT dgf_group, array_agg(dgf_file ORDER BY dgf_file) AS files FROM duplicate_group_file WHERE ${here()} AND dgf_group = ANY(${[...groups]}::uuid[]) GROUP BY 1`,
      );
    return new Map(rows.map(({ dgf_group, files }) => [dgf_group, files]));
  }

  /** The open groups of files. */
  async openGroupsOf(files: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.db
      .current()
      .query<{ dgf_file: string; dgf_group: string }>(
        sql`SELECT dgf_file, dgf_group FROM duplicate_group_file WHERE ${here()} AND dgf_file = ANY(${[...files]}::uuid[]) AND dgf_open`,
      );
    return new Map(rows.map(({ dgf_file, dgf_group }) => [dgf_file, dgf_group]));
  }

  /** Puts files into an open group, out of whatever open group they were in. */
  async putFiles(dup_id: string, files: readonly string[]): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO duplicate_group_file (tenant_id, dgf_group, dgf_file) SELECT ${tenant()}::uuid, ${dup_id}::uuid, f FROM unnest(${[...files]}::uuid[]) AS f
      ON CONFLICT (tenant_id, dgf_file) WHERE dgf_open DO UPDATE SET dgf_group = excluded.dgf_group`);
  }

  async changeKind(dup_id: string, kind: DuplicateKind): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE duplicate_group SET dup_kind = ${kind}, row_version = row_version + 1 WHERE ${here()} AND dup_id = ${dup_id} AND dup_kind <> ${kind}`,
      );
  }

  /** Takes files out of their open groups; a group of one file is none. */
  async removeFromOpenGroups(files: readonly string[]): Promise<void> {
    const gone = await this.db
      .current()
      .query<{ dgf_group: string }>(
        sql`DELETE FROM duplicate_group_file WHERE ${here()} AND dgf_file = ANY(${[...files]}::uuid[]) AND dgf_open RETURNING dgf_group`,
      );
    await this.dropSmall(gone.map((row) => row.dgf_group));
  }

  /** Removes those of the open groups that have fewer than two files left. */
  async dropSmall(groups: readonly string[]): Promise<void> {
    if (groups.length === 0) return;
    await this.db.current().execute(sql`
      DELETE FROM duplicate_group g WHERE ${here()} AND g.dup_id = ANY(${[...groups]}::uuid[]) AND g.dup_state = 'open'
        AND (SELECT count(*) FROM (SELECT 1 FROM duplicate_group_file f WHERE f.tenant_id = g.tenant_id AND f.dgf_group = g.dup_id LIMIT 2) two) < 2`);
  }

  /** The group is closed: its files may be in another open one. */
  async releaseFiles(dup_id: string): Promise<void> {
    await this.db.current().execute(sql`UPDATE duplicate_group_file SET dgf_open = false WHERE ${here()} AND dgf_group = ${dup_id}`);
  }

  /** The group is open again: its files are in it and in no other. */
  async reclaimFiles(dup_id: string): Promise<void> {
    const files = (await this.findFiles([dup_id])).get(dup_id) ?? [];
    await this.removeFromOpenGroups(files);
    await this.db.current().execute(sql`UPDATE duplicate_group_file SET dgf_open = true WHERE ${here()} AND dgf_group = ${dup_id}`);
  }

  /** Pairs among the files that people said are none. */
  async findDismissedPairs(files: readonly string[]): Promise<(readonly [string, string])[]> {
    const ids = [...files];
    const rows = await this.db
      .current()
      .query<{ dd_one: string; dd_other: string }>(
        sql`SELECT dd_one, dd_other FROM duplicate_dismissal WHERE ${here()} AND dd_one = ANY(${ids}::uuid[]) AND dd_other = ANY(${ids}::uuid[])`,
      );
    return rows.map(({ dd_one, dd_other }) => [dd_one, dd_other]);
  }

  async insertDismissals(dup_id: string, pairs: readonly (readonly [string, string])[], by: string): Promise<void> {
    if (pairs.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO duplicate_dismissal (tenant_id, dd_one, dd_other, dd_group, dd_created_by)
      SELECT ${tenant()}::uuid, p.one, p.other, ${dup_id}::uuid, ${by}::uuid FROM unnest(${pairs.map(([one]) => one)}::uuid[], ${pairs.map(([, other]) => other)}::uuid[]) AS p (one, other)
      ON CONFLICT DO NOTHING`);
  }

  async forgetDismissals(dup_id: string): Promise<void> {
    await this.db.current().execute(sql`DELETE FROM duplicate_dismissal WHERE ${here()} AND dd_group = ${dup_id}`);
  }

  /** Keeps what was moved; what can no longer be undone goes. */
  async saveMerge(
    dup_id: string,
    { dm_trashed, dm_carried, dm_until }: Omit<MergeRecord, 'dm_until'> & { readonly dm_until: Date },
    now: Date,
  ): Promise<void> {
    const tx = this.db.current();
    await tx.execute(sql`DELETE FROM duplicate_merge WHERE ${here()} AND (dm_until <= ${now} OR dm_group = ${dup_id})`);
    await tx.execute(sql`
      INSERT INTO duplicate_merge (tenant_id, dm_group, dm_trashed, dm_carried, dm_until)
      VALUES (${tenant()}, ${dup_id}, ${[...dm_trashed]}::uuid[], ${JSON.stringify(dm_carried)}::jsonb, ${dm_until})`);
  }

  findMerge(dup_id: string): Promise<MergeRecord | undefined> {
    return this.db
      .current()
      .first<MergeRecord>(sql`SELECT dm_trashed, dm_carried, dm_until FROM duplicate_merge WHERE ${here()} AND dm_group = ${dup_id}`);
  }

  async forgetRecord(dup_id: string): Promise<void> {
    await this.db.current().execute(sql`DELETE FROM duplicate_merge WHERE ${here()} AND dm_group = ${dup_id}`);
  }
}

const tenant = (): string => requireScope().tenant_id;

const here = (): Sql => sql`tenant_id = ${tenant()}`;
