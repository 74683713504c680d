-- Sites that are kept in step with a content management system: the connection, its pages, and the runs over them.
CREATE TABLE cms_connection (
  tenant_id uuid NOT NULL REFERENCES workspace,
  cms_site uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  cms_provider text NOT NULL CHECK (cms_provider IN ('storyblok', 'contentful')),
  cms_settings jsonb NOT NULL,
  -- Sealed; never shown.
  cms_secrets text NOT NULL,
  cms_status text NOT NULL DEFAULT 'ok' CHECK (cms_status IN ('ok', 'failing', 'revoked')),
  cms_verified_at timestamptz(3) NOT NULL,
  cms_last_error text,
  cms_space jsonb NOT NULL,
  -- Languages of the space.
  cms_locales jsonb NOT NULL,
  cms_capabilities jsonb NOT NULL,
  cms_scan boolean NOT NULL DEFAULT false,
  cms_auto_pull text NOT NULL DEFAULT 'off' CHECK (cms_auto_pull IN ('off', 'unedited', 'all')),
  cms_notify text NOT NULL DEFAULT 'off' CHECK (cms_notify IN ('off', 'changes')),
  -- Part of the address that the CMS calls; null without a webhook.
  cms_hook_key text COLLATE "C" UNIQUE,
  cms_hook_external text,
  cms_hook_signed boolean NOT NULL DEFAULT false,
  cms_hook_actions text[] NOT NULL DEFAULT '{}',
  cms_hook_created timestamptz(3),
  cms_hook_verified boolean NOT NULL DEFAULT false,
  cms_hook_event timestamptz(3),
  -- Pages by verdict, as of the last comparison of all.
  cms_verdicts jsonb NOT NULL DEFAULT '{}',
  cms_compared timestamptz(3),
  cms_last_scan timestamptz(3),
  -- When the nightly comparison is due; null unless something is compared at night.
  cms_next_scan timestamptz(3),
  cms_created timestamptz(3) NOT NULL,
  cms_updated timestamptz(3) NOT NULL,
  cms_created_by uuid,
  PRIMARY KEY (tenant_id, cms_site),
  FOREIGN KEY (tenant_id, cms_site) REFERENCES site ON DELETE CASCADE
);
CREATE INDEX cms_connection_due ON cms_connection (cms_next_scan, tenant_id, cms_site) WHERE cms_next_scan IS NOT NULL;
CALL make_tenant_table('cms_connection');

-- Components of the CMS as the schemas of the site's library, with all that is needed to send them back.
CREATE TABLE cms_component (
  tenant_id uuid NOT NULL,
  cmp_site uuid NOT NULL,
  cmp_key text COLLATE "C" NOT NULL,
  cmp_mapped jsonb NOT NULL,
  PRIMARY KEY (tenant_id, cmp_site, cmp_key),
  FOREIGN KEY (tenant_id, cmp_site) REFERENCES cms_connection ON DELETE CASCADE
);
CALL make_tenant_table('cms_component');

-- A page here and its page at the CMS; either may be missing.
CREATE TABLE cms_link (
  tenant_id uuid NOT NULL,
  lnk_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  lnk_site uuid NOT NULL,
  lnk_node uuid,
  lnk_external_id text COLLATE "C",
  lnk_external_path text,
  lnk_external_version text,
  lnk_name text NOT NULL DEFAULT '',
  lnk_verdict text NOT NULL DEFAULT 'unknown' CHECK (lnk_verdict IN ('in_sync', 'remote_changed', 'local_changed', 'both_same', 'conflict',
    'local_only', 'remote_only', 'local_deleted', 'remote_deleted', 'unsupported', 'error', 'unknown')),
  -- {local, remote, conflicts}: fields that differ.
  lnk_fields jsonb NOT NULL DEFAULT '{}',
  lnk_compared timestamptz(3),
  lnk_pulled timestamptz(3),
  lnk_pushed timestamptz(3),
  -- {code, message, at}.
  lnk_error jsonb,
  -- What both sides had when they were last equal.
  lnk_base jsonb,
  lnk_base_hash text COLLATE "C",
  lnk_local_hash text COLLATE "C",
  -- The revision here that the hash was made of.
  lnk_local_stamp text COLLATE "C",
  lnk_remote_hash text COLLATE "C",
  -- What is being sent: where the CMS has it already, an earlier worker has sent it.
  lnk_intended_hash text COLLATE "C",
  -- Values that point to pages without a link, until those have one.
  lnk_pending jsonb NOT NULL DEFAULT '{}',
  lnk_created timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, lnk_id),
  UNIQUE (tenant_id, lnk_site, lnk_external_id),
  UNIQUE (tenant_id, lnk_node),
  FOREIGN KEY (tenant_id, lnk_site) REFERENCES cms_connection ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, lnk_site, lnk_node) REFERENCES node (tenant_id, node_site, node_id) ON DELETE CASCADE,
  CHECK (lnk_node IS NOT NULL OR lnk_external_id IS NOT NULL)
) WITH (fillfactor = 80);
CREATE INDEX cms_link_newest ON cms_link (tenant_id, lnk_site, lnk_created, lnk_id);
CREATE INDEX cms_link_by_verdict ON cms_link (tenant_id, lnk_site, lnk_verdict, lnk_created, lnk_id);
CREATE INDEX cms_link_pending ON cms_link (tenant_id, lnk_site, lnk_id) WHERE lnk_pending <> '{}';
CALL make_tenant_table('cms_link');

CREATE TABLE cms_run (
  tenant_id uuid NOT NULL,
  job_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  site_id uuid NOT NULL,
  direction text NOT NULL CHECK (direction IN ('pull', 'push', 'scan', 'schemas_pull', 'schemas_push')),
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'partial', 'failed', 'cancelled')),
  trigger text NOT NULL CHECK (trigger IN ('manual', 'automation', 'webhook', 'retry')),
  dry_run boolean NOT NULL DEFAULT false,
  -- Until the pages are known.
  request jsonb NOT NULL DEFAULT '{}',
  total integer,
  done integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  created integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  unchanged integer NOT NULL DEFAULT 0,
  skipped integer NOT NULL DEFAULT 0,
  deleted integer NOT NULL DEFAULT 0,
  published integer NOT NULL DEFAULT 0,
  conflicts integer NOT NULL DEFAULT 0,
  held_deletes integer NOT NULL DEFAULT 0,
  unsettled integer NOT NULL DEFAULT 0,
  error text,
  queued_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  heartbeat_at timestamptz(3),
  -- The worker that counts: how often another one has gone on.
  attempt integer NOT NULL DEFAULT 0,
  -- Which job of the queue has the run: one that was resumed is no longer that of the lost worker.
  fence integer NOT NULL DEFAULT 0,
  place jsonb NOT NULL DEFAULT '{}',
  result jsonb,
  retry_of uuid,
  -- The run that tries its failed pages again.
  retry_job uuid,
  -- Who asked for it, and by which key; null: nobody.
  job_created_by uuid,
  job_key uuid,
  PRIMARY KEY (tenant_id, job_id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES site ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX cms_run_open ON cms_run (tenant_id, site_id) WHERE status IN ('queued', 'running');
CREATE INDEX cms_run_newest ON cms_run (tenant_id, site_id, queued_at, job_id);
CREATE INDEX cms_run_in_order ON cms_run (tenant_id, queued_at, job_id);
CREATE INDEX cms_run_unfinished ON cms_run (tenant_id, queued_at, job_id) WHERE status IN ('queued', 'running');
CREATE INDEX cms_run_failing ON cms_run (tenant_id, queued_at, job_id) WHERE status IN ('failed', 'partial');
CREATE INDEX cms_run_mine ON cms_run (tenant_id, job_created_by, queued_at, job_id) WHERE job_created_by IS NOT NULL;
CREATE INDEX cms_run_finished ON cms_run (tenant_id, finished_at, job_id) WHERE finished_at IS NOT NULL;
CALL make_tenant_table('cms_run');

-- Pages that a run has met, and what came of each.
CREATE TABLE cms_run_page (
  tenant_id uuid NOT NULL,
  crp_run uuid NOT NULL,
  crp_seq integer NOT NULL,
  crp_external_id text COLLATE "C",
  crp_node uuid,
  crp_external_path text,
  crp_external_version text,
  crp_parent text COLLATE "C",
  crp_name text NOT NULL DEFAULT '',
  -- Listed, before it is compared; waiting, before it is moved.
  crp_status text NOT NULL CHECK (crp_status IN ('listed', 'waiting', 'done', 'skipped', 'unsettled', 'held', 'failed')),
  crp_action text CHECK (crp_action IN ('create', 'update', 'adopt', 'restore', 'delete', 'none')),
  crp_verdict text,
  crp_published boolean NOT NULL DEFAULT false,
  -- Parents before children; deletions behind all else, reversed.
  crp_rank integer NOT NULL DEFAULT 0,
  -- What the CMS has, until it is applied.
  crp_document jsonb,
  crp_error jsonb,
  crp_finished timestamptz(3),
  PRIMARY KEY (tenant_id, crp_run, crp_seq),
  UNIQUE (tenant_id, crp_run, crp_external_id),
  UNIQUE (tenant_id, crp_run, crp_node),
  FOREIGN KEY (tenant_id, crp_run) REFERENCES cms_run ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE INDEX cms_run_page_next ON cms_run_page (tenant_id, crp_run, crp_status, crp_rank, crp_seq);
CALL make_tenant_table('cms_run_page');

-- Files that were sent to the CMS, each version once.
CREATE TABLE cms_asset (
  tenant_id uuid NOT NULL,
  cas_site uuid NOT NULL,
  cas_file uuid NOT NULL,
  cas_hash text COLLATE "C" NOT NULL,
  cas_external_id text COLLATE "C" NOT NULL,
  cas_url text NOT NULL,
  cas_sent timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, cas_site, cas_file, cas_hash),
  FOREIGN KEY (tenant_id, cas_site) REFERENCES cms_connection ON DELETE CASCADE
);
CALL make_tenant_table('cms_asset');

-- Pages that events of a CMS have named and that are not compared yet.
CREATE TABLE cms_news (
  tenant_id uuid NOT NULL,
  news_site uuid NOT NULL,
  news_page text COLLATE "C" NOT NULL,
  news_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, news_site, news_page),
  FOREIGN KEY (tenant_id, news_site) REFERENCES cms_connection ON DELETE CASCADE
);
CALL make_tenant_table('cms_news');

-- The workspace of an address that a CMS calls. Only ids leave; what it names is compared bound to the workspace.
CREATE FUNCTION cms_by_hook(p_key text) RETURNS TABLE (tenant_id uuid, site_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.tenant_id, c.cms_site FROM cms_connection c JOIN workspace w USING (tenant_id) JOIN site s ON s.tenant_id = c.tenant_id AND s.site_id = c.cms_site
  WHERE c.cms_hook_key = p_key AND s.site_active AND w.ws_status = 'active'
$$;
GRANT SELECT ON cms_connection, cms_run TO atrium_definer;
CALL make_definer('cms_by_hook(text)');

-- Sites whose nightly comparison is due, in workspaces at work.
CREATE FUNCTION cms_sites_due(most integer) RETURNS TABLE (tenant_id uuid, site_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.tenant_id, c.cms_site FROM cms_connection c JOIN workspace w USING (tenant_id) JOIN site s ON s.tenant_id = c.tenant_id AND s.site_id = c.cms_site
  WHERE c.cms_next_scan <= now() AND s.site_active AND w.ws_status = 'active' ORDER BY c.cms_next_scan, c.cms_site LIMIT most
$$;
CALL make_definer('cms_sites_due(integer)');

-- Runs are among the work that may be lost.
CREATE OR REPLACE FUNCTION unfinished_work_in(p_after uuid, p_limit integer) RETURNS TABLE(tenant_id uuid, has_work boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = public, pg_temp
    AS $$
  SELECT w.tenant_id,
    EXISTS (SELECT FROM background_job j WHERE j.tenant_id = w.tenant_id AND j.job_status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour')
    OR EXISTS (SELECT FROM cms_run j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.queued_at < now() - interval '1 hour')
    OR EXISTS (SELECT FROM download_job j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour')
    OR EXISTS (SELECT FROM file_job j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.job_updated < now() - interval '1 hour')
    OR EXISTS (SELECT FROM form_migration m WHERE m.tenant_id = w.tenant_id AND m.mig_status IN ('queued', 'running') AND m.mig_updated < now() - interval '1 hour')
    OR EXISTS (SELECT FROM knowledge_job j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour')
    OR EXISTS (SELECT FROM object_sync_run j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.queued < now() - interval '1 hour')
  FROM (SELECT s.tenant_id FROM workspace s WHERE s.ws_status = 'active' AND (p_after IS NULL OR s.tenant_id > p_after) ORDER BY s.tenant_id LIMIT p_limit) w
  ORDER BY w.tenant_id
$$;
CALL make_definer('unfinished_work_in(uuid, integer)');

CREATE OR REPLACE FUNCTION unfinished_work(p_work text, p_at timestamptz, p_id uuid, p_limit integer) RETURNS TABLE(work text, at timestamptz, job_id uuid, is_lost boolean)
    LANGUAGE sql STABLE
    SET search_path = public, pg_temp
    AS $$
  SELECT u.work, u.at, u.job_id,
    NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = current_tenant() AND o.ev_kind = 'job' AND o.ev_name = ANY (u.queues) AND o.ev_key = u.job_id::text AND o.ev_done IS NULL)
    AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = current_tenant() AND o.ev_id = u.job_id AND o.ev_done IS NULL AND u.queues IS NULL)
  FROM (SELECT * FROM (
    (SELECT 'background_job' AS work, j.job_created AS at, j.job_id, NULL::text[] AS queues FROM background_job j
     WHERE j.tenant_id = current_tenant() AND j.job_status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour' AND p_work <= 'background_job'
       AND (j.job_created, j.job_id) > (CASE p_work WHEN 'background_job' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.job_created, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'cms_run', j.queued_at, j.job_id, ARRAY['website.sync', 'website.sync-resume'] FROM cms_run j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.queued_at < now() - interval '1 hour' AND p_work <= 'cms_run'
       AND (j.queued_at, j.job_id) > (CASE p_work WHEN 'cms_run' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.queued_at, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'download_job', j.job_created, j.job_id, ARRAY['files.zip'] FROM download_job j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour' AND p_work <= 'download_job'
       AND (j.job_created, j.job_id) > (CASE p_work WHEN 'download_job' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.job_created, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'file_job', j.job_created, j.job_id, ARRAY['files.bulk'] FROM file_job j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.job_updated < now() - interval '1 hour' AND p_work <= 'file_job'
       AND (j.job_created, j.job_id) > (CASE p_work WHEN 'file_job' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.job_created, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'form_migration', coalesce(m.mig_created, m.mig_updated), m.mig_form, ARRAY['forms.migrate', 'forms.adopt'] FROM form_migration m
     WHERE m.tenant_id = current_tenant() AND m.mig_status IN ('queued', 'running') AND m.mig_updated < now() - interval '1 hour' AND p_work <= 'form_migration'
       AND (coalesce(m.mig_created, m.mig_updated), m.mig_form) > (CASE p_work WHEN 'form_migration' THEN p_at ELSE '-infinity' END, p_id)
     ORDER BY coalesce(m.mig_created, m.mig_updated), m.mig_form LIMIT p_limit)
    UNION ALL
    (SELECT 'knowledge_job', j.job_created, j.job_id, ARRAY['knowledge.' || j.job_kind] FROM knowledge_job j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour' AND p_work <= 'knowledge_job'
       AND (j.job_created, j.job_id) > (CASE p_work WHEN 'knowledge_job' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.job_created, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'object_sync_run', j.queued, j.job_id, ARRAY['objects.sync'] FROM object_sync_run j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.queued < now() - interval '1 hour' AND p_work <= 'object_sync_run'
       AND (j.queued, j.job_id) > (CASE p_work WHEN 'object_sync_run' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.queued, j.job_id LIMIT p_limit)
  ) a ORDER BY a.work, a.at, a.job_id LIMIT p_limit) u
  ORDER BY u.work, u.at, u.job_id
$$;
