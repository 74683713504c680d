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
CREATE INDEX run_of_person ON run (tenant_id, run_user, run_created, run_id) WHERE run_user IS NOT NULL;
CREATE INDEX run_alone_finished ON run (tenant_id, run_finished, run_id) WHERE run_thread IS NULL AND run_finished IS NOT NULL;

-- Who wrote in a thread, for legal holds; and since when a message is deleted, for retention.
CREATE INDEX message_of_person ON message (tenant_id, msg_thread, msg_user) WHERE msg_user IS NOT NULL;
UPDATE message SET msg_deleted = msg_updated WHERE NOT msg_active AND msg_deleted IS NULL;
CREATE INDEX message_deleted_before ON message (tenant_id, msg_deleted, msg_id) WHERE NOT msg_active AND msg_deleted IS NOT NULL;
