import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import {
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type MethodsOf,
  type Page,
} from '@atrium/platform/database';
import type { ContentMove } from '@atrium/identity';
import { holdOfSite } from '../../shared/website-holds';
import { Site } from '../domain/site';

/** A site as clients see it. */
export type SiteRow = Omit<Site, 'tenant_id' | 'row_version' | 'site_removed' | MethodsOf<Site>>;

/** The sites of a workspace. */
@Injectable()
export class SitesRepository extends ResourceRepository<Site> {
  constructor(db: Database) {
    super(db, Site, 'site', 'beside');
  }

  /** One page of the sites that the caller may see; of deleted ones those that were deleted since a moment. */
  listSites(
    caller: Principal,
    query: ListParameters,
    { active, since }: { readonly active: boolean; readonly since: Date },
  ): Promise<Page<SiteRow>> {
    return listPage<SiteRow>(this.db.current(), Site, query, {
      where: sql`r.site_active = ${active} AND (r.site_active OR r.site_removed >= ${since}) AND ${aclAllows('r.site_acl', caller, 'view')}`,
      ignore: ['site_active'],
    });
  }

  /** The site kept from being changed or deleted until the unit of work ends, while others may keep it as well. */
  async findKept(site_id: string): Promise<Site | null> {
    return (await this.lockShared(site_id, sql`1 AS kept`, sql`true`))?.row ?? null;
  }

  /** Those who create or restore sites wait for each other, so that their number holds. */
  async lockSiteCount(): Promise<void> {
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended('sites:' || ${requireScope().tenant_id}::text, 0))`);
  }

  /** Whether the workspace has so many active sites; asked after `lockSiteCount`. */
  async hasAtLeast(most: number): Promise<boolean> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) AS count FROM (SELECT FROM site WHERE tenant_id = ${requireScope().tenant_id} AND site_active LIMIT ${most}) x`,
      );
    return (row?.count ?? 0) >= most;
  }

  /** Whether another active site has the name. */
  async isNamed(site_name: string, except: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(
        sql`SELECT 1 FROM site WHERE tenant_id = ${requireScope().tenant_id} AND site_active AND folded(site_name) = folded(${site_name}) AND site_id <> ${except}`,
      );
    return row !== undefined;
  }

  /** The active sites among the ids that the caller may see, with their names. */
  async findReadableNames(caller: Principal, site_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.db
      .current()
      .query<{ site_id: string; site_name: string }>(
        sql`SELECT s.site_id, s.site_name FROM site s WHERE s.tenant_id = ${requireScope().tenant_id} AND s.site_id = ANY(${[...site_ids]}::uuid[]) AND s.site_active AND ${aclAllows('s.site_acl', caller, 'view')}`,
      );
    return new Map(rows.map(({ site_id, site_name }) => [site_id, site_name]));
  }

  /** Which of the sites that exist, deleted or not, the caller may see. */
  async findVisibility(caller: Principal, site_ids: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
    const rows = await this.db
      .current()
      .query<{ site_id: string; is_visible: boolean }>(
        sql`SELECT s.site_id, ${aclAllows('s.site_acl', caller, 'view')} AS is_visible FROM site s WHERE s.tenant_id = ${requireScope().tenant_id} AND s.site_id = ANY(${[...site_ids]}::uuid[])`,
      );
    return new Map(rows.map(({ site_id, is_visible }) => [site_id, is_visible]));
  }

  /** The next number of what is live on the site, under the lock of its row. Its version stays: nothing that can be changed has changed. */
  async takeNextNumber(site_id: string): Promise<number | undefined> {
    const row = await this.db
      .current()
      .first<{ site_seq: number }>(
        sql`UPDATE site SET site_seq = site_seq + 1 WHERE tenant_id = ${requireScope().tenant_id} AND site_id = ${site_id} RETURNING site_seq`,
      );
    return row === undefined ? undefined : Number(row.site_seq);
  }

  /** Gives the sites another version, in the order of their ids, so that nothing that was kept of them counts any more. */
  async renewVersions(site_ids: readonly string[]): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`
      WITH kept AS (SELECT site_id FROM site WHERE tenant_id = ${tenant_id} AND site_id = ANY(${[...site_ids]}::uuid[]) ORDER BY site_id FOR NO KEY UPDATE)
      UPDATE site s SET row_version = row_version + 1 FROM kept k WHERE s.tenant_id = ${tenant_id} AND s.site_id = k.site_id`);
  }

  /** The language of the workspace, with which a site begins. */
  async findWorkspaceLocale(): Promise<string | undefined> {
    const row = await this.db
      .current()
      .first<{ ws_locale: string | null }>(sql`SELECT ws_locale FROM workspace WHERE tenant_id = ${requireScope().tenant_id}`);
    return row?.ws_locale ?? undefined;
  }

  /** Sites that were deleted before a moment and are not on hold, at most so many. */
  async listRemovedBefore(moment: Date, most: number): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ site_id: string }>(
        sql`SELECT s.site_id FROM site s WHERE s.tenant_id = ${requireScope().tenant_id} AND s.site_removed < ${moment} AND ${holdOfSite('s')} IS NULL ORDER BY s.site_removed LIMIT ${most}`,
      );
    return rows.map(({ site_id }) => site_id);
  }

  /** Re-owns sites of a member, one stretch in the order of their ids. */
  async handOver({ from, to }: ContentMove, { after, size }: { readonly after: string | null; readonly size: number }): Promise<string[]> {
    const rows = await this.db.current().query<{ site_id: string }>(sql`
      WITH stretch AS (
        SELECT site_id FROM site WHERE tenant_id = ${requireScope().tenant_id} AND site_created_by = ${from}::uuid AND site_id > ${after ?? NO_ID}::uuid
        ORDER BY site_id LIMIT ${size} FOR UPDATE
      ) UPDATE site s SET site_created_by = ${to}::uuid, row_version = row_version + 1 FROM stretch p
        WHERE s.tenant_id = ${requireScope().tenant_id} AND s.site_id = p.site_id RETURNING s.site_id`);
    return rows.map(({ site_id }) => site_id).sort();
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
