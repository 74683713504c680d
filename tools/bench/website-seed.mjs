// A site of so many live articles below section pages of a hundred each, in English, its sections also in German; every article links
// to its section.
import { createHash } from 'node:crypto';
import { withoutIndexes } from './indexes.mjs';

const AT_ONCE = 20_000;
const PER_SECTION = 100;
/** Large tables, whose indexes are made when their rows are there. */
const FILLED = ['node', 'node_locale', 'page_snapshot', 'page_snapshot_ref', 'page_publication'];

const LINES = `
  SELECT n, n % ${PER_SECTION} = 0 AS is_section, md5($2::uuid::text || n)::uuid AS id, md5($2::uuid::text || n - n % ${PER_SECTION})::uuid AS section,
         CASE WHEN n % ${PER_SECTION} = 0 THEN 'section-' || n ELSE 'article-' || n END AS slug,
         '/section-' || n - n % ${PER_SECTION} || CASE WHEN n % ${PER_SECTION} = 0 THEN '' ELSE '/article-' || n END AS path,
         (ARRAY['Harbour','Pier','Bridge','Market','Garden'])[1 + n % 5] || ' ' || n AS name,
         CASE WHEN n % ${PER_SECTION} = 0 THEN '' ELSE md5($2::uuid::text || n - n % ${PER_SECTION}) END || md5($2::uuid::text || n) AS lineage,
         lpad(n::text, 8, '0') AS place, ARRAY[(ARRAY['news','guide','story'])[1 + n % 3]] AS tags, now() - n * interval '1 second' AS moment
  FROM generate_series($3::integer, $4::integer) n`;

const NODES = `
  WITH line AS (${LINES})
  INSERT INTO node (tenant_id, node_id, node_site, node_parent, node_kind, node_name, node_slug, node_order, node_template, node_tags, node_lineage, node_created, node_updated)
  SELECT $1, id, $2, CASE WHEN NOT is_section THEN section END, 'page', name, slug, place, $5, tags, lineage, moment, moment FROM line`;

const LOCALES = `
  WITH line AS (${LINES})
  INSERT INTO node_locale (tenant_id, nl_node, nl_locale, nl_site, nl_parent, nl_slug, nl_hash, nl_status, nl_live_slug, nl_updated)
  SELECT $1, id, locale, $2, CASE WHEN NOT is_section THEN section END, slug, md5(slug), CASE WHEN is_live THEN 'published' ELSE 'draft' END, CASE WHEN is_live THEN slug END, moment
  FROM (SELECT line.*, locale, is_section OR locale = 'en' AS is_live FROM line CROSS JOIN unnest(ARRAY['en', 'de']) locale) placed`;

const PARAGRAPH = 'The lamps of the harbour are lit at six, and those who work on the pier walk home below them. '.repeat(4);
const SNAPSHOTS = `
  WITH line AS (${LINES})
  INSERT INTO page_snapshot (tenant_id, snap_id, snap_site, snap_node, snap_locale, snap_template, snap_hash, snap_doc, snap_created)
  SELECT $1, md5(id || locale)::uuid, $2, id, locale, $5, md5(slug), jsonb_build_object('seo', jsonb_build_object('title', name), 'files', '{}'::jsonb,
      'places', jsonb_build_array(jsonb_build_object('kind', 'page', 'path', 'body[0].link.ref', 'ref', section), jsonb_build_object('kind', 'doc', 'path', 'body[1].body', 'ref', '')),
      'content', jsonb_build_object('_uid', 'page0000', 'component', 'article', 'title', name, 'teaser', left(paragraph, 200), 'author', 'Ada', 'body', jsonb_build_array(
        jsonb_build_object('_uid', 'hero0000', 'component', 'hero', 'headline', name, 'link', jsonb_build_object('kind', 'page', 'ref', section)),
        jsonb_build_object('_uid', 'text0000', 'component', 'text', 'body', jsonb_build_object('type', 'doc', 'content', jsonb_build_array(
          jsonb_build_object('type', 'paragraph', 'content', jsonb_build_array(jsonb_build_object('type', 'text', 'text', paragraph))),
          jsonb_build_object('type', 'paragraph', 'content', jsonb_build_array(jsonb_build_object('type', 'text', 'text', paragraph)))))) ))), moment
  FROM line CROSS JOIN unnest(ARRAY['en', 'de']) locale CROSS JOIN (SELECT $6::text AS paragraph) texts WHERE is_section OR locale = 'en'`;

const REFERENCES = `
  WITH line AS (${LINES})
  INSERT INTO page_snapshot_ref (tenant_id, snref_snapshot, snref_kind, snref_ref)
  SELECT $1, md5(id || locale)::uuid, 'page', section FROM line CROSS JOIN unnest(ARRAY['en', 'de']) locale WHERE is_section OR locale = 'en'`;

const PUBLICATIONS = `
  WITH line AS (${LINES})
  INSERT INTO page_publication (tenant_id, np_id, np_site, np_node, np_locale, np_kind, np_parent, np_lineage, np_order, np_slug, np_path, np_path_hash, np_name, np_template, np_template_key, np_tags,
                                np_snapshot, np_hash, np_from_seq, np_published, np_first_published)
  SELECT $1, gen_random_uuid(), $2, id, locale, 'page', CASE WHEN NOT is_section THEN section END, lineage, place, slug, path, encode(sha256(convert_to(path, 'UTF8')), 'hex'), name, $5, 'article', tags,
         md5(id || locale)::uuid, md5(slug), 1, moment, moment
  FROM line CROSS JOIN unnest(ARRAY['en', 'de']) locale WHERE is_section OR locale = 'en'`;

/** Fills the sites of worlds `{ ws_id, site_id, template }` with so many pages each, and leaves in each a section. */
export async function seedSites(owner, sizes) {
  const makeIndexes = await withoutIndexes(owner, FILLED);
  for (const [world, pages] of sizes) await seedPages(owner, world, pages);
  await makeIndexes();
  await owner.query('VACUUM ANALYZE');
}

async function seedPages(owner, world, pages) {
  const { ws_id, site_id, template } = world;
  await owner.query('SELECT set_config($1, $2, false)', ['app.tenant_id', ws_id]);
  for (let from = 0; from < pages; from += AT_ONCE) {
    const lines = [ws_id, site_id, from, Math.min(from + AT_ONCE, pages) - 1];
    await owner.query(NODES, [...lines, template]);
    await owner.query(LOCALES, lines);
    await owner.query(SNAPSHOTS, [...lines, template, PARAGRAPH]);
    await owner.query(REFERENCES, lines);
    await owner.query(PUBLICATIONS, [...lines, template]);
  }
  await owner.query('UPDATE site SET site_seq = 1 WHERE tenant_id = $1 AND site_id = $2', [ws_id, site_id]);
  world.section = (await owner.query('SELECT md5($1::text || 0)::uuid AS id', [site_id])).rows[0].id;
}

/** Path of the nth page. */
export const pathOf = (n) => {
  const section = n - (n % PER_SECTION);
  return n === section ? `/section-${section}` : `/section-${section}/article-${n}`;
};

export const hashOf = (path) => createHash('sha256').update(path).digest('hex');
