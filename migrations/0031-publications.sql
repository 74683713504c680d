-- The catalog of distribution rules; those of the baseline apply to everything that leaves the workspace.
CREATE TABLE distribution_restriction (
  tenant_id uuid NOT NULL REFERENCES workspace,
  dr_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  dr_name text NOT NULL,
  dr_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(dr_name, 64))) STORED,
  dr_description text,
  dr_kind text NOT NULL CHECK (dr_kind IN ('territory', 'host', 'ip', 'window', 'agent')),
  dr_effect text NOT NULL CHECK (dr_effect IN ('deny', 'allow_only')),
  dr_values text[] NOT NULL CHECK (cardinality(dr_values) BETWEEN 1 AND 300),
  dr_timezone text,
  dr_baseline boolean NOT NULL DEFAULT false,
  dr_active boolean NOT NULL DEFAULT true,
  dr_created timestamptz(3) NOT NULL DEFAULT now(),
  dr_updated timestamptz(3) NOT NULL DEFAULT now(),
  dr_created_by uuid,
  -- How many publications that are not revoked name it; kept by triggers.
  dr_publication_count bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, dr_id),
  CONSTRAINT restriction_name UNIQUE (tenant_id, dr_name)
);
CREATE INDEX distribution_restriction_created ON distribution_restriction (tenant_id, dr_created, dr_id);
CREATE INDEX distribution_restriction_updated ON distribution_restriction (tenant_id, dr_updated, dr_id);
CREATE INDEX distribution_restriction_name ON distribution_restriction (tenant_id, dr_name_key, dr_id);
CALL make_tenant_table('distribution_restriction');

-- One file's public copy and its permanent address. The row outlives its file, so that the address can answer 410.
CREATE TABLE publication (
  tenant_id uuid NOT NULL REFERENCES workspace,
  pub_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  pub_file uuid NOT NULL,
  pub_state text NOT NULL CHECK (pub_state IN ('draft', 'scheduled', 'published', 'revoked')),
  pub_version integer NOT NULL,
  -- Fixed when the address is minted.
  pub_key text UNIQUE CHECK (pub_key ~ '^[1-9A-HJ-NP-Za-km-z]{16}$'),
  pub_hostname text,
  pub_name text,
  pub_url text,
  -- What the live copy is, and where it lies; null until the first one is ready.
  pub_size bigint,
  pub_content_type text,
  pub_hash text,
  pub_object text,
  pub_copied timestamptz(3),
  pub_start timestamptz(3),
  pub_end timestamptz(3),
  pub_distribution text NOT NULL CHECK (pub_distribution IN ('worldwide', 'restricted')),
  pub_deny text[] NOT NULL DEFAULT '{}' CHECK (cardinality(pub_deny) <= 300),
  pub_restrictions uuid[] NOT NULL DEFAULT '{}' CHECK (cardinality(pub_restrictions) <= 50),
  pub_copy_state text NOT NULL DEFAULT 'none' CHECK (pub_copy_state IN ('none', 'pending', 'copying', 'ready', 'failed')),
  pub_error text,
  -- The version that is being copied, or was to be when the copy failed.
  pub_wanted_version integer,
  pub_wanted_hash text,
  -- The file as it is now, kept by what happens to it.
  pub_file_name text NOT NULL,
  pub_file_version integer NOT NULL,
  pub_repo_type text NOT NULL,
  pub_stale boolean NOT NULL GENERATED ALWAYS AS (pub_state IN ('published', 'scheduled') AND pub_version <> pub_file_version) STORED,
  pub_published_name text,
  pub_draft jsonb,
  pub_created timestamptz(3) NOT NULL DEFAULT now(),
  pub_updated timestamptz(3) NOT NULL DEFAULT now(),
  pub_created_by uuid,
  pub_published timestamptz(3),
  pub_revoked timestamptz(3),
  pub_revoked_reason text CHECK (pub_revoked_reason IN ('user', 'expired', 'trashed', 'status', 'consent', 'rights', 'hold')),
  pub_hit_count bigint NOT NULL DEFAULT 0,
  pub_last_hit timestamptz(3),
  -- The policy as outside edges have to know it: raised by every change; told when the two are equal and nothing is due.
  pub_edge_revision integer NOT NULL DEFAULT 0,
  pub_edge_due timestamptz(3),
  pub_search text NOT NULL GENERATED ALWAYS AS (lower(pub_file_name || E'\n' || coalesce(pub_published_name, '') || E'\n' || coalesce(pub_url, ''))) STORED,
  PRIMARY KEY (tenant_id, pub_id),
  CONSTRAINT publication_of_file UNIQUE (tenant_id, pub_file),
  CHECK ((pub_key IS NULL) = (pub_url IS NULL) AND (pub_key IS NULL) = (pub_name IS NULL)),
  CHECK (pub_key IS NOT NULL OR pub_state = 'draft'),
  CHECK ((pub_state = 'revoked') = (pub_revoked_reason IS NOT NULL))
);
CREATE INDEX publication_state ON publication (tenant_id, pub_state, pub_created DESC, pub_id DESC);
CREATE INDEX publication_created ON publication (tenant_id, pub_created, pub_id);
CREATE INDEX publication_updated ON publication (tenant_id, pub_updated, pub_id);
CREATE INDEX publication_stale ON publication (tenant_id, pub_created, pub_id) WHERE pub_stale;
CREATE INDEX publication_copy ON publication (tenant_id, pub_copy_state, pub_created, pub_id) WHERE pub_copy_state NOT IN ('none', 'ready');
CREATE INDEX publication_ending ON publication (tenant_id, pub_end, pub_id) WHERE pub_end IS NOT NULL;
CREATE INDEX publication_start_due ON publication (pub_start) WHERE pub_state = 'scheduled';
CREATE INDEX publication_end_due ON publication (pub_end) WHERE pub_state IN ('published', 'scheduled') AND pub_end IS NOT NULL;
CREATE INDEX publication_edge_due ON publication (pub_edge_due) WHERE pub_edge_due IS NOT NULL;
CREATE INDEX publication_search ON publication USING gin (tenant_id, pub_search gin_trgm_ops);
CALL make_tenant_table('publication');
CALL make_searchable('publication');

-- Which publications name which restriction: the reverse of pub_restrictions, for those that are not revoked.
CREATE TABLE publication_restriction (
  tenant_id uuid NOT NULL,
  pr_restriction uuid NOT NULL,
  pr_publication uuid NOT NULL,
  PRIMARY KEY (tenant_id, pr_restriction, pr_publication),
  FOREIGN KEY (tenant_id, pr_restriction) REFERENCES distribution_restriction,
  FOREIGN KEY (tenant_id, pr_publication) REFERENCES publication ON DELETE CASCADE
);
CREATE INDEX publication_restriction_of ON publication_restriction (tenant_id, pr_publication);
CALL make_tenant_table('publication_restriction');

CREATE FUNCTION link_restrictions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.pub_restrictions = OLD.pub_restrictions AND (NEW.pub_state = 'revoked') = (OLD.pub_state = 'revoked') THEN
    RETURN NULL;
  END IF;
  DELETE FROM publication_restriction l
    WHERE l.tenant_id = NEW.tenant_id AND l.pr_publication = NEW.pub_id AND (NEW.pub_state = 'revoked' OR l.pr_restriction <> ALL (NEW.pub_restrictions));
  IF NEW.pub_state <> 'revoked' THEN
    INSERT INTO publication_restriction (tenant_id, pr_restriction, pr_publication)
      SELECT NEW.tenant_id, named, NEW.pub_id FROM unnest(NEW.pub_restrictions) named ORDER BY named ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER link_restrictions AFTER INSERT OR UPDATE OF pub_restrictions, pub_state ON publication FOR EACH ROW EXECUTE FUNCTION link_restrictions();

CREATE FUNCTION count_publications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE distribution_restriction r SET dr_publication_count = dr_publication_count + n.more
      FROM (SELECT tenant_id, pr_restriction, count(*) AS more FROM fresh GROUP BY 1, 2) n WHERE r.tenant_id = n.tenant_id AND r.dr_id = n.pr_restriction;
  ELSE
    UPDATE distribution_restriction r SET dr_publication_count = dr_publication_count - n.less
      FROM (SELECT tenant_id, pr_restriction, count(*) AS less FROM stale GROUP BY 1, 2) n WHERE r.tenant_id = n.tenant_id AND r.dr_id = n.pr_restriction;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_inserted AFTER INSERT ON publication_restriction REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_publications();
CREATE TRIGGER count_deleted AFTER DELETE ON publication_restriction REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION count_publications();
GRANT UPDATE ON distribution_restriction TO atrium_definer;

-- Who released what, from which rules to which, and when each edge confirmed it.
CREATE TABLE publication_history (
  tenant_id uuid NOT NULL,
  ph_id uuid NOT NULL,
  ph_publication uuid NOT NULL,
  ph_action text NOT NULL,
  ph_actor uuid,
  ph_created timestamptz(3) NOT NULL DEFAULT now(),
  ph_from jsonb,
  ph_to jsonb,
  -- The policy it made: whoever confirms it or a later one confirms this.
  ph_revision integer,
  ph_edges jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (tenant_id, ph_id),
  FOREIGN KEY (tenant_id, ph_publication) REFERENCES publication ON DELETE CASCADE
);
CREATE INDEX publication_history_of ON publication_history (tenant_id, ph_publication, ph_created, ph_id);
CALL make_tenant_table('publication_history');

-- Hits and refusals by day: the outcome is `hit` or why it was refused; the country is empty where it is not known.
CREATE TABLE publication_stat (
  tenant_id uuid NOT NULL,
  ps_publication uuid NOT NULL,
  ps_day date NOT NULL,
  ps_outcome text NOT NULL,
  ps_country text NOT NULL,
  ps_hits bigint NOT NULL DEFAULT 0,
  ps_bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, ps_publication, ps_day, ps_outcome, ps_country),
  FOREIGN KEY (tenant_id, ps_publication) REFERENCES publication ON DELETE CASCADE
);
CREATE INDEX publication_stat_day ON publication_stat (tenant_id, ps_day);
CALL make_tenant_table('publication_stat');

-- A changed rule on its way to outside edges, publication by publication; goes when all were told.
CREATE TABLE edge_sync (
  tenant_id uuid NOT NULL REFERENCES workspace,
  es_id uuid NOT NULL,
  -- Null: every live publication.
  es_restriction uuid,
  es_after uuid,
  es_touched timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, es_id)
);
CREATE INDEX edge_sync_touched ON edge_sync (es_touched);
CALL make_tenant_table('edge_sync');

-- Publications of the workspace whose file's name, published name or address holds the text.
CREATE FUNCTION publications_matching(needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT pub_id FROM publication WHERE tenant_id = current_tenant() AND pub_search LIKE '%' || replace(replace(replace(lower(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%' $$;
CALL make_definer('publications_matching(text)', 'atrium_search');

-- What the public address of each key is to answer. Public by nature: the key is the only credential there is.
CREATE FUNCTION publications_served(keys text[]) RETURNS TABLE (
    pub_key text, tenant_id uuid, pub_id uuid, ws_status text, ws_licensed boolean, pub_state text, pub_name text, pub_start timestamptz, pub_end timestamptz, pub_published timestamptz,
    pub_size bigint, pub_content_type text, pub_hash text, pub_object text, pub_copied timestamptz, pub_deny text[], pub_restrictions uuid[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.pub_key, p.tenant_id, p.pub_id, w.ws_status,
         EXISTS (SELECT FROM licence l WHERE l.tenant_id = p.tenant_id AND l.lic_module = 'module-publication' AND l.lic_starts_at <= now() AND (l.lic_expires_at IS NULL OR l.lic_expires_at > now())),
         p.pub_state, p.pub_name, p.pub_start, p.pub_end, p.pub_published, p.pub_size, p.pub_content_type, p.pub_hash, p.pub_object, p.pub_copied, p.pub_deny, p.pub_restrictions
  FROM publication p JOIN workspace w ON w.tenant_id = p.tenant_id WHERE p.pub_key = ANY (keys)
$$;
CALL make_definer('publications_served(text[])');

-- What the clock or a lost message has left to do: only ids and workspaces leave.
CREATE FUNCTION publications_due(most integer) RETURNS TABLE (kind text, tenant_id uuid, id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  (SELECT 'end', p.tenant_id, p.pub_id FROM publication p JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND p.pub_state IN ('published', 'scheduled') AND p.pub_end IS NOT NULL AND p.pub_end <= now() ORDER BY p.pub_end LIMIT most)
  UNION ALL
  (SELECT 'start', p.tenant_id, p.pub_id FROM publication p JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND p.pub_state = 'scheduled' AND p.pub_start <= now() AND (p.pub_end IS NULL OR p.pub_end > now()) ORDER BY p.pub_start LIMIT most)
  UNION ALL
  (SELECT 'edge', p.tenant_id, p.pub_id FROM publication p JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND p.pub_edge_due < now() ORDER BY p.pub_edge_due LIMIT most)
  UNION ALL
  (SELECT 'sync', s.tenant_id, s.es_id FROM edge_sync s JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND s.es_touched < now() - interval '10 minutes' ORDER BY s.es_touched LIMIT most)
$$;
CALL make_definer('publications_due(integer)');
