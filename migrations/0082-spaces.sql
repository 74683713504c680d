-- Spaces: shared rooms whose members, people or roles, see the threads that are opened in them.
CREATE TABLE space (
  tenant_id uuid NOT NULL REFERENCES workspace,
  space_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  space_name text NOT NULL,
  space_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(space_name, 64))) STORED,
  space_description text,
  space_icon text,
  space_instructions text,
  space_agent uuid,
  space_knowledge uuid[] NOT NULL DEFAULT '{}',
  space_color text,
  space_user uuid,
  space_active boolean NOT NULL DEFAULT true,
  space_metadata jsonb NOT NULL DEFAULT '{}',
  space_created timestamptz(3) NOT NULL DEFAULT now(),
  space_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, space_id)
);
CREATE UNIQUE INDEX space_name_taken ON space (tenant_id, lower(space_name)) WHERE space_active;
CREATE INDEX space_newest ON space (tenant_id, space_active, space_created, space_id);
CREATE INDEX space_changed ON space (tenant_id, space_active, space_updated, space_id);
CREATE INDEX space_named ON space (tenant_id, space_active, space_name_key, space_id);
CALL make_tenant_table('space');

CREATE TABLE space_member (
  tenant_id uuid NOT NULL,
  sm_space uuid NOT NULL,
  sm_principal_type text NOT NULL CHECK (sm_principal_type IN ('user', 'role')),
  sm_principal uuid NOT NULL,
  sm_role text NOT NULL CHECK (sm_role IN ('owner', 'editor', 'viewer')),
  sm_created timestamptz(3) NOT NULL DEFAULT now(),
  sm_created_by uuid,
  PRIMARY KEY (tenant_id, sm_space, sm_principal_type, sm_principal),
  FOREIGN KEY (tenant_id, sm_space) REFERENCES space
);
CREATE INDEX space_member_of ON space_member (tenant_id, sm_principal_type, sm_principal);
CALL make_tenant_table('space_member');

-- The active spaces of a member, directly and by roles: part of what decides about a caller, which is known before a workspace is bound.
CREATE FUNCTION spaces_of(tenant uuid, account_id uuid) RETURNS jsonb
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    SELECT coalesce(jsonb_agg(s.space_id ORDER BY s.space_id), '[]') FROM space s
    WHERE s.tenant_id = tenant AND s.space_active AND s.space_id IN (
      SELECT m.sm_space FROM space_member m
      WHERE m.tenant_id = tenant AND m.sm_principal_type = 'user' AND m.sm_principal = account_id
      UNION
      SELECT m.sm_space FROM user_role_link l
      JOIN space_member m ON m.tenant_id = l.tenant_id AND m.sm_principal_type = 'role' AND m.sm_principal = l.role_id
      WHERE l.tenant_id = tenant AND l.user_id = account_id)
  $$;
ALTER FUNCTION spaces_of(uuid, uuid) OWNER TO atrium_definer;
REVOKE ALL ON FUNCTION spaces_of(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spaces_of(uuid, uuid) TO atrium_app;

CREATE OR REPLACE FUNCTION auth_facts(tenant uuid, account_id uuid) RETURNS jsonb
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object(
      'stamp', auth_enter(tenant, account_id),
      'ws_status', w.ws_status,
      'ws_status_reason', w.ws_status_reason,
      'security', w.ws_security,
      'user_kind', u.user_kind,
      'user_status', u.user_status,
      'signed_out_at', u.user_signed_out_at,
      'acc_status', a.acc_status,
      'mfa', a.acc_totp IS NOT NULL,
      'role_ids', coalesce((SELECT jsonb_agg(l.role_id) FROM user_role_link l WHERE l.tenant_id = tenant AND l.user_id = account_id), '[]'),
      'space_ids', spaces_of(tenant, account_id),
      'grants', coalesce((SELECT jsonb_agg(DISTINCT g) FROM user_role_link l JOIN role r USING (tenant_id, role_id), unnest(r.role_permissions) g
                          WHERE l.tenant_id = tenant AND l.user_id = account_id), '[]'),
      'licenses', coalesce((SELECT jsonb_agg(jsonb_build_object('module', lic_module, 'from', lic_starts_at, 'until', lic_expires_at)) FROM licence WHERE tenant_id = tenant), '[]'))
    FROM workspace w JOIN workspace_user u USING (tenant_id) LEFT JOIN account a ON a.acc_id = u.user_id
    WHERE w.tenant_id = tenant AND u.user_id = account_id);
END
$$;

-- Who is in a space decides what a caller may read: callers are looked at again when it changes.
CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF sm_space, sm_principal_type, sm_principal ON space_member FOR EACH ROW EXECUTE FUNCTION raise_authz_version();
CREATE TRIGGER authz AFTER UPDATE OF space_active ON space FOR EACH ROW EXECUTE FUNCTION raise_authz_version();

-- The highest token that a stream has seen of each fence, kept for a day: an event below it is refused.
CREATE TABLE stream_fence (
  tenant_id uuid NOT NULL,
  sf_stream text NOT NULL,
  sf_name text NOT NULL,
  sf_token bigint NOT NULL,
  sf_raised timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, sf_stream, sf_name)
);
CALL make_tenant_table('stream_fence');
CREATE INDEX stream_fence_age ON stream_fence (sf_raised);

CREATE FUNCTION stream_fence_trim(p_age_seconds double precision, p_limit integer) RETURNS bigint
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    WITH old AS (
      SELECT tenant_id, sf_stream, sf_name FROM stream_fence
      WHERE sf_raised < clock_timestamp() - make_interval(secs => p_age_seconds)
      ORDER BY sf_raised LIMIT p_limit
    ), gone AS (
      DELETE FROM stream_fence f USING old
      WHERE f.tenant_id = old.tenant_id AND f.sf_stream = old.sf_stream AND f.sf_name = old.sf_name RETURNING 1
    )
    SELECT count(*) FROM gone
  $$;
ALTER FUNCTION stream_fence_trim(double precision, integer) OWNER TO atrium_definer;
REVOKE ALL ON FUNCTION stream_fence_trim(double precision, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION stream_fence_trim(double precision, integer) TO atrium_app;
