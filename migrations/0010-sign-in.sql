-- A second factor, the tokens mailed to people, and what a workspace demands of how one signs in.
ALTER TABLE account
  ADD COLUMN acc_totp text,
  -- The last 30-second step a code was accepted for: each is accepted once.
  ADD COLUMN acc_totp_step bigint,
  ADD COLUMN acc_totp_pending text,
  ADD COLUMN acc_totp_pending_until timestamptz(3),
  ADD COLUMN acc_recovery text[] NOT NULL DEFAULT '{}';

ALTER TABLE account_session
  ADD COLUMN ses_issuer uuid,
  ADD COLUMN ses_idle_minutes integer NOT NULL DEFAULT 1440;
DROP INDEX account_session_account;
CREATE INDEX account_session_account ON account_session (acc_id, ses_created DESC, ses_id DESC);
CREATE INDEX account_session_issuer ON account_session (ses_issuer) WHERE ses_issuer IS NOT NULL;

-- Single-use tokens, as hashes: to set a password anew, to confirm an address, to finish a sign-in with a code.
CREATE TABLE account_token (
  tok_hash text PRIMARY KEY,
  acc_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
  tok_kind text NOT NULL CHECK (tok_kind IN ('reset', 'email', 'mfa')),
  tok_email text,
  tok_tenant uuid,
  tok_failures smallint NOT NULL DEFAULT 0,
  tok_created timestamptz(3) NOT NULL DEFAULT now(),
  tok_expires_at timestamptz(3) NOT NULL
);
CREATE INDEX account_token_account ON account_token (acc_id, tok_kind, tok_created);
CREATE INDEX account_token_expiry ON account_token (tok_expires_at);

-- Answers of refreshes, sealed, for a minute: who lost one may fetch it again.
CREATE TABLE refresh_replay (
  rr_key text PRIMARY KEY,
  ses_id uuid NOT NULL REFERENCES account_session ON DELETE CASCADE,
  rr_sealed text NOT NULL,
  rr_created timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX refresh_replay_created ON refresh_replay (rr_created);
CREATE INDEX refresh_replay_session ON refresh_replay (ses_id);

-- Failures of sign-in, where no Redis counts them.
CREATE TABLE sign_in_throttle (
  thr_key text PRIMARY KEY,
  thr_points integer NOT NULL,
  thr_until timestamptz(3)
);
CREATE INDEX sign_in_throttle_until ON sign_in_throttle (thr_until);

ALTER TABLE workspace ADD COLUMN ws_security jsonb NOT NULL DEFAULT
  '{"require_mfa": false, "password_login": true, "allowed_email_domains": [], "ip_allow": [], "session_idle_minutes": 1440, "session_max_days": 30, "key_max_days": null, "personal_keys": true}';

ALTER TABLE workspace_user ADD COLUMN user_mfa boolean NOT NULL DEFAULT false;

ALTER TABLE api_key
  ADD COLUMN key_prefix text NOT NULL GENERATED ALWAYS AS ('atk_' || key_public_id) STORED,
  ADD COLUMN key_extension uuid,
  ADD COLUMN key_ip_allow text[] NOT NULL DEFAULT '{}',
  ADD COLUMN key_prev_hash text,
  ADD COLUMN key_prev_expires_at timestamptz(3),
  ADD COLUMN key_rate_limit integer CHECK (key_rate_limit > 0),
  ADD COLUMN key_last_used_ip text,
  ADD COLUMN key_revoked_by uuid,
  ADD COLUMN key_revoke_reason text CHECK (key_revoke_reason IN ('user', 'rotation', 'leaked', 'owner_removed', 'extension_removed'));

-- Whatever decides about a caller raises a version in the same transaction.
DROP TRIGGER authz ON workspace;
CREATE TRIGGER authz BEFORE UPDATE OF ws_status, ws_security ON workspace FOR EACH ROW EXECUTE FUNCTION raise_own_authz_version();
DROP TRIGGER authz ON api_key;
CREATE TRIGGER authz AFTER INSERT OR DELETE
  OR UPDATE OF key_hash, key_prev_hash, key_prev_expires_at, key_user, key_scopes, key_ip_allow, key_rate_limit, key_expires_at, key_revoked_at, key_extension ON api_key
  FOR EACH ROW EXECUTE FUNCTION raise_authz_version();

CREATE FUNCTION raise_account_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.acc_version := OLD.acc_version + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER authz BEFORE UPDATE OF acc_password_hash, acc_totp, acc_recovery, acc_status, acc_email ON account FOR EACH ROW EXECUTE FUNCTION raise_account_version();

CREATE FUNCTION raise_version_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE account SET acc_version = acc_version + 1 WHERE acc_id = NEW.acc_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER authz AFTER UPDATE OF ses_ended_at, ses_expires_at, ses_methods ON account_session FOR EACH ROW EXECUTE FUNCTION raise_version_of_session();

-- Memberships show whether their person has a second factor.
CREATE FUNCTION tell_memberships_of_mfa() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace_user SET user_mfa = NEW.acc_totp IS NOT NULL WHERE user_id = NEW.acc_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER mfa AFTER UPDATE OF acc_totp ON account FOR EACH ROW WHEN ((OLD.acc_totp IS NULL) <> (NEW.acc_totp IS NULL)) EXECUTE FUNCTION tell_memberships_of_mfa();

CREATE FUNCTION membership_mfa() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  NEW.user_mfa := EXISTS (SELECT FROM account WHERE acc_id = NEW.user_id AND acc_totp IS NOT NULL);
  RETURN NEW;
END
$$;
CREATE TRIGGER mfa BEFORE INSERT ON workspace_user FOR EACH ROW EXECUTE FUNCTION membership_mfa();

-- All that decides what a caller may do in one workspace, in one statement.
CREATE OR REPLACE FUNCTION auth_facts(tenant uuid, account_id uuid) RETURNS jsonb
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object(
      'stamp', auth_enter(tenant, account_id),
      'ws_status', w.ws_status,
      'security', w.ws_security,
      'user_kind', u.user_kind,
      'user_status', u.user_status,
      'acc_status', a.acc_status,
      'mfa', a.acc_totp IS NOT NULL,
      'role_ids', coalesce((SELECT jsonb_agg(l.role_id) FROM user_role_link l WHERE l.tenant_id = tenant AND l.user_id = account_id), '[]'),
      'grants', coalesce((SELECT jsonb_agg(DISTINCT g) FROM user_role_link l JOIN role r USING (tenant_id, role_id), unnest(r.role_permissions) g
                          WHERE l.tenant_id = tenant AND l.user_id = account_id), '[]'),
      'licenses', coalesce((SELECT jsonb_agg(jsonb_build_object('module', lic_module, 'from', lic_starts_at, 'until', lic_expires_at)) FROM licence WHERE tenant_id = tenant), '[]'))
    FROM workspace w JOIN workspace_user u USING (tenant_id) LEFT JOIN account a ON a.acc_id = u.user_id
    WHERE w.tenant_id = tenant AND u.user_id = account_id);
END
$$;

CREATE FUNCTION auth_account(account_id uuid) RETURNS SETOF account
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT * FROM account WHERE acc_id = account_id $$;

-- What the workspaces of one person demand together.
CREATE FUNCTION auth_account_rules(account_id uuid) RETURNS jsonb
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
    'require_mfa', coalesce(bool_or((w.ws_security ->> 'require_mfa')::boolean), false),
    'email_domains', coalesce(jsonb_agg(w.ws_security -> 'allowed_email_domains') FILTER (WHERE jsonb_array_length(w.ws_security -> 'allowed_email_domains') > 0), '[]'))
  FROM workspace_user u JOIN workspace w USING (tenant_id) WHERE u.user_id = account_id AND u.user_status IN ('active', 'suspended')
$$;

-- Begins a session. It lasts as the workspace says that was named, else as the most lenient of the person's workspaces
-- does; the guard holds each workspace's own limits. Null when the account is closed or its password changed meanwhile.
DROP FUNCTION auth_start_session(uuid, uuid, timestamptz, text, text, text, timestamptz);
CREATE FUNCTION auth_start_session(spec jsonb) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  person account;
  idle integer;
  days integer;
BEGIN
  SELECT * INTO person FROM account WHERE acc_id = (spec ->> 'acc_id')::uuid FOR SHARE;
  IF NOT FOUND OR person.acc_status <> 'active' THEN RETURN NULL; END IF;
  IF spec ? 'password_changed_at' AND person.acc_password_changed_at IS DISTINCT FROM (spec ->> 'password_changed_at')::timestamptz THEN RETURN NULL; END IF;
  SELECT max((w.ws_security ->> 'session_idle_minutes')::integer), max((w.ws_security ->> 'session_max_days')::integer) INTO idle, days
    FROM workspace_user u JOIN workspace w USING (tenant_id)
    WHERE u.user_id = person.acc_id AND u.user_status = 'active' AND (spec ->> 'tenant_id' IS NULL OR w.tenant_id = (spec ->> 'tenant_id')::uuid);
  idle := coalesce(idle, 1440);
  INSERT INTO account_session (ses_id, acc_id, ses_expires_at, ses_ip, ses_user_agent, ses_methods, ses_issuer, ses_idle_minutes)
    VALUES ((spec ->> 'ses_id')::uuid, person.acc_id, now() + coalesce(days, 30) * interval '1 day', spec ->> 'ip', spec ->> 'agent',
            ARRAY(SELECT jsonb_array_elements_text(spec -> 'methods')), (spec ->> 'issuer')::uuid, idle);
  INSERT INTO refresh_token (rt_hash, ses_id, rt_expires_at)
    VALUES (spec ->> 'token_hash', (spec ->> 'ses_id')::uuid, now() + least(idle * interval '1 minute', coalesce(days, 30) * interval '1 day'));
  RETURN jsonb_build_object('acc_id', person.acc_id, 'acc_email', person.acc_email, 'ses_id', spec ->> 'ses_id', 'ses_created', now(), 'ses_methods', spec -> 'methods', 'ses_idle_minutes', idle);
END
$$;

-- The session a live refresh token belongs to, before it is spent.
CREATE FUNCTION auth_refresh_session(token_hash text) RETURNS jsonb
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object('acc_id', s.acc_id, 'acc_email', a.acc_email, 'ses_id', s.ses_id, 'ses_created', s.ses_created, 'ses_methods', s.ses_methods, 'ses_idle_minutes', s.ses_idle_minutes)
  FROM refresh_token t JOIN account_session s USING (ses_id) JOIN account a USING (acc_id) WHERE t.rt_hash = token_hash AND t.rt_spent_at IS NULL
$$;

-- Spends a refresh token and puts its successor in place, under a lock on the session. Outcomes: 'rotated' with the
-- session's facts; 'spent' with how long ago the rotation that spent it had settled, for the caller to tell a race from
-- a theft; 'unknown' for all else. With a replay key the sealed answer is kept, to be fetched again for a minute.
DROP FUNCTION auth_rotate_refresh(text, text, timestamptz);
CREATE FUNCTION auth_rotate_refresh(old_hash text, new_hash text, replay_key text, sealed text) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  token refresh_token;
  session account_session;
  holder account;
  idle interval;
BEGIN
  SELECT s.* INTO session FROM refresh_token t JOIN account_session s USING (ses_id) WHERE t.rt_hash = old_hash FOR UPDATE OF s;
  IF NOT FOUND THEN RETURN '{"outcome": "unknown"}'; END IF;
  SELECT * INTO token FROM refresh_token WHERE rt_hash = old_hash;
  SELECT * INTO holder FROM account WHERE acc_id = session.acc_id;
  IF session.ses_ended_at IS NOT NULL OR session.ses_expires_at <= now() OR holder.acc_status <> 'active' THEN RETURN '{"outcome": "unknown"}'; END IF;
  IF token.rt_spent_at IS NOT NULL THEN
    -- A rotation that never settled died before its answer; after a minute nobody can be waiting for it.
    RETURN jsonb_build_object('outcome', 'spent', 'acc_id', session.acc_id, 'ses_id', session.ses_id,
      'settled_ms_ago', 1000 * extract(epoch FROM clock_timestamp() - coalesce(token.rt_settled_at, token.rt_spent_at + interval '1 minute')));
  END IF;
  IF token.rt_expires_at <= now() THEN RETURN '{"outcome": "unknown"}'; END IF;
  idle := session.ses_idle_minutes * interval '1 minute';
  UPDATE refresh_token SET rt_spent_at = clock_timestamp() WHERE rt_hash = old_hash;
  INSERT INTO refresh_token (rt_hash, ses_id, rt_expires_at) VALUES (new_hash, session.ses_id, least(now() + idle, session.ses_expires_at));
  UPDATE account_session SET ses_last_used_at = now() WHERE ses_id = session.ses_id;
  IF replay_key IS NOT NULL THEN
    DELETE FROM refresh_replay WHERE rr_created < now() - interval '1 minute';
    INSERT INTO refresh_replay (rr_key, ses_id, rr_sealed) VALUES (replay_key, session.ses_id, sealed) ON CONFLICT (rr_key) DO UPDATE SET rr_sealed = excluded.rr_sealed, rr_created = now();
  END IF;
  RETURN jsonb_build_object('outcome', 'rotated', 'acc_id', session.acc_id, 'acc_email', holder.acc_email, 'ses_id', session.ses_id, 'ses_created', session.ses_created,
    'ses_methods', session.ses_methods, 'ses_idle_minutes', session.ses_idle_minutes);
END
$$;

-- The kept answer of a refresh, while its session lives.
CREATE FUNCTION auth_replayed_refresh(replay_key text) RETURNS TABLE (acc_id uuid, rr_sealed text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.acc_id, r.rr_sealed FROM refresh_replay r JOIN account_session s USING (ses_id) JOIN account a USING (acc_id)
  WHERE r.rr_key = replay_key AND r.rr_created > now() - interval '1 minute' AND s.ses_ended_at IS NULL AND s.ses_expires_at > now() AND a.acc_status = 'active'
$$;

-- Ends a session; a trigger raises the account's version, so that its access tokens are refused at once.
CREATE OR REPLACE FUNCTION auth_end_session(session_id uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ UPDATE account_session SET ses_ended_at = now() WHERE ses_id = session_id AND ses_ended_at IS NULL $$;

-- Ends one session of a person; whether there was one.
CREATE FUNCTION auth_end_session_of(account_id uuid, session_id uuid) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE account_session SET ses_ended_at = now() WHERE acc_id = account_id AND ses_id = session_id AND ses_ended_at IS NULL AND ses_expires_at > now();
  RETURN FOUND;
END
$$;

-- Ends all sessions of a person but one; how many.
CREATE FUNCTION auth_end_sessions(account_id uuid, keep uuid) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  ended integer;
BEGIN
  UPDATE account_session SET ses_ended_at = now() WHERE acc_id = account_id AND ses_id IS DISTINCT FROM keep AND ses_ended_at IS NULL AND ses_expires_at > now();
  GET DIAGNOSTICS ended = ROW_COUNT;
  RETURN ended;
END
$$;

-- The live sessions of a person, latest first, after a position.
CREATE FUNCTION auth_sessions(account_id uuid, before timestamptz, before_id uuid, most integer)
  RETURNS TABLE (ses_id uuid, ses_created timestamptz, ses_last_used_at timestamptz, ses_expires_at timestamptz, ses_ip text, ses_user_agent text, ses_methods text[], ses_issuer uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.ses_id, s.ses_created, s.ses_last_used_at, s.ses_expires_at, s.ses_ip, s.ses_user_agent, s.ses_methods, s.ses_issuer FROM account_session s
  WHERE s.acc_id = account_id AND s.ses_ended_at IS NULL AND s.ses_expires_at > now() AND (before IS NULL OR (s.ses_created, s.ses_id) < (before, before_id))
  ORDER BY s.ses_created DESC, s.ses_id DESC LIMIT most
$$;

-- Notes the last use of a key, a session or a member, each at most so often. Use of a session keeps its refresh token alive.
DROP FUNCTION auth_touch(uuid, uuid, uuid);
CREATE FUNCTION auth_touch(tenant uuid, account_id uuid, key uuid, session_id uuid, ip text) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE api_key SET key_last_used_at = now(), key_last_used_ip = ip WHERE tenant_id = tenant AND key_id = key AND (key_last_used_at IS NULL OR key_last_used_at < now() - interval '1 minute');
  WITH used AS (UPDATE account_session SET ses_last_used_at = now() WHERE ses_id = session_id AND ses_last_used_at < now() - interval '30 seconds' RETURNING *)
    UPDATE refresh_token t SET rt_expires_at = least(now() + used.ses_idle_minutes * interval '1 minute', used.ses_expires_at)
    FROM used WHERE t.ses_id = used.ses_id AND t.rt_spent_at IS NULL AND t.rt_expires_at > now();
  UPDATE workspace_user SET user_last_seen_at = now() WHERE tenant_id = tenant AND user_id = account_id AND (user_last_seen_at IS NULL OR user_last_seen_at < now() - interval '5 minutes');
$$;

-- Passwords. The stored one is replaced only if it still is the one that was proven.
CREATE FUNCTION auth_rehash_password(account_id uuid, old_hash text, new_hash text) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ UPDATE account SET acc_password_hash = new_hash WHERE acc_id = account_id AND acc_password_hash = old_hash $$;

CREATE FUNCTION auth_set_password(account_id uuid, old_hash text, new_hash text, keep uuid) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE account SET acc_password_hash = new_hash, acc_password_changed_at = clock_timestamp()
    WHERE acc_id = account_id AND acc_status = 'active' AND acc_password_hash IS NOT DISTINCT FROM old_hash;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM account_token WHERE acc_id = account_id AND tok_kind IN ('reset', 'mfa');
  PERFORM auth_end_sessions(account_id, keep);
  RETURN true;
END
$$;

-- Makes a token; false when a person was sent too many of that kind lately.
CREATE FUNCTION auth_add_token(token_hash text, account_id uuid, kind text, life_seconds integer, email text, tenant uuid) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- Counted in turn, so that none slips through beside another.
  PERFORM FROM account WHERE acc_id = account_id FOR NO KEY UPDATE;
  IF kind <> 'mfa' AND (SELECT count(*) FROM account_token WHERE acc_id = account_id AND tok_kind = kind AND tok_created > now() - interval '1 hour') >= 5 THEN RETURN false; END IF;
  INSERT INTO account_token (tok_hash, acc_id, tok_kind, tok_email, tok_tenant, tok_expires_at)
    VALUES (token_hash, account_id, kind, email, tenant, now() + life_seconds * interval '1 second');
  RETURN true;
END
$$;

-- A token that is still good, with its account.
CREATE FUNCTION auth_find_token(token_hash text, kind text) RETURNS TABLE (acc_id uuid, acc_email text, acc_totp text, acc_totp_step bigint, acc_recovery text[], tok_email text, tok_tenant uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.acc_id, a.acc_email, a.acc_totp, a.acc_totp_step, a.acc_recovery, t.tok_email, t.tok_tenant
  FROM account_token t JOIN account a USING (acc_id) WHERE t.tok_hash = token_hash AND t.tok_kind = kind AND t.tok_expires_at > now() AND a.acc_status = 'active'
$$;

-- Spends a reset token: the new password, no session left. The account, or null when the token is no good.
CREATE FUNCTION auth_reset_password(token_hash text, new_hash text) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  person uuid;
BEGIN
  DELETE FROM account_token WHERE tok_hash = token_hash AND tok_kind = 'reset' AND tok_expires_at > now() RETURNING acc_id INTO person;
  IF person IS NULL THEN RETURN NULL; END IF;
  UPDATE account SET acc_password_hash = new_hash, acc_password_changed_at = clock_timestamp(), acc_email_verified_at = coalesce(acc_email_verified_at, now())
    WHERE acc_id = person AND acc_status = 'active';
  IF NOT FOUND THEN RETURN NULL; END IF;
  DELETE FROM account_token WHERE acc_id = person AND tok_kind IN ('reset', 'mfa');
  PERFORM auth_end_sessions(person, NULL);
  RETURN person;
END
$$;

-- Spends a confirmation: the address changes in the account and all memberships. Violates a unique key when it was taken.
CREATE FUNCTION auth_confirm_email(token_hash text) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  token account_token;
  former text;
BEGIN
  DELETE FROM account_token WHERE tok_hash = token_hash AND tok_kind = 'email' AND tok_expires_at > now() RETURNING * INTO token;
  IF token.acc_id IS NULL THEN RETURN NULL; END IF;
  SELECT acc_email INTO former FROM account WHERE acc_id = token.acc_id AND acc_status = 'active' FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE account SET acc_email = token.tok_email, acc_email_verified_at = now() WHERE acc_id = token.acc_id;
  UPDATE workspace_user SET user_email = token.tok_email, user_updated = now(), row_version = row_version + 1 WHERE user_id = token.acc_id AND user_email IS NOT NULL;
  -- Links sent to the former address are good no more.
  DELETE FROM account_token WHERE acc_id = token.acc_id AND tok_kind IN ('reset', 'email');
  RETURN jsonb_build_object('acc_id', token.acc_id, 'before', former, 'after', token.tok_email);
END
$$;

-- The second factor. A step is accepted once, a recovery code is spent.
CREATE FUNCTION auth_spend_code(account_id uuid, step bigint, recovery text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF step IS NOT NULL THEN
    UPDATE account SET acc_totp_step = step WHERE acc_id = account_id AND acc_totp IS NOT NULL AND (acc_totp_step IS NULL OR acc_totp_step < step);
  ELSE
    UPDATE account SET acc_recovery = array_remove(acc_recovery, recovery) WHERE acc_id = account_id AND acc_totp IS NOT NULL AND recovery = ANY (acc_recovery);
  END IF;
  RETURN FOUND;
END
$$;

-- Ends the step between password and session: true when the code was good. Five wrong codes end the token.
CREATE FUNCTION auth_finish_mfa(token_hash text, step bigint, recovery text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  token account_token;
BEGIN
  SELECT * INTO token FROM account_token WHERE tok_hash = token_hash AND tok_kind = 'mfa' AND tok_expires_at > now() FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  IF auth_spend_code(token.acc_id, step, recovery) THEN
    DELETE FROM account_token WHERE tok_hash = token_hash;
    RETURN true;
  END IF;
  UPDATE account_token SET tok_failures = tok_failures + 1 WHERE tok_hash = token_hash;
  DELETE FROM account_token WHERE tok_hash = token_hash AND tok_failures >= 5;
  RETURN false;
END
$$;

CREATE FUNCTION auth_mfa_begin(account_id uuid, sealed text, life_seconds integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE account SET acc_totp_pending = sealed, acc_totp_pending_until = now() + life_seconds * interval '1 second' WHERE acc_id = account_id AND acc_totp IS NULL;
  RETURN FOUND;
END
$$;

CREATE FUNCTION auth_mfa_enable(account_id uuid, sealed text, recovery text[]) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE account SET acc_totp = acc_totp_pending, acc_totp_pending = NULL, acc_totp_pending_until = NULL, acc_totp_step = NULL, acc_recovery = recovery
    WHERE acc_id = account_id AND acc_totp IS NULL AND acc_totp_pending = sealed AND acc_totp_pending_until > now();
  RETURN FOUND;
END
$$;

CREATE FUNCTION auth_mfa_recovery(account_id uuid, recovery text[]) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE account SET acc_recovery = recovery WHERE acc_id = account_id AND acc_totp IS NOT NULL;
  RETURN FOUND;
END
$$;

-- Takes the second factor away; whether there was one.
CREATE FUNCTION auth_mfa_off(account_id uuid) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE account SET acc_totp = NULL, acc_totp_step = NULL, acc_totp_pending = NULL, acc_totp_pending_until = NULL, acc_recovery = '{}'
    WHERE acc_id = account_id AND acc_totp IS NOT NULL;
  RETURN FOUND;
END
$$;

-- Counters of failures: points so far and the milliseconds until they are forgotten (null: never).
CREATE FUNCTION auth_throttle_add(key text, points integer, life_ms bigint, anew boolean) RETURNS TABLE (points_so_far integer, wait_ms double precision)
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO sign_in_throttle AS t (thr_key, thr_points, thr_until) VALUES (key, points, clock_timestamp() + life_ms * interval '1 millisecond')
    ON CONFLICT (thr_key) DO UPDATE SET
      thr_points = CASE WHEN anew OR t.thr_until <= clock_timestamp() THEN points ELSE t.thr_points + points END,
      thr_until = CASE WHEN anew OR t.thr_until <= clock_timestamp() THEN excluded.thr_until ELSE t.thr_until END
    RETURNING thr_points, greatest(0, 1000 * extract(epoch FROM thr_until - clock_timestamp()))::double precision
$$;

CREATE FUNCTION auth_throttle_get(keys text[]) RETURNS TABLE (thr_key text, points_so_far integer, wait_ms double precision)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT t.thr_key, t.thr_points, greatest(0, 1000 * extract(epoch FROM t.thr_until - clock_timestamp()))::double precision
  FROM sign_in_throttle t WHERE t.thr_key = ANY (keys) AND (t.thr_until IS NULL OR t.thr_until > clock_timestamp())
$$;

CREATE FUNCTION auth_throttle_drop(keys text[]) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  gone integer;
BEGIN
  DELETE FROM sign_in_throttle WHERE thr_key = ANY (keys);
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM sign_in_throttle WHERE thr_key IN (SELECT thr_key FROM sign_in_throttle WHERE thr_until <= clock_timestamp() ORDER BY thr_until LIMIT 100 FOR UPDATE SKIP LOCKED);
  RETURN gone;
END
$$;

GRANT SELECT, INSERT, UPDATE, DELETE ON account_token, refresh_replay, sign_in_throttle TO atrium_definer;

CALL make_definer('membership_mfa()');
CALL make_definer('auth_account(uuid)');
CALL make_definer('auth_account_rules(uuid)');
CALL make_definer('auth_start_session(jsonb)');
CALL make_definer('auth_refresh_session(text)');
CALL make_definer('auth_rotate_refresh(text, text, text, text)');
CALL make_definer('auth_replayed_refresh(text)');
CALL make_definer('auth_end_session_of(uuid, uuid)');
CALL make_definer('auth_end_sessions(uuid, uuid)');
CALL make_definer('auth_sessions(uuid, timestamptz, uuid, integer)');
CALL make_definer('auth_touch(uuid, uuid, uuid, uuid, text)');
CALL make_definer('auth_rehash_password(uuid, text, text)');
CALL make_definer('auth_set_password(uuid, text, text, uuid)');
CALL make_definer('auth_add_token(text, uuid, text, integer, text, uuid)');
CALL make_definer('auth_find_token(text, text)');
CALL make_definer('auth_reset_password(text, text)');
CALL make_definer('auth_confirm_email(text)');
CALL make_definer('auth_spend_code(uuid, bigint, text)');
CALL make_definer('auth_finish_mfa(text, bigint, text)');
CALL make_definer('auth_mfa_begin(uuid, text, integer)');
CALL make_definer('auth_mfa_enable(uuid, text, text[])');
CALL make_definer('auth_mfa_recovery(uuid, text[])');
CALL make_definer('auth_mfa_off(uuid)');
CALL make_definer('auth_throttle_add(text, integer, bigint, boolean)');
CALL make_definer('auth_throttle_get(text[])');
CALL make_definer('auth_throttle_drop(text[])');
