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
