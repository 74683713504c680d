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
