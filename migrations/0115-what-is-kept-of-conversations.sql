-- Text without phrases, each as it stands.
CREATE FUNCTION without_phrases(p_text text, p_phrases text[]) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = public, pg_temp AS $$
DECLARE
  phrase text;
BEGIN
  FOREACH phrase IN ARRAY p_phrases LOOP
    p_text := replace(p_text, phrase, '[erased]');
  END LOOP;
  RETURN p_text;
END
$$;
REVOKE ALL ON FUNCTION without_phrases(text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION without_phrases(text, text[]) TO atrium_app;

-- Runs of a person, and runs without a thread by their age.
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS run_of_person ON run (tenant_id, run_user, run_created, run_id) WHERE run_user IS NOT NULL;
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS run_alone_finished ON run (tenant_id, run_finished, run_id) WHERE run_thread IS NULL AND run_finished IS NOT NULL;

-- Who wrote in a thread, for legal holds; and since when a message is deleted, for retention.
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS message_of_person ON message (tenant_id, msg_thread, msg_user) WHERE msg_user IS NOT NULL;
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT m.tenant_id, m.msg_id, NOT m.msg_active AND m.msg_deleted IS NULL AS is_due FROM message m
  WHERE $1::jsonb IS NULL OR (m.tenant_id, m.msg_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY m.tenant_id, m.msg_id LIMIT 2000
), dated AS (
  UPDATE message m SET msg_deleted = m.msg_updated FROM page p
  WHERE p.is_due AND m.tenant_id = p.tenant_id AND m.msg_id = p.msg_id AND NOT m.msg_active AND m.msg_deleted IS NULL
)
SELECT jsonb_build_array(tenant_id, msg_id) AS cursor FROM page ORDER BY tenant_id DESC, msg_id DESC LIMIT 1;
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS message_deleted_before ON message (tenant_id, msg_deleted, msg_id) WHERE NOT msg_active AND msg_deleted IS NOT NULL;
