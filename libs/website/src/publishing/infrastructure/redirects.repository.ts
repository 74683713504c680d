import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type MethodsOf,
  type Page,
} from '@atrium/platform/database';
import { hashOfPath, type PathLocale } from '../domain/live-path';
import { MOST_REDIRECTS, Redirect } from '../domain/redirect';

export type RedirectRow = Omit<
  Redirect,
  'tenant_id' | 'row_version' | 'red_from_hash' | 'red_created_by' | 'isPrefix' | MethodsOf<Redirect>
>;

/** A rule that a path matches, with where its page is live in the locale that was asked for. */
export interface MatchedRule extends RedirectRow {
  readonly live_path: string | null;
}

/** A redirect that a page leaves behind: to itself where it is live now, or what somebody wants in its place. */
export interface LeftBehind {
  readonly red_id: string;
  readonly from: string;
  readonly locale: string;
  readonly node_id: string | null;
  readonly to: string | null;
  readonly status: number;
  readonly kind: 'auto';
  readonly by: string | null;
}

/** Redirects of sites. Those that pages leave behind give way to people's and to live pages. */
@Injectable()
export class RedirectsRepository extends ResourceRepository<Redirect> {
  constructor(db: Database) {
    super(db, Redirect, 'redirect');
  }

  listRedirects(site_id: string, query: ListParameters): Promise<Page<RedirectRow>> {
    return listPage<RedirectRow>(this.db.current(), Redirect, query, { where: sql`r.red_site = ${site_id}` });
  }

  /** Whether the site has as many redirects as it may. */
  async isFull(site_id: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) AS count FROM (SELECT FROM site_redirect WHERE tenant_id = ${requireScope().tenant_id} AND red_site = ${site_id} LIMIT ${MOST_REDIRECTS}) x`,
      );
    return (row?.count ?? 0) >= MOST_REDIRECTS;
  }

  /** The rule for the first of these addresses that has one; a rule of the locale comes before one of all locales. */
  findRule(site_id: string, locale: string | null, addresses: readonly string[]): Promise<MatchedRule | undefined> {
    const { tenant_id } = requireScope();
    return this.db.current().first<MatchedRule & Record<string, unknown>>(sql`
      SELECT ${columnsOf(Redirect)}, p.np_path AS live_path
      FROM unnest(${addresses.map(hashOfPath)}::text[]) WITH ORDINALITY AS a (hash, place)
        JOIN site_redirect r ON r.tenant_id = ${tenant_id} AND r.red_site = ${site_id} AND r.red_from_hash = a.hash AND (r.red_locale IS NULL OR ${locale}::text IS NULL OR r.red_locale = ${locale})
        LEFT JOIN page_publication p ON p.tenant_id = r.tenant_id AND p.np_node = r.red_node AND p.np_locale = coalesce(r.red_locale, ${locale}) AND p.np_to_seq IS NULL
      ORDER BY a.place, r.red_locale NULLS LAST LIMIT 1`);
  }

  /** Redirects that pages leave behind; one of a person at the same address stays, unless somebody says where else its visitors go. The oldest of pages go where there are too many. */
  async leaveBehind(site_id: string, left: readonly LeftBehind[], now: Date): Promise<void> {
    if (left.length === 0) return;
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`
      INSERT INTO site_redirect AS r (tenant_id, red_id, red_site, red_from, red_from_hash, red_locale, red_to, red_node, red_status, red_kind, red_created, red_created_by)
      SELECT ${tenant_id}, x.red_id, ${site_id}, x."from", encode(sha256(convert_to(x."from", 'UTF8')), 'hex'), x.locale, x."to", x.node_id, x.status, x.kind, ${now}, x."by"
      FROM jsonb_to_recordset(${JSON.stringify(left)}::jsonb) AS x (red_id uuid, "from" text, locale text, node_id uuid, "to" text, status integer, kind text, "by" uuid)
      ON CONFLICT (tenant_id, red_site, red_locale, red_from_hash) DO UPDATE SET red_to = excluded.red_to, red_node = excluded.red_node, red_status = excluded.red_status,
        red_kind = excluded.red_kind, red_created = excluded.red_created, red_created_by = excluded.red_created_by
      WHERE r.red_kind = 'auto' OR excluded.red_node IS NULL`);
    await this.db.current().execute(sql`
      DELETE FROM site_redirect WHERE tenant_id = ${tenant_id} AND red_id IN (
        SELECT red_id FROM site_redirect WHERE tenant_id = ${tenant_id} AND red_site = ${site_id} AND red_kind = 'auto'
        ORDER BY red_created, red_id LIMIT greatest(0, (SELECT count(*) FROM site_redirect WHERE tenant_id = ${tenant_id} AND red_site = ${site_id}) - ${MOST_REDIRECTS}))`);
  }

  /** Pages that went live with this number win over redirects from their addresses that other pages left behind. */
  async removeTakenOver(site_id: string, locales: readonly PathLocale[], site_seq: number): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`
      DELETE FROM site_redirect r USING page_publication p, jsonb_to_recordset(${JSON.stringify(locales)}::jsonb) AS l (code text, prefix text)
      WHERE p.tenant_id = ${tenant_id} AND p.np_site = ${site_id} AND p.np_from_seq = ${site_seq} AND p.np_to_seq IS NULL AND l.code = p.np_locale
        AND r.tenant_id = p.tenant_id AND r.red_site = p.np_site AND r.red_kind = 'auto' AND r.red_locale = p.np_locale
        AND (p.np_kind = 'page' AND r.red_from_hash = encode(sha256(convert_to(
            CASE WHEN l.prefix = '' THEN p.np_path WHEN p.np_path = '/' THEN '/' || l.prefix ELSE '/' || l.prefix || p.np_path END, 'UTF8')), 'hex')
          OR r.red_node = p.np_node AND r.red_from_hash = encode(sha256(convert_to(
            CASE WHEN l.prefix = '' THEN '' ELSE '/' || l.prefix END || CASE WHEN p.np_path = '/' THEN '' ELSE p.np_path END || '/*', 'UTF8')), 'hex'))`);
  }
}
