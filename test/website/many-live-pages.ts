import { newId } from '@atrium/platform/kernel';
import type { RunningApi } from '@atrium/platform/testing';

/** Pages that are live at `/page-000001` and so on, in English, all with the same content: rows that publishes would take long to write. */
export interface ManyLivePages {
  readonly tenant_id: string;
  readonly site_id: string;
  readonly many: number;
  /** The page or folder below which they are live. */
  readonly under?: { readonly node_id: string; readonly path: string };
  readonly content?: object;
  readonly template?: { readonly tpl_id: string; readonly tpl_key: string };
}

/** Inserts them, each with a snapshot of its own where they have a template. */
export async function insertLivePages(
  api: RunningApi,
  { tenant_id, site_id, many, under, content = {}, template }: ManyLivePages,
): Promise<void> {
  const own = template !== undefined;
  const [shared] = await api.sql<{ snap_id: string }>(
    `INSERT INTO page_snapshot (tenant_id, snap_id, snap_site, snap_node, snap_locale, snap_template, snap_hash, snap_doc, snap_created)
     SELECT $1::uuid, CASE WHEN $6::boolean THEN md5($2::uuid::text || n)::uuid ELSE $3::uuid END, $2::uuid, md5('node' || $2::uuid::text || n)::uuid, 'en', $5::uuid, 'h',
       jsonb_build_object('content', $4::jsonb, 'seo', '{}'::jsonb, 'places', '[]'::jsonb, 'files', '{}'::jsonb), now()
     FROM generate_series(1, CASE WHEN $6::boolean THEN $7::integer ELSE 1 END) n RETURNING snap_id`,
    [tenant_id, site_id, newId(), JSON.stringify(content), template?.tpl_id ?? null, own, many],
  );
  const digits = under?.node_id.replaceAll('-', '') ?? '';
  await api.sql(
    `INSERT INTO page_publication (tenant_id, np_id, np_site, np_node, np_locale, np_kind, np_parent, np_lineage, np_order, np_slug, np_path, np_path_hash, np_name, np_template, np_template_key,
       np_snapshot, np_hash, np_from_seq, np_published, np_first_published)
     SELECT $1::uuid, gen_random_uuid(), $2::uuid, x.node, 'en', 'page', $3::uuid, $4::text || replace(x.node::text, '-', ''), lpad(x.n::text, 6, '0'), x.slug, $5::text || '/' || x.slug,
       encode(sha256(convert_to($5::text || '/' || x.slug, 'UTF8')), 'hex'), 'Page ' || x.n, $6::uuid, $7::text, CASE WHEN $10::boolean THEN md5($2::uuid::text || x.n)::uuid ELSE $8::uuid END, 'h', 1,
       now() - x.n * interval '1 second', now() - x.n * interval '1 second'
     FROM (SELECT n, md5('node' || $2::uuid::text || n)::uuid AS node, 'page-' || lpad(n::text, 6, '0') AS slug FROM generate_series(1, $9::integer) n) x`,
    [
      tenant_id,
      site_id,
      under?.node_id ?? null,
      digits,
      under?.path ?? '',
      template?.tpl_id ?? null,
      template?.tpl_key ?? null,
      shared?.snap_id ?? null,
      many,
      own,
    ],
  );
}
