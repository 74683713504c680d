-- Libraries of content schemas, and the schemas: what pages and blocks hold.
CREATE TABLE content_library (
  tenant_id uuid NOT NULL REFERENCES workspace,
  lib_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  lib_name text NOT NULL,
  lib_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(lib_name, 64))) STORED,
  lib_description text,
  lib_provider text CHECK (lib_provider IN ('storyblok', 'contentful')),
  -- The site whose CMS it mirrors.
  lib_site uuid,
  -- The library that every workspace begins with, which is copied and never changed.
  lib_standard boolean NOT NULL DEFAULT false,
  lib_active boolean NOT NULL DEFAULT true,
  lib_created timestamptz(3) NOT NULL,
  lib_updated timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, lib_id)
);
CREATE UNIQUE INDEX content_library_name_taken ON content_library (tenant_id, folded(lib_name)) WHERE lib_active;
CREATE UNIQUE INDEX content_library_standard ON content_library (tenant_id) WHERE lib_standard;
CREATE UNIQUE INDEX content_library_mirror ON content_library (tenant_id, lib_site) WHERE lib_site IS NOT NULL AND lib_active;
CREATE INDEX content_library_newest ON content_library (tenant_id, lib_active, lib_created, lib_id);
CREATE INDEX content_library_changed ON content_library (tenant_id, lib_active, lib_updated, lib_id);
CREATE INDEX content_library_named ON content_library (tenant_id, lib_active, lib_name_key, lib_id);
CALL make_tenant_table('content_library');

CREATE TABLE content_schema (
  tenant_id uuid NOT NULL,
  tpl_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  tpl_library uuid NOT NULL,
  tpl_key text COLLATE "C" NOT NULL,
  tpl_name text NOT NULL,
  tpl_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(tpl_name, 64))) STORED,
  tpl_description text,
  tpl_icon text,
  tpl_color text,
  tpl_group text,
  tpl_kind text NOT NULL CHECK (tpl_kind IN ('page', 'block', 'both')),
  tpl_config jsonb NOT NULL DEFAULT '{}',
  tpl_preview_file uuid,
  tpl_external jsonb NOT NULL DEFAULT '{}',
  tpl_managed_by uuid,
  tpl_active boolean NOT NULL DEFAULT true,
  tpl_revision integer NOT NULL DEFAULT 1,
  tpl_created timestamptz(3) NOT NULL,
  tpl_updated timestamptz(3) NOT NULL,
  -- What drafts still need that were written by an earlier revision, and keys that lists cannot use until they followed.
  tpl_moves jsonb NOT NULL DEFAULT '[]',
  tpl_unready text[] NOT NULL DEFAULT '{}',
  -- What drafts have followed, for versions that were written before.
  tpl_followed jsonb NOT NULL DEFAULT '[]',
  tpl_retired jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, tpl_id),
  FOREIGN KEY (tenant_id, tpl_library) REFERENCES content_library
);
CREATE UNIQUE INDEX content_schema_key_taken ON content_schema (tenant_id, tpl_library, tpl_key) WHERE tpl_active;
CREATE INDEX content_schema_newest ON content_schema (tenant_id, tpl_active, tpl_created, tpl_id);
CREATE INDEX content_schema_changed ON content_schema (tenant_id, tpl_active, tpl_updated, tpl_id);
CREATE INDEX content_schema_named ON content_schema (tenant_id, tpl_active, tpl_name_key, tpl_id);
CREATE INDEX content_schema_of_library ON content_schema (tenant_id, tpl_library, tpl_active, tpl_created, tpl_id);
CREATE INDEX content_schema_preview ON content_schema (tenant_id, tpl_preview_file) WHERE tpl_preview_file IS NOT NULL;
CALL make_tenant_table('content_schema');

-- Sites. Every change of what is live takes the next number of its site under the lock of the row; drafts never take it.
CREATE TABLE site (
  tenant_id uuid NOT NULL REFERENCES workspace,
  site_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  site_name text NOT NULL,
  site_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(site_name, 64))) STORED,
  site_description text,
  site_key text COLLATE "C" NOT NULL UNIQUE,
  site_base_url text,
  site_preview_url text,
  site_locales jsonb NOT NULL,
  site_default_locale text COLLATE "C" NOT NULL,
  site_library uuid NOT NULL,
  site_cache jsonb NOT NULL DEFAULT '{}',
  site_robots text NOT NULL,
  site_contacts uuid[] NOT NULL DEFAULT '{}',
  site_acl jsonb NOT NULL DEFAULT '{}',
  site_metadata jsonb NOT NULL DEFAULT '{}',
  site_active boolean NOT NULL DEFAULT true,
  site_removed timestamptz(3),
  site_seq bigint NOT NULL DEFAULT 0,
  site_created timestamptz(3) NOT NULL,
  site_updated timestamptz(3) NOT NULL,
  site_created_by uuid,
  PRIMARY KEY (tenant_id, site_id),
  FOREIGN KEY (tenant_id, site_library) REFERENCES content_library
);
CREATE UNIQUE INDEX site_name_taken ON site (tenant_id, folded(site_name)) WHERE site_active;
CREATE INDEX site_newest ON site (tenant_id, site_active, site_created, site_id);
CREATE INDEX site_changed ON site (tenant_id, site_active, site_updated, site_id);
CREATE INDEX site_named ON site (tenant_id, site_active, site_name_key, site_id);
CREATE INDEX site_by_library ON site (tenant_id, site_library);
CREATE INDEX site_removed ON site (tenant_id, site_removed) WHERE site_removed IS NOT NULL;
CALL make_tenant_table('site');

-- Pages, folders and links of a site: the draft of the structure and of the default locale.
-- The lineage is the ids from the top to the node, 32 digits each: what begins with it is the node and all below it.
CREATE TABLE node (
  tenant_id uuid NOT NULL,
  node_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  node_site uuid NOT NULL,
  node_parent uuid,
  node_kind text NOT NULL CHECK (node_kind IN ('page', 'folder', 'link')),
  node_name text NOT NULL,
  node_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(node_name, 64))) STORED,
  node_slug text NOT NULL,
  node_slugs jsonb NOT NULL DEFAULT '{}',
  node_order text COLLATE "C" NOT NULL,
  node_template uuid,
  node_tree jsonb NOT NULL DEFAULT '{}',
  node_seo jsonb NOT NULL DEFAULT '{}',
  node_link jsonb,
  node_tags text[] NOT NULL DEFAULT '{}',
  node_menu boolean NOT NULL DEFAULT true,
  node_metadata jsonb NOT NULL DEFAULT '{}',
  node_active boolean NOT NULL DEFAULT true,
  node_removed timestamptz(3),
  node_removed_by uuid,
  -- The node whose deletion took this one along; a restore of it brings both back.
  node_removed_with uuid,
  node_lineage text COLLATE "C" NOT NULL,
  node_created timestamptz(3) NOT NULL,
  node_updated timestamptz(3) NOT NULL,
  node_created_by uuid,
  node_updated_by uuid,
  PRIMARY KEY (tenant_id, node_id),
  UNIQUE (tenant_id, node_site, node_id),
  FOREIGN KEY (tenant_id, node_site) REFERENCES site,
  FOREIGN KEY (tenant_id, node_site, node_parent) REFERENCES node (tenant_id, node_site, node_id),
  FOREIGN KEY (tenant_id, node_template) REFERENCES content_schema,
  CHECK (length(node_lineage) >= 32 AND length(node_lineage) <= 480 AND length(node_lineage) % 32 = 0),
  CHECK ((node_kind = 'page') = (node_template IS NOT NULL))
);
CREATE INDEX node_ordered ON node (tenant_id, node_site, node_parent, node_active, node_order, node_id);
CREATE INDEX node_subtree ON node (tenant_id, node_site, node_lineage);
CREATE INDEX node_changed ON node (tenant_id, node_site, node_active, node_updated, node_id);
CREATE INDEX node_named ON node (tenant_id, node_site, node_active, node_name_key, node_id);
CREATE INDEX node_in_order ON node (tenant_id, node_site, node_active, node_order, node_id);
CREATE INDEX node_by_template ON node (tenant_id, node_template, node_id) WHERE node_template IS NOT NULL;
CREATE INDEX node_by_creator ON node (tenant_id, node_created_by, node_id);
CREATE INDEX node_removed ON node (tenant_id, node_removed, node_id) WHERE node_removed IS NOT NULL;
CALL make_tenant_table('node');
CALL make_searchable('node');

-- What a locale says of a node. Every locale of the site has a row of every node, so that its slugs are unique among siblings.
CREATE TABLE node_locale (
  tenant_id uuid NOT NULL,
  nl_node uuid NOT NULL,
  nl_locale text COLLATE "C" NOT NULL,
  nl_site uuid NOT NULL,
  nl_parent uuid,
  nl_active boolean NOT NULL DEFAULT true,
  nl_slug text NOT NULL,
  -- Values of blocks by `<uid>.<key>`, and of what search engines read by `seo.<key>`.
  nl_overlay jsonb NOT NULL DEFAULT '{}',
  -- Of each overlay value, the hash of what it translates.
  nl_sources jsonb NOT NULL DEFAULT '{}',
  nl_revision integer NOT NULL DEFAULT 1,
  -- The hash of all that a preview of this locale shows.
  nl_hash text COLLATE "C" NOT NULL,
  nl_missing integer NOT NULL DEFAULT 0,
  nl_stale integer NOT NULL DEFAULT 0,
  nl_status text NOT NULL DEFAULT 'draft' CHECK (nl_status IN ('draft', 'published', 'changed', 'unpublished')),
  -- The segment of live paths, once the node or something below it was published.
  nl_live_slug text,
  nl_first_published timestamptz(3),
  nl_updated timestamptz(3) NOT NULL,
  nl_updated_by uuid,
  PRIMARY KEY (tenant_id, nl_node, nl_locale),
  FOREIGN KEY (tenant_id, nl_site, nl_node) REFERENCES node (tenant_id, node_site, node_id) ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX node_locale_slug_taken ON node_locale (tenant_id, nl_site, nl_parent, nl_locale, nl_slug) NULLS NOT DISTINCT WHERE nl_active;
CREATE INDEX node_locale_by_status ON node_locale (tenant_id, nl_site, nl_locale, nl_status, nl_node) WHERE nl_active;
CREATE INDEX node_locale_missing ON node_locale (tenant_id, nl_site, nl_locale, nl_node) WHERE nl_active AND nl_missing > 0;
CREATE INDEX node_locale_stale ON node_locale (tenant_id, nl_site, nl_locale, nl_node) WHERE nl_active AND nl_stale > 0;
CALL make_tenant_table('node_locale');

-- What drafts refer to: pages of the site, and files.
CREATE TABLE node_reference (
  tenant_id uuid NOT NULL,
  nref_node uuid NOT NULL,
  nref_kind text NOT NULL CHECK (nref_kind IN ('page', 'file')),
  nref_ref uuid NOT NULL,
  PRIMARY KEY (tenant_id, nref_node, nref_kind, nref_ref),
  FOREIGN KEY (tenant_id, nref_node) REFERENCES node ON DELETE CASCADE
);
CREATE INDEX node_reference_of ON node_reference (tenant_id, nref_kind, nref_ref, nref_node);
CALL make_tenant_table('node_reference');

-- Contents of versions, each once: trees, overlays and structures by their hash.
CREATE TABLE page_part (
  tenant_id uuid NOT NULL,
  part_node uuid NOT NULL,
  part_hash text COLLATE "C" NOT NULL,
  part_value jsonb NOT NULL,
  PRIMARY KEY (tenant_id, part_node, part_hash),
  FOREIGN KEY (tenant_id, part_node) REFERENCES node ON DELETE CASCADE
);
CALL make_tenant_table('page_part');

CREATE TABLE page_version (
  tenant_id uuid NOT NULL,
  ver_id uuid NOT NULL,
  ver_node uuid NOT NULL,
  ver_number integer NOT NULL,
  ver_kind text NOT NULL CHECK (ver_kind IN ('saved', 'published', 'restored', 'synced', 'merged', 'imported')),
  ver_locales text[] NOT NULL DEFAULT '{}',
  ver_name text,
  ver_note text,
  ver_pinned boolean NOT NULL DEFAULT false,
  ver_hash text COLLATE "C" NOT NULL,
  -- Hashes of its parts: {structure, tree, overlays: {locale: hash}, hashes: {locale: hash of what the locale shows}}.
  ver_parts jsonb NOT NULL,
  ver_created timestamptz(3) NOT NULL,
  ver_updated timestamptz(3) NOT NULL,
  ver_created_by uuid,
  PRIMARY KEY (tenant_id, ver_id),
  UNIQUE (tenant_id, ver_node, ver_number),
  FOREIGN KEY (tenant_id, ver_node) REFERENCES node ON DELETE CASCADE
);
CREATE INDEX page_version_newest ON page_version (tenant_id, ver_node, ver_created, ver_id);
CALL make_tenant_table('page_version');

-- What is live: a snapshot is the content that was frozen, a publication where it was from one number of the site to another.
-- A path that changes closes the publication and opens another one with the same snapshot.
CREATE TABLE page_snapshot (
  tenant_id uuid NOT NULL,
  snap_id uuid NOT NULL,
  snap_site uuid NOT NULL,
  snap_node uuid NOT NULL,
  snap_locale text COLLATE "C" NOT NULL,
  snap_template uuid,
  snap_hash text COLLATE "C" NOT NULL,
  -- {content, seo, config: the keys it was published with}.
  snap_doc jsonb NOT NULL,
  snap_created timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, snap_id),
  FOREIGN KEY (tenant_id, snap_site) REFERENCES site ON DELETE CASCADE
);
CREATE INDEX page_snapshot_of_node ON page_snapshot (tenant_id, snap_node, snap_locale, snap_id);
CALL make_tenant_table('page_snapshot');

-- What a snapshot refers to; of files the version that was frozen.
CREATE TABLE page_snapshot_ref (
  tenant_id uuid NOT NULL,
  snref_snapshot uuid NOT NULL,
  snref_kind text NOT NULL CHECK (snref_kind IN ('page', 'file')),
  snref_ref uuid NOT NULL,
  snref_hash text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, snref_snapshot, snref_kind, snref_ref),
  FOREIGN KEY (tenant_id, snref_snapshot) REFERENCES page_snapshot ON DELETE CASCADE
);
CREATE INDEX page_snapshot_ref_of ON page_snapshot_ref (tenant_id, snref_kind, snref_ref, snref_hash, snref_snapshot);
CALL make_tenant_table('page_snapshot_ref');

CREATE TABLE page_publication (
  tenant_id uuid NOT NULL,
  np_id uuid NOT NULL,
  np_site uuid NOT NULL,
  np_node uuid NOT NULL,
  np_locale text COLLATE "C" NOT NULL,
  np_kind text NOT NULL CHECK (np_kind IN ('page', 'folder', 'link', 'segment')),
  -- Live parent and lineage: what moved in the draft has not moved here.
  np_parent uuid,
  np_lineage text COLLATE "C" NOT NULL,
  np_order text COLLATE "C" NOT NULL,
  np_slug text NOT NULL,
  -- The path within the locale, and the SHA-256 by which it is found.
  np_path text NOT NULL,
  np_path_hash text COLLATE "C" NOT NULL,
  np_name text NOT NULL,
  np_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(np_name, 64))) STORED,
  np_template uuid,
  np_template_key text COLLATE "C",
  np_link jsonb,
  np_tags text[] NOT NULL DEFAULT '{}',
  np_menu boolean NOT NULL DEFAULT true,
  np_noindex boolean NOT NULL DEFAULT false,
  np_version uuid,
  -- Absent of folders and segments, which show nothing of their own.
  np_snapshot uuid,
  np_hash text COLLATE "C" NOT NULL,
  np_from_seq bigint NOT NULL,
  np_to_seq bigint,
  np_published timestamptz(3) NOT NULL,
  np_published_by uuid,
  np_first_published timestamptz(3) NOT NULL,
  np_closed timestamptz(3),
  PRIMARY KEY (tenant_id, np_id),
  FOREIGN KEY (tenant_id, np_site) REFERENCES site ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, np_snapshot) REFERENCES page_snapshot,
  CHECK (np_to_seq IS NULL OR np_to_seq > np_from_seq),
  CHECK (length(np_path) <= 2000),
  CHECK ((np_kind IN ('page', 'link')) = (np_snapshot IS NOT NULL))
) WITH (fillfactor = 90);
CREATE UNIQUE INDEX page_publication_path_taken ON page_publication (tenant_id, np_site, np_locale, np_path_hash) WHERE np_to_seq IS NULL AND np_kind = 'page';
CREATE UNIQUE INDEX page_publication_live ON page_publication (tenant_id, np_node, np_locale) WHERE np_to_seq IS NULL;
CREATE INDEX page_publication_subtree ON page_publication (tenant_id, np_site, np_locale, np_lineage) WHERE np_to_seq IS NULL;
CREATE INDEX page_publication_children ON page_publication (tenant_id, np_site, np_locale, np_parent, np_order, np_node) WHERE np_to_seq IS NULL;
CREATE INDEX page_publication_newest ON page_publication (tenant_id, np_site, np_locale, np_published, np_snapshot) WHERE np_to_seq IS NULL AND np_kind = 'page';
CREATE INDEX page_publication_named ON page_publication (tenant_id, np_site, np_locale, np_name_key, np_snapshot) WHERE np_to_seq IS NULL AND np_kind = 'page';
CREATE INDEX page_publication_ordered ON page_publication (tenant_id, np_site, np_locale, np_order, np_snapshot) WHERE np_to_seq IS NULL AND np_kind = 'page';
CREATE INDEX page_publication_of_template ON page_publication (tenant_id, np_site, np_locale, np_template_key, np_published, np_snapshot) WHERE np_to_seq IS NULL AND np_kind = 'page';
CREATE INDEX page_publication_listed ON page_publication (tenant_id, np_site, np_node) WHERE np_to_seq IS NULL AND np_kind = 'page' AND NOT np_noindex;
CREATE INDEX page_publication_tags ON page_publication USING gin (tenant_id, np_tags) WHERE np_to_seq IS NULL AND np_kind = 'page';
CREATE INDEX page_publication_from ON page_publication (tenant_id, np_site, np_from_seq);
CREATE INDEX page_publication_closed ON page_publication (tenant_id, np_closed, np_id) WHERE np_closed IS NOT NULL;
CREATE INDEX page_publication_by_snapshot ON page_publication (tenant_id, np_snapshot);
CALL make_tenant_table('page_publication');
CALL make_searchable('page_publication');

CREATE TABLE publish_schedule (
  tenant_id uuid NOT NULL,
  sch_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  sch_site uuid NOT NULL,
  sch_node uuid,
  sch_nodes uuid[],
  sch_action text NOT NULL CHECK (sch_action IN ('publish', 'unpublish')),
  sch_at timestamptz(3) NOT NULL,
  sch_locales text[],
  sch_freeze boolean NOT NULL DEFAULT true,
  -- The frozen versions, by node.
  sch_versions jsonb NOT NULL DEFAULT '{}',
  sch_version uuid,
  -- How a page is taken down: {redirect_to} or {gone}.
  sch_options jsonb NOT NULL DEFAULT '{}',
  sch_status text NOT NULL DEFAULT 'waiting' CHECK (sch_status IN ('waiting', 'done', 'failed', 'cancelled')),
  sch_error text,
  sch_created timestamptz(3) NOT NULL,
  sch_finished timestamptz(3),
  sch_created_by uuid,
  -- The key of its creator that asked for it: it acts with the scopes of that key.
  sch_key uuid,
  PRIMARY KEY (tenant_id, sch_id),
  FOREIGN KEY (tenant_id, sch_site) REFERENCES site ON DELETE CASCADE,
  CHECK ((sch_node IS NULL) <> (sch_nodes IS NULL))
);
CREATE INDEX publish_schedule_due ON publish_schedule (sch_at, tenant_id, sch_id) WHERE sch_status = 'waiting';
CREATE INDEX publish_schedule_newest ON publish_schedule (tenant_id, sch_site, sch_at, sch_id);
CREATE INDEX publish_schedule_by_status ON publish_schedule (tenant_id, sch_site, sch_status, sch_at, sch_id);
CREATE INDEX publish_schedule_finished ON publish_schedule (tenant_id, sch_finished, sch_id) WHERE sch_finished IS NOT NULL;
CALL make_tenant_table('publish_schedule');
-- The nodes of a schedule, one row each: what is waiting for a page.
CREATE TABLE publish_schedule_node (
  tenant_id uuid NOT NULL,
  schn_schedule uuid NOT NULL,
  schn_node uuid NOT NULL,
  PRIMARY KEY (tenant_id, schn_schedule, schn_node),
  FOREIGN KEY (tenant_id, schn_schedule) REFERENCES publish_schedule ON DELETE CASCADE
);
CREATE INDEX publish_schedule_node_of ON publish_schedule_node (tenant_id, schn_node, schn_schedule);
CALL make_tenant_table('publish_schedule_node');

CREATE TABLE preview_link (
  tenant_id uuid NOT NULL,
  prv_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  prv_site uuid NOT NULL,
  prv_node uuid,
  prv_locale text COLLATE "C",
  prv_version integer,
  prv_token_hash text COLLATE "C" NOT NULL,
  prv_expires timestamptz(3) NOT NULL,
  prv_uses integer NOT NULL DEFAULT 0,
  prv_created timestamptz(3) NOT NULL,
  prv_created_by uuid,
  PRIMARY KEY (tenant_id, prv_id),
  UNIQUE (tenant_id, prv_token_hash),
  FOREIGN KEY (tenant_id, prv_site) REFERENCES site ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, prv_site, prv_node) REFERENCES node (tenant_id, node_site, node_id) ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX preview_link_newest ON preview_link (tenant_id, prv_site, prv_created, prv_id);
CREATE INDEX preview_link_expired ON preview_link (tenant_id, prv_expires, prv_id);
CALL make_tenant_table('preview_link');

CREATE TABLE site_redirect (
  tenant_id uuid NOT NULL,
  red_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  red_site uuid NOT NULL,
  red_from text NOT NULL,
  -- The SHA-256 by which it is found; a prefix is found by its `/*`.
  red_from_hash text COLLATE "C" NOT NULL,
  red_locale text COLLATE "C",
  red_to text,
  red_node uuid,
  red_status integer NOT NULL DEFAULT 301 CHECK (red_status IN (301, 302, 307, 308, 410)),
  red_kind text NOT NULL CHECK (red_kind IN ('manual', 'auto')),
  red_created timestamptz(3) NOT NULL,
  red_created_by uuid,
  PRIMARY KEY (tenant_id, red_id),
  FOREIGN KEY (tenant_id, red_site) REFERENCES site ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, red_site, red_node) REFERENCES node (tenant_id, node_site, node_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX site_redirect_taken ON site_redirect (tenant_id, red_site, red_from_hash, red_locale) NULLS NOT DISTINCT;
CREATE INDEX site_redirect_newest ON site_redirect (tenant_id, red_site, red_created, red_id);
CREATE INDEX site_redirect_to_node ON site_redirect (tenant_id, red_site, red_node) WHERE red_node IS NOT NULL;
CALL make_tenant_table('site_redirect');

-- The workspace of a public key of a site. Only ids leave; what is delivered is read bound to the workspace.
CREATE FUNCTION site_by_key(p_key text) RETURNS TABLE (tenant_id uuid, site_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.tenant_id, s.site_id FROM site s JOIN workspace w USING (tenant_id) WHERE s.site_key = p_key AND s.site_active AND w.ws_status = 'active'
$$;
GRANT SELECT ON site TO atrium_definer;
CALL make_definer('site_by_key(text)');

-- Schedules whose time has come, in workspaces at work.
CREATE FUNCTION publish_schedules_due(most integer) RETURNS TABLE (tenant_id uuid, sch_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  -- Those that are queued are left out, and workspaces come in turn: however many schedules one has, those of others begin in time.
  SELECT d.tenant_id, d.sch_id FROM (
    SELECT s.tenant_id, s.sch_id, s.sch_at, row_number() OVER (PARTITION BY s.tenant_id ORDER BY s.sch_at, s.sch_id) AS place
    FROM publish_schedule s JOIN workspace w USING (tenant_id)
    WHERE s.sch_status = 'waiting' AND s.sch_at <= now() AND w.ws_status = 'active'
      AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = s.tenant_id AND o.ev_kind = 'job' AND o.ev_name = 'website.publish' AND o.ev_key = s.sch_id::text AND o.ev_done IS NULL)) d
  ORDER BY d.place, d.sch_at, d.sch_id LIMIT most
$$;
GRANT SELECT ON publish_schedule TO atrium_definer;
CALL make_definer('publish_schedules_due(integer)');

-- What live pages of a site in a locale show that have all of these tags.
CREATE FUNCTION search_live_pages(p_site text, p_locale text, p_tags text[]) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT np_snapshot FROM page_publication
  WHERE tenant_id = current_tenant() AND np_site = p_site::uuid AND np_locale = p_locale AND np_tags @> p_tags AND np_to_seq IS NULL AND np_kind = 'page'
$$;
CALL make_definer('search_live_pages(text, text, text[])', 'atrium_search');
