-- The entry gate of a transaction: fails it when what was known of the caller when the request was admitted no longer holds.
CREATE FUNCTION demand_stamp(actual text, expected text) RETURNS void
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF actual IS DISTINCT FROM expected THEN
    RAISE EXCEPTION 'the access rules have changed' USING ERRCODE = 'AT001';
  END IF;
END
$$;
REVOKE ALL ON FUNCTION demand_stamp(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION demand_stamp(text, text) TO atrium_app;

-- No statement of the service runs away, and no transaction stays open behind a process that has stopped.
DO $$
BEGIN
  EXECUTE format('ALTER ROLE atrium_app IN DATABASE %I SET statement_timeout = %L', current_database(), '2min');
  EXECUTE format('ALTER ROLE atrium_app IN DATABASE %I SET idle_in_transaction_session_timeout = %L', current_database(), '1min');
EXCEPTION WHEN insufficient_privilege THEN
  RAISE NOTICE 'the timeouts of atrium_app are left to whoever owns that role';
END
$$;
