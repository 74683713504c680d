-- What works across workspaces sees all rows by a policy, not by BYPASSRLS: before PostgreSQL 16 only a superuser makes a role
-- that has it. Who migrates is a member of the definer role and sees by it too. For the planner the policy is no condition:
-- `tenant OR true` is dropped, so the functions keep their plans.
CREATE OR REPLACE PROCEDURE make_tenant_table(target regclass, grants text DEFAULT 'SELECT, INSERT, UPDATE, DELETE')
  LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY tenant ON %s USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)
     WITH CHECK (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', target);
  EXECUTE format('CREATE POLICY definer ON %s TO atrium_definer USING (true) WITH CHECK (true)', target);
  EXECUTE format('GRANT %s ON %s TO atrium_app', grants, target);
  EXECUTE format('GRANT SELECT, DELETE ON %s TO atrium_definer', target);
END
$$;
DO $$
DECLARE
  target regclass;
BEGIN
  FOR target IN SELECT t FROM tenant_tables() t WHERE NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = t AND p.polname = 'definer') LOOP
    EXECUTE format('CREATE POLICY definer ON %s TO atrium_definer USING (true) WITH CHECK (true)', target);
  END LOOP;
END
$$;

-- Rows whose counts and stamps change far more often than anything that an index holds: with room on its page the new row takes
-- the place beside the old one and no index is written. Pages that are full already get the room as they are written again.
ALTER TABLE album SET (fillfactor = 70);
ALTER TABLE media_tag SET (fillfactor = 80);
ALTER TABLE media_tag_group SET (fillfactor = 70);
ALTER TABLE person SET (fillfactor = 80);
ALTER TABLE file_blob SET (fillfactor = 90);
ALTER TABLE distribution_restriction SET (fillfactor = 70);
ALTER TABLE share_link SET (fillfactor = 80);
ALTER TABLE workspace SET (fillfactor = 70);
