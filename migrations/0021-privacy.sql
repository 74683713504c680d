-- What a person may ask of the data that a workspace keeps of them: a copy, or that it goes.
CREATE TABLE privacy_request (
  tenant_id         uuid NOT NULL REFERENCES workspace,
  dsr_id            uuid NOT NULL,
  row_version       integer NOT NULL DEFAULT 1,
  dsr_kind          text NOT NULL CHECK (dsr_kind IN ('export', 'erasure')),
  dsr_subject_type  text NOT NULL CHECK (dsr_subject_type IN ('user', 'email', 'person')),
  dsr_subject       text NOT NULL,
  -- The member that is meant, where there is one; and by what two requests are found to be about the same.
  dsr_user          uuid,
  dsr_subject_key   text NOT NULL,
  dsr_status        text NOT NULL CHECK (dsr_status IN ('pending_approval', 'scheduled', 'running', 'completed', 'failed', 'cancelled', 'blocked')),
  dsr_include_files boolean NOT NULL DEFAULT true,
  dsr_execute_after timestamptz(3) NOT NULL,
  dsr_requested_by  uuid,
  dsr_approved_by   uuid,
  dsr_done          integer NOT NULL DEFAULT 0,
  dsr_total         integer NOT NULL DEFAULT 0,
  dsr_report        jsonb NOT NULL DEFAULT '{}',
  dsr_archive       text,
  dsr_bytes         bigint,
  dsr_expires_at    timestamptz(3),
  dsr_error         text,
  dsr_created       timestamptz(3) NOT NULL DEFAULT now(),
  dsr_updated       timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, dsr_id),
  FOREIGN KEY (tenant_id, dsr_user) REFERENCES workspace_user
);
CREATE UNIQUE INDEX privacy_request_open ON privacy_request (tenant_id, dsr_kind, dsr_subject_key) WHERE dsr_status IN ('pending_approval', 'scheduled', 'running', 'blocked');
CREATE INDEX privacy_request_created ON privacy_request (tenant_id, dsr_created, dsr_id);
CREATE INDEX privacy_request_updated ON privacy_request (tenant_id, dsr_updated, dsr_id);
CREATE INDEX privacy_request_user ON privacy_request (tenant_id, dsr_user, dsr_created, dsr_id);
CREATE INDEX privacy_request_archive ON privacy_request (dsr_expires_at) WHERE dsr_archive IS NOT NULL;
CALL make_tenant_table('privacy_request', 'SELECT, INSERT, UPDATE');

-- Archives whose time is over, whatever their workspace.
CREATE FUNCTION privacy_archives_due(p_limit integer) RETURNS TABLE (tenant_id uuid, dsr_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT r.tenant_id, r.dsr_id FROM privacy_request r WHERE r.dsr_archive IS NOT NULL AND r.dsr_expires_at < now() ORDER BY r.dsr_expires_at LIMIT p_limit $$;
CALL make_definer('privacy_archives_due(integer)');

-- An e-mail address as a pattern that finds it in any case and as it stands in paths; and a text without it. An address
-- that is part of a longer one is another address; what JSON and paths escape before it is no part of it.
CREATE FUNCTION address_pattern(p_email text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT '((?<![A-Za-z0-9._+-])|(?<=\\[bfnrt])|(?<=\\u[0-9a-f]{4})|(?<=%[0-9A-Fa-f]{2}))' || replace(regexp_replace(p_email, '([^A-Za-z0-9@])', '\\\1', 'g'), '@', '(@|%40)') || '(?![A-Za-z0-9-]|\.[A-Za-z0-9])' $$;
CREATE FUNCTION without_address(p_text text, p_email text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT regexp_replace(p_text, address_pattern(p_email), '[erased]', 'gi') $$;
REVOKE ALL ON FUNCTION address_pattern(text), without_address(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION address_pattern(text), without_address(text, text) TO atrium_app, atrium_definer;

-- Takes a person out of rows of the access log: from where they called, and their address wherever somebody sent it. How many rows were changed.
CREATE FUNCTION access_log_forget(p_user uuid, p_email text, p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  found integer;
  mentioned integer := 0;
BEGIN
  UPDATE access_log l SET log_ip = NULL, log_user_agent = NULL FROM (
    SELECT d.log_timestamp, d.log_id FROM access_log d
    WHERE d.tenant_id = current_tenant() AND d.log_user = p_user AND (d.log_ip IS NOT NULL OR d.log_user_agent IS NOT NULL) LIMIT p_limit) due
  WHERE l.tenant_id = current_tenant() AND l.log_timestamp = due.log_timestamp AND l.log_id = due.log_id;
  GET DIAGNOSTICS found = ROW_COUNT;
  IF p_email IS NOT NULL THEN
    UPDATE access_log l SET log_url = without_address(l.log_url, p_email), log_params = without_address(l.log_params::text, p_email)::jsonb,
                            log_query = without_address(l.log_query::text, p_email)::jsonb, log_body = without_address(l.log_body::text, p_email)::jsonb
    FROM (
      SELECT d.log_timestamp, d.log_id FROM access_log d
      WHERE d.tenant_id = current_tenant() AND d.log_text ~* address_pattern(p_email) AND (d.log_text ILIKE '%' || replace(replace(replace(p_email, '\', '\\'), '%', '\%'), '_', '\_') || '%'
        OR d.log_text ILIKE '%' || replace(replace(replace(replace(p_email, '\', '\\'), '%', '\%'), '_', '\_'), '@', '\%40') || '%') LIMIT p_limit) due
    WHERE l.tenant_id = current_tenant() AND l.log_timestamp = due.log_timestamp AND l.log_id = due.log_id;
    GET DIAGNOSTICS mentioned = ROW_COUNT;
  END IF;
  RETURN found + mentioned;
END
$$;
CALL make_definer('access_log_forget(uuid, text, integer)');

-- Takes an address out of a stretch of the outbox: events and finished jobs lose it, jobs that wait to use it are dropped.
CREATE FUNCTION outbox_forget(p_email text, p_after uuid, p_limit integer) RETURNS TABLE (changed integer, last uuid)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  pattern CONSTANT text := address_pattern(p_email);
  stretch uuid[];
  gone integer;
BEGIN
  SELECT array_agg(s.ev_id), (array_agg(s.ev_id ORDER BY s.ev_id DESC))[1] INTO stretch, last
    FROM (SELECT o.ev_id FROM outbox o WHERE o.tenant_id = current_tenant() AND (p_after IS NULL OR o.ev_id > p_after) ORDER BY o.ev_id LIMIT p_limit) s;
  DELETE FROM outbox o WHERE o.tenant_id = current_tenant() AND o.ev_id = ANY (stretch) AND o.ev_kind = 'job' AND o.ev_done IS NULL AND o.ev_payload::text ~* pattern;
  GET DIAGNOSTICS gone = ROW_COUNT;
  UPDATE outbox o SET ev_payload = without_address(o.ev_payload::text, p_email)::jsonb, ev_actor = without_address(o.ev_actor::text, p_email)::jsonb, ev_error = without_address(o.ev_error, p_email)
    WHERE o.tenant_id = current_tenant() AND o.ev_id = ANY (stretch) AND (o.ev_payload::text ~* pattern OR o.ev_actor::text ~* pattern OR o.ev_error ~* pattern);
  GET DIAGNOSTICS changed = ROW_COUNT;
  changed := changed + gone;
  RETURN NEXT;
END
$$;
CALL make_definer('outbox_forget(text, uuid, integer)');

-- What an erasure took out of sealed events is sealed anew, beside the first seal: the chain stays as it is, and what was
-- changed by anybody else shows as before.
ALTER TABLE audit_seal
  ADD COLUMN seal_redacted           timestamptz(3),
  ADD COLUMN seal_redacted_root      text,
  ADD COLUMN seal_redacted_signature text,
  ADD CHECK ((seal_redacted IS NULL) = (seal_redacted_root IS NULL) AND (seal_redacted IS NULL) = (seal_redacted_signature IS NULL));

-- Takes a person out of events under one seal; false when they are not as the caller has read them. Only what may name a
-- person is changed; without a new root the seal stays as it is.
CREATE FUNCTION audit_redact(p_seal uuid, p_root text, p_events jsonb, p_redacted timestamptz, p_redacted_root text, p_redacted_signature text) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM audit_seal s WHERE s.tenant_id = current_tenant() AND s.seal_id = p_seal AND coalesce(s.seal_redacted_root, s.seal_root) = p_root FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE audit_event e SET aud_actor_name = r.aud_actor_name, aud_target_name = r.aud_target_name, aud_before = nullif(r.aud_before, 'null'), aud_after = nullif(r.aud_after, 'null'), aud_reason = r.aud_reason, aud_ip = r.aud_ip
    FROM jsonb_to_recordset(p_events) AS r (aud_id uuid, aud_actor_name text, aud_target_name text, aud_before jsonb, aud_after jsonb, aud_reason text, aud_ip text)
    WHERE e.tenant_id = current_tenant() AND e.aud_seal = p_seal AND e.aud_id = r.aud_id;
  IF p_redacted_root IS NOT NULL THEN
    UPDATE audit_seal s SET seal_redacted = p_redacted, seal_redacted_root = p_redacted_root, seal_redacted_signature = p_redacted_signature
      WHERE s.tenant_id = current_tenant() AND s.seal_id = p_seal;
  END IF;
  RETURN true;
END
$$;
CALL make_definer('audit_redact(uuid, text, jsonb, timestamptz, text, text)');

-- What is kept of a member beyond the workspace at hand, as far as it is this workspace's to show: how they sign in, without
-- secrets, and their sessions; those that open other workspaces too are left out.
CREATE FUNCTION auth_person(p_account uuid) RETURNS jsonb
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
    'account', jsonb_build_array(jsonb_build_object('acc_id', a.acc_id, 'acc_email', a.acc_email, 'acc_email_verified_at', a.acc_email_verified_at, 'acc_status', a.acc_status, 'acc_created', a.acc_created,
      'acc_password_changed_at', a.acc_password_changed_at, 'acc_totp', a.acc_totp IS NOT NULL)),
    'account_session', (SELECT coalesce(jsonb_agg(to_jsonb(s) - 'ses_idle_minutes' ORDER BY s.ses_created), '[]') FROM account_session s WHERE s.acc_id = a.acc_id AND (s.ses_tenant = u.tenant_id OR NOT e.elsewhere)),
    'account_token', (SELECT coalesce(jsonb_agg(to_jsonb(t) - 'tok_hash' ORDER BY t.tok_created), '[]') FROM account_token t WHERE t.acc_id = a.acc_id AND (t.tok_tenant = u.tenant_id OR NOT e.elsewhere)))
  FROM workspace_user u JOIN account a ON a.acc_id = u.user_id
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM workspace_user o WHERE o.user_id = u.user_id AND o.tenant_id <> u.tenant_id AND o.user_email IS NOT NULL) AS elsewhere) e
  WHERE u.tenant_id = current_tenant() AND u.user_id = p_account
$$;
CALL make_definer('auth_person(uuid)');

-- Ends what a person who was erased here had beyond the workspace: sessions and tokens of this workspace, and the account
-- itself when no other workspace knows the person. Whether the account is erased.
CREATE FUNCTION auth_forget_person(p_account uuid) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM workspace_user u WHERE u.tenant_id = current_tenant() AND u.user_id = p_account AND u.user_status = 'removed' AND u.user_email IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM FROM account a WHERE a.acc_id = p_account FOR UPDATE;
  IF EXISTS (SELECT FROM workspace_user o WHERE o.user_id = p_account AND o.tenant_id <> current_tenant() AND o.user_email IS NOT NULL) THEN
    DELETE FROM account_session s WHERE s.acc_id = p_account AND s.ses_tenant = current_tenant();
    DELETE FROM account_token t WHERE t.acc_id = p_account AND t.tok_tenant = current_tenant();
    RETURN false;
  END IF;
  DELETE FROM account_session s WHERE s.acc_id = p_account;
  DELETE FROM account_token t WHERE t.acc_id = p_account;
  UPDATE account a SET acc_email = NULL, acc_email_verified_at = NULL, acc_password_hash = NULL, acc_password_changed_at = NULL, acc_totp = NULL, acc_totp_step = NULL,
                       acc_totp_pending = NULL, acc_totp_pending_until = NULL, acc_recovery = '{}', acc_status = 'erased'
    WHERE a.acc_id = p_account;
  RETURN true;
END
$$;
GRANT DELETE ON account_session, account_token TO atrium_definer;
CALL make_definer('auth_forget_person(uuid)');
