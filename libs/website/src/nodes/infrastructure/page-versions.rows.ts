import { Injectable } from '@nestjs/common';
import { Database, listPage, requireScope, sql, type ListParameters, type Page } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { holdOfVersion } from '../../shared/website-holds';
import { PageVersion } from '../domain/page-version';
import type { KeptVersion, NewestVersion, VersionParts } from '../domain/page-version';

/** Versions of a node that are kept, besides pinned and published ones. */
export const MOST_VERSIONS = 200;

/** What a node is now, by the hashes of its parts, and its newest version. */
export interface CurrentState extends Record<string, unknown> {
  readonly node_id: string;
  readonly parts: VersionParts;
  readonly hash: string;
  readonly newest: NewestVersion | null;
}

/** A version to be written. */
export interface WrittenVersion {
  readonly ver_id: string;
  readonly ver_node: string;
  readonly ver_number: number;
  readonly ver_kind: PageVersion['ver_kind'];
  readonly ver_locales: readonly string[];
  readonly ver_note: string | null;
  readonly ver_pinned: boolean;
  readonly ver_hash: string;
  readonly ver_parts: VersionParts;
}

/** A version that something refers to. */
export interface PinnedVersion extends Record<string, unknown> {
  readonly ver_id: string;
  readonly ver_node: string;
}

/** The values of the parts of a version. */
export interface StoredParts extends Record<string, unknown> {
  readonly ver_id: string;
  readonly ver_node: string;
  readonly ver_updated: string | Date;
  readonly ver_parts: VersionParts;
  readonly values: Readonly<Record<string, JsonObject>>;
}

/** Content is hashed and copied by PostgreSQL, so that none of it is sent: jsonb writes equal values alike. */
const hashOf = (value: ReturnType<typeof sql>) => sql`encode(sha256(convert_to((${value})::text, 'UTF8')), 'hex')`;
const STRUCTURE = sql`jsonb_build_object('node_parent', n.node_parent, 'node_name', n.node_name, 'node_slug', n.node_slug, 'node_slugs', n.node_slugs, 'node_template', n.node_template, 'node_seo', n.node_seo,
  'node_link', n.node_link, 'node_tags', to_jsonb(n.node_tags), 'node_menu', n.node_menu, 'node_metadata', n.node_metadata)`;
const OVERLAY = sql`jsonb_build_object('values', l.nl_overlay, 'sources', l.nl_sources)`;

const tenant = (): string => requireScope().tenant_id;

/** Versions, and the contents that they share. */
@Injectable()
export class PageVersionRows {
  constructor(private readonly db: Database) {}

  listVersions(node_id: string, query: ListParameters): Promise<Page<KeptVersion>> {
    return listPage<KeptVersion>(this.db.current(), PageVersion, query, { where: sql`r.ver_node = ${node_id}` });
  }

  async findVersion(
    node_id: string,
    asked: { readonly ver_id: string } | { readonly ver_number: number },
  ): Promise<KeptVersion | undefined> {
    const which = 'ver_id' in asked ? sql`r.ver_id = ${asked.ver_id}` : sql`r.ver_number = ${asked.ver_number}`;
    return this.db.current().first<
      KeptVersion & Record<string, unknown>
    >(sql`SELECT r.ver_id, r.ver_node, r.ver_number, r.ver_kind, r.ver_locales, r.ver_name, r.ver_note, r.ver_pinned, r.ver_hash, r.ver_created, r.ver_created_by FROM page_version r
        WHERE r.tenant_id = ${tenant()} AND r.ver_node = ${node_id} AND ${which}`);
  }

  /** Stores what the nodes consist of now; what is stored already stays. */
  async storeParts(node_ids: readonly string[]): Promise<void> {
    const ids = [...node_ids];
    await this.db.current().execute(sql`
      INSERT INTO page_part (tenant_id, part_node, part_hash, part_value)
      SELECT ${tenant()}, v.part_node, ${hashOf(sql`v.part_value`)}, v.part_value FROM (
        SELECT n.node_id AS part_node, ${STRUCTURE} AS part_value FROM node n WHERE n.tenant_id = ${tenant()} AND n.node_id = ANY(${ids}::uuid[])
        UNION ALL SELECT n.node_id, n.node_tree FROM node n WHERE n.tenant_id = ${tenant()} AND n.node_id = ANY(${ids}::uuid[])
        UNION ALL SELECT l.nl_node, ${OVERLAY} FROM node_locale l WHERE l.tenant_id = ${tenant()} AND l.nl_node = ANY(${ids}::uuid[]) AND l.nl_overlay <> '{}') v
      ON CONFLICT DO NOTHING`);
  }

  /** What the nodes are now. */
  findCurrent(node_ids: readonly string[]): Promise<CurrentState[]> {
    return this.db.current().query<CurrentState>(sql`
      SELECT c.node_id, c.parts, ${hashOf(sql`c.parts`)} AS hash, to_jsonb(v) AS newest FROM (
        SELECT n.tenant_id, n.node_id, jsonb_build_object('structure', ${hashOf(STRUCTURE)}, 'tree', ${hashOf(sql`n.node_tree`)}, 'overlays', coalesce(o.overlays, '{}'), 'hashes', coalesce(o.hashes, '{}')) AS parts
        FROM node n LEFT JOIN LATERAL (
          SELECT jsonb_object_agg(l.nl_locale, l.nl_hash) AS hashes, jsonb_object_agg(l.nl_locale, ${hashOf(OVERLAY)}) FILTER (WHERE l.nl_overlay <> '{}') AS overlays
          FROM node_locale l WHERE l.tenant_id = n.tenant_id AND l.nl_node = n.node_id) o ON true
        WHERE n.tenant_id = ${tenant()} AND n.node_id = ANY(${[...node_ids]}::uuid[])) c
      LEFT JOIN LATERAL (SELECT p.ver_id, p.ver_number, p.ver_kind, p.ver_hash, p.ver_note, p.ver_pinned, p.ver_created, p.ver_created_by FROM page_version p
        WHERE p.tenant_id = c.tenant_id AND p.ver_node = c.node_id ORDER BY p.ver_number DESC LIMIT 1) v ON true`);
  }

  async insertVersions(rows: readonly WrittenVersion[], { now, by }: { readonly now: Date; readonly by: string | null }): Promise<void> {
    if (rows.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO page_version (tenant_id, ver_id, ver_node, ver_number, ver_kind, ver_locales, ver_note, ver_pinned, ver_hash, ver_parts, ver_created, ver_updated, ver_created_by)
      SELECT ${tenant()}, w.ver_id, w.ver_node, w.ver_number, w.ver_kind, w.ver_locales, w.ver_note, w.ver_pinned, w.ver_hash, w.ver_parts, ${now}, ${now}, ${by}::uuid
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS w (ver_id uuid, ver_node uuid, ver_number integer, ver_kind text, ver_locales text[], ver_note text, ver_pinned boolean, ver_hash text, ver_parts jsonb)`);
  }

  /** A version goes on with another save of the same person. */
  async extendVersion(
    version: Pick<WrittenVersion, 'ver_id' | 'ver_locales' | 'ver_note' | 'ver_hash' | 'ver_parts'>,
    now: Date,
  ): Promise<void> {
    const { ver_id, ver_locales, ver_note, ver_hash, ver_parts } = version;
    await this.db.current().execute(sql`
      UPDATE page_version v SET ver_hash = ${ver_hash}, ver_parts = ${JSON.stringify(ver_parts)}::jsonb, ver_note = coalesce(${ver_note}, v.ver_note), ver_updated = ${now},
        ver_locales = ARRAY(SELECT DISTINCT x FROM unnest(v.ver_locales || ${[...ver_locales]}::text[]) AS x ORDER BY x)
      WHERE v.tenant_id = ${tenant()} AND v.ver_id = ${ver_id}`);
  }

  async pinVersions(ver_ids: readonly string[], pinned: boolean): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE page_version SET ver_pinned = ${pinned} WHERE tenant_id = ${tenant()} AND ver_id = ANY(${[...ver_ids]}::uuid[]) AND ver_pinned <> ${pinned}`,
      );
  }

  /** Those that are pinned among versions, or among all versions of nodes. */
  findPinned(among: { readonly ver_ids: readonly string[] } | { readonly node_ids: readonly string[] }): Promise<PinnedVersion[]> {
    const which =
      'ver_ids' in among ? sql`ver_id = ANY(${[...among.ver_ids]}::uuid[])` : sql`ver_node = ANY(${[...among.node_ids]}::uuid[])`;
    return this.db
      .current()
      .query<PinnedVersion>(sql`SELECT ver_id, ver_node FROM page_version WHERE tenant_id = ${tenant()} AND ${which} AND ver_pinned`);
  }

  /** Removes what is older than the versions that are kept and not on hold, and contents that no version has any more. */
  async pruneVersions(node_ids: readonly string[]): Promise<void> {
    const ids = [...node_ids];
    await this.db.current().execute(sql`
      DELETE FROM page_version v USING (SELECT p.ver_node, max(p.ver_number) AS newest FROM page_version p WHERE p.tenant_id = ${tenant()} AND p.ver_node = ANY(${ids}::uuid[]) GROUP BY p.ver_node) n
      WHERE v.tenant_id = ${tenant()} AND v.ver_node = n.ver_node AND v.ver_number <= n.newest - ${MOST_VERSIONS}::integer AND NOT v.ver_pinned AND v.ver_kind <> 'published' AND ${holdOfVersion('v')} IS NULL`);
    await this.db.current().execute(sql`
      DELETE FROM page_part p WHERE p.tenant_id = ${tenant()} AND p.part_node = ANY(${ids}::uuid[]) AND (p.part_node, p.part_hash) NOT IN (
        SELECT v.ver_node, h.hash FROM page_version v CROSS JOIN LATERAL (
          SELECT v.ver_parts->>'structure' AS hash UNION ALL SELECT v.ver_parts->>'tree' UNION ALL SELECT o.value FROM jsonb_each_text(v.ver_parts->'overlays') o) h
        WHERE v.tenant_id = ${tenant()} AND v.ver_node = ANY(${ids}::uuid[]))`);
  }

  /** The contents of versions. */
  async findParts(ver_ids: readonly string[]): Promise<ReadonlyMap<string, StoredParts>> {
    const rows = await this.db.current().query<StoredParts>(sql`
      SELECT v.ver_id, v.ver_node, v.ver_updated, v.ver_parts, (
        SELECT jsonb_object_agg(p.part_hash, p.part_value) FROM page_part p WHERE p.tenant_id = v.tenant_id AND p.part_node = v.ver_node
          AND p.part_hash IN (SELECT v.ver_parts->>'structure' UNION SELECT v.ver_parts->>'tree' UNION SELECT o.value FROM jsonb_each_text(v.ver_parts->'overlays') o)) AS values
      FROM page_version v WHERE v.tenant_id = ${tenant()} AND v.ver_id = ANY(${[...ver_ids]}::uuid[])`);
    return new Map(rows.map((row) => [row.ver_id, row]));
  }
}
