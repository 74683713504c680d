-- Roles. The service logs in as atrium_app, which owns nothing and can not bypass row-level security. atrium_definer
-- owns the functions that work across workspaces, atrium_search those that search one; nobody logs in as either.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'atrium_app') THEN
    CREATE ROLE atrium_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'atrium_search') THEN
    CREATE ROLE atrium_search NOLOGIN NOSUPERUSER NOBYPASSRLS;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'atrium_definer') THEN
    CREATE ROLE atrium_definer NOLOGIN NOSUPERUSER BYPASSRLS;
  END IF;
  EXECUTE format('GRANT atrium_search, atrium_definer TO %I', current_user);
  IF to_regclass('atrium_migration') IS NOT NULL THEN
    GRANT SELECT ON atrium_migration TO atrium_app;
  END IF;
  EXECUTE format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END
$$;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO atrium_app, atrium_search, atrium_definer;
GRANT CREATE ON SCHEMA public TO atrium_search, atrium_definer;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- The workspace of the running transaction; null when none is set, so that nothing is visible.
CREATE FUNCTION current_tenant() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.tenant_id', true), '')::uuid;

-- Makes a table a tenant table: forced row-level security, the one policy, and the grants of the service.
CREATE PROCEDURE make_tenant_table(target regclass, grants text DEFAULT 'SELECT, INSERT, UPDATE, DELETE')
  LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY tenant ON %s USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)
     WITH CHECK (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', target);
  EXECUTE format('GRANT %s ON %s TO atrium_app', grants, target);
END
$$;

-- Lets the search role read a tenant table from its STABLE SECURITY DEFINER functions.
CREATE PROCEDURE make_searchable(target regclass)
  LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE POLICY search ON %s FOR SELECT TO atrium_search USING (true)', target);
  EXECUTE format('GRANT SELECT ON %s TO atrium_search', target);
END
$$;
