-- What the workspace shows of itself everywhere: name, colours, fonts, logos, voice.
ALTER TABLE workspace ADD COLUMN ws_brand jsonb NOT NULL DEFAULT '{}';

-- OpenID providers of others that a workspace lets its people come in through.
CREATE TABLE issuer (
  tenant_id uuid NOT NULL REFERENCES workspace,
  iss_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  iss_name text NOT NULL,
  iss_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(iss_name, 64))) STORED,
  iss_issuer text NOT NULL,
  iss_jwks_url text,
  iss_audiences text[] NOT NULL CHECK (cardinality(iss_audiences) > 0),
  iss_algorithms text[] NOT NULL DEFAULT '{RS256}' CHECK (iss_algorithms <@ '{RS256,RS384,RS512,PS256,PS384,PS512,ES256,ES384,EdDSA}' AND cardinality(iss_algorithms) > 0),
  iss_claims jsonb NOT NULL,
  iss_role_map jsonb NOT NULL DEFAULT '[]',
  iss_provision text NOT NULL DEFAULT 'link' CHECK (iss_provision IN ('none', 'link', 'create')),
  iss_domains text[] NOT NULL DEFAULT '{}',
  iss_default_role uuid,
  iss_active boolean NOT NULL DEFAULT true,
  -- What whoever set the trust last was granted: nobody comes in through it who may more than that.
  iss_trusted text[] NOT NULL,
  iss_checked_at timestamptz(3),
  iss_error text,
  iss_created timestamptz(3) NOT NULL DEFAULT now(),
  iss_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, iss_id),
  CONSTRAINT issuer_once UNIQUE (tenant_id, iss_issuer),
  FOREIGN KEY (tenant_id, iss_default_role) REFERENCES role (tenant_id, role_id) ON DELETE SET NULL (iss_default_role)
);
CREATE INDEX issuer_created ON issuer (tenant_id, iss_created, iss_id);
CREATE INDEX issuer_name_order ON issuer (tenant_id, iss_name_key, iss_id);
CALL make_tenant_table('issuer');
CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF iss_issuer, iss_jwks_url, iss_audiences, iss_algorithms, iss_claims, iss_role_map, iss_provision, iss_domains, iss_default_role, iss_active ON issuer
  FOR EACH ROW EXECUTE FUNCTION raise_authz_version();

-- The public keys of an issuer as they were fetched last, and when somebody last asked for them.
CREATE TABLE issuer_keys (
  tenant_id uuid NOT NULL,
  ik_issuer uuid NOT NULL,
  ik_jwks jsonb NOT NULL,
  ik_fetched_at timestamptz(3) NOT NULL,
  ik_asked_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, ik_issuer),
  FOREIGN KEY (tenant_id, ik_issuer) REFERENCES issuer ON DELETE CASCADE
);
CALL make_tenant_table('issuer_keys');

-- Who is meant by a subject of an issuer. It holds in this workspace alone: what one workspace trusts says nothing elsewhere.
CREATE TABLE account_link (
  tenant_id uuid NOT NULL,
  link_issuer uuid NOT NULL,
  link_subject text NOT NULL,
  link_account uuid NOT NULL,
  link_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, link_issuer, link_subject),
  FOREIGN KEY (tenant_id, link_issuer) REFERENCES issuer ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, link_account) REFERENCES workspace_user ON DELETE CASCADE
);
CREATE INDEX account_link_account ON account_link (tenant_id, link_account);
CALL make_tenant_table('account_link');

-- The workspace whose issuer vouched for a session; it opens no other. Null where the person proved who they are to us.
ALTER TABLE account_session ADD COLUMN ses_tenant uuid;

-- Binds a session to the workspace at hand, whose issuer vouched for it.
CREATE FUNCTION auth_bind_session(p_session uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ UPDATE account_session SET ses_tenant = current_tenant() WHERE ses_id = p_session AND current_tenant() IS NOT NULL $$;

-- Ends the sessions that an issuer of the workspace at hand vouched for; how many. A trigger refuses their tokens at once.
CREATE FUNCTION auth_end_vouched_sessions(p_issuer uuid) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  ended integer;
BEGIN
  UPDATE account_session SET ses_ended_at = now() WHERE ses_issuer = p_issuer AND ses_tenant = current_tenant() AND ses_ended_at IS NULL;
  GET DIAGNOSTICS ended = ROW_COUNT;
  RETURN ended;
END
$$;

-- Active issuers of workspaces at work, a page at a time, for the schedule that keeps their keys.
CREATE FUNCTION issuers_due(p_after uuid, p_limit integer) RETURNS TABLE (tenant_id uuid, iss_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT i.tenant_id, i.iss_id FROM issuer i JOIN workspace w USING (tenant_id)
  WHERE i.iss_active AND w.ws_status = 'active' AND (p_after IS NULL OR i.iss_id > p_after) ORDER BY i.iss_id LIMIT p_limit
$$;
CREATE INDEX issuer_active ON issuer (iss_id) WHERE iss_active;
GRANT SELECT ON issuer TO atrium_definer;

CALL make_definer('auth_bind_session(uuid)');
CALL make_definer('auth_end_vouched_sessions(uuid)');
CALL make_definer('issuers_due(uuid, integer)');
