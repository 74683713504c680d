-- Functions are for the roles of the service alone, not for everybody who may connect; procedures are for migrations.
DO $$
DECLARE
  routine record;
BEGIN
  FOR routine IN
    SELECT p.oid::regprocedure AS name, p.prokind = 'p' AS is_procedure FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND has_function_privilege('public', p.oid, 'EXECUTE')
      AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_proc'::regclass AND e.objid = p.oid AND e.deptype = 'e')
  LOOP
    EXECUTE format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', routine.name);
    IF NOT routine.is_procedure THEN EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO atrium_app, atrium_search, atrium_definer', routine.name); END IF;
  END LOOP;
END
$$;
