-- Websites that a base is filled from, and the pages that are known of them.
CREATE TABLE knowledge_crawl (
  tenant_id uuid NOT NULL,
  crw_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  crw_base uuid NOT NULL,
  crw_url text NOT NULL,
  crw_name text NOT NULL,
  crw_settings jsonb NOT NULL DEFAULT '{}',
  crw_cron text,
  crw_timezone text NOT NULL DEFAULT 'UTC',
  crw_active boolean NOT NULL DEFAULT true,
  crw_last_job uuid,
  crw_page_count integer NOT NULL DEFAULT 0,
  crw_created timestamptz(3) NOT NULL DEFAULT now(),
  crw_updated timestamptz(3) NOT NULL DEFAULT now(),
  crw_created_by uuid,
  -- When its cron is due; null without one, and while it is inactive.
  crw_next timestamptz(3),
  -- A pass visits every page once; it may take several jobs where one was cancelled.
  crw_pass integer NOT NULL DEFAULT 0,
  crw_pass_open boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, crw_id),
  FOREIGN KEY (tenant_id, crw_base) REFERENCES knowledge_base ON DELETE CASCADE
);
CREATE INDEX knowledge_crawl_newest ON knowledge_crawl (tenant_id, crw_base, crw_created, crw_id);
CREATE INDEX knowledge_crawl_due ON knowledge_crawl (crw_next) WHERE crw_next IS NOT NULL;
CALL make_tenant_table('knowledge_crawl');

ALTER TABLE knowledge_job ADD FOREIGN KEY (tenant_id, job_crawl) REFERENCES knowledge_crawl ON DELETE CASCADE;

CREATE TABLE crawl_page (
  tenant_id uuid NOT NULL,
  page_id uuid NOT NULL,
  crw_id uuid NOT NULL,
  url text NOT NULL,
  canonical text,
  depth integer NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'fetched', 'unchanged', 'skipped', 'failed', 'gone')),
  reason text,
  http_status integer,
  etag text,
  last_modified text,
  content_hash text,
  rec_id uuid,
  fetched_at timestamptz(3),
  page_created timestamptz(3) NOT NULL DEFAULT now(),
  -- The pass it belongs to, how often it was tried in it, and when it may be tried again.
  page_pass integer NOT NULL,
  page_tries integer NOT NULL DEFAULT 0,
  page_after timestamptz(3) NOT NULL DEFAULT '-infinity',
  -- Passes in a row in which it was not there.
  page_misses integer NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, page_id),
  FOREIGN KEY (tenant_id, crw_id) REFERENCES knowledge_crawl ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX crawl_page_url ON crawl_page (tenant_id, crw_id, url);
CREATE INDEX crawl_page_listed ON crawl_page (tenant_id, crw_id, page_created, page_id);
CREATE INDEX crawl_page_frontier ON crawl_page (tenant_id, crw_id, depth, page_id) WHERE state = 'queued';
CREATE INDEX crawl_page_canonical ON crawl_page (tenant_id, crw_id, canonical) WHERE canonical IS NOT NULL;
CREATE INDEX crawl_page_missing ON crawl_page (tenant_id, crw_id, page_id) WHERE page_misses > 0;
CALL make_tenant_table('crawl_page');

-- Crawls whose time has come, of active bases in workspaces at work. Only ids leave; the work itself runs bound to each workspace.
CREATE FUNCTION crawls_due(most integer) RETURNS TABLE (tenant_id uuid, crw_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.tenant_id, c.crw_id FROM knowledge_crawl c JOIN workspace w USING (tenant_id) JOIN knowledge_base b ON b.tenant_id = c.tenant_id AND b.ds_id = c.crw_base
  WHERE c.crw_next <= now() AND b.ds_active AND w.ws_status = 'active' ORDER BY c.crw_next LIMIT most
$$;
GRANT SELECT ON knowledge_crawl, knowledge_base TO atrium_definer;
CALL make_definer('crawls_due(integer)');
