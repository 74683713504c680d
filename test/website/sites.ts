import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi } from '@atrium/platform/testing';

export interface SiteAnswer {
  readonly site_id: string;
  readonly site_name: string;
  readonly site_key: string;
  readonly site_locales: readonly Record<string, unknown>[];
  readonly site_default_locale: string;
  readonly site_library: string;
  readonly site_active: boolean;
  readonly site_seq: number;
}

/** A site in English and German. */
export const makeSite = async (client: Client, facts: object = {}): Promise<SiteAnswer> =>
  (await client.post('/sites', { site_name: `Site ${newId()}`, site_locales: [{ code: 'en' }, { code: 'de' }], ...facts }).expect(201))
    .body as SiteAnswer;

export const readSite = async (client: Client, site_id: string): Promise<SiteAnswer & Record<string, unknown>> =>
  (await client.get(`/sites/${site_id}`).expect(200)).body as SiteAnswer & Record<string, unknown>;

/** A page at the top of a site in English and German, as it is stored. */
export async function plantPage(
  api: RunningApi,
  { site_id, site_library }: SiteAnswer,
  { slug, template = 'page', tree = {}, overlay = {} }: { slug: string; template?: string; tree?: object; overlay?: object },
): Promise<string> {
  const node_id = newId();
  await api.sql(
    `INSERT INTO node (tenant_id, node_id, node_site, node_kind, node_name, node_slug, node_order, node_template, node_tree, node_lineage, node_created, node_updated)
     SELECT s.tenant_id, $1::uuid, s.site_id, 'page', $3, $3, 'a0', c.tpl_id, $5, replace($1::text, '-', ''), now(), now()
     FROM site s JOIN content_schema c ON c.tenant_id = s.tenant_id AND c.tpl_library = $6 AND c.tpl_key = $4 WHERE s.site_id = $2`,
    [node_id, site_id, slug, template, JSON.stringify(tree), site_library],
  );
  await api.sql(
    `INSERT INTO node_locale (tenant_id, nl_node, nl_locale, nl_site, nl_slug, nl_hash, nl_overlay, nl_updated)
     SELECT n.tenant_id, n.node_id, l.code, n.node_site, n.node_slug, '', CASE l.code WHEN 'de' THEN $2::jsonb ELSE '{}' END, now()
     FROM node n CROSS JOIN (VALUES ('en'), ('de')) l (code) WHERE n.node_id = $1`,
    [node_id, JSON.stringify(overlay)],
  );
  return node_id;
}

/** A library of the workspace without schemas. */
export const makeContentLibrary = async (client: Client): Promise<string> =>
  ((await client.post('/content-schema-libraries', { lib_name: `Library ${newId()}` }).expect(201)).body as { lib_id: string }).lib_id;

/** A schema of blocks with a title. */
export const makeContentSchema = async (client: Client, tpl_library: string): Promise<string> =>
  (
    (
      await client
        .post('/content-schemas', {
          tpl_library,
          tpl_key: 'teaser',
          tpl_name: 'Teaser',
          tpl_kind: 'block',
          tpl_config: { fields: [{ key: 'title', type: 'text', label: 'Title' }] },
        })
        .expect(201)
    ).body as { tpl_id: string }
  ).tpl_id;
