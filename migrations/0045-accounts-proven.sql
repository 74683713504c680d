-- Accounts are their mailbox's: a link that somebody else may have seen is no way into one, an address that was never proven
-- by mail owns nothing, and a new password ends whatever somebody else has begun.

-- acc_email_verified_at means from now on: a link that only the mailbox has seen was followed, or the operator of the
-- installation vouches for the account. Passwords that stand beside no proof were all set by operators.
UPDATE account SET acc_email_verified_at = acc_created WHERE acc_email_verified_at IS NULL AND acc_password_hash IS NOT NULL;

-- Since when there is the second factor, so that one enrolled by an intruder can be told from one that was there before.
ALTER TABLE account ADD COLUMN acc_totp_since timestamptz(3);

-- Whether only the mailbox has seen the link. Of earlier ones nobody knows.
ALTER TABLE invitation ADD COLUMN inv_mailed boolean NOT NULL DEFAULT false;

ALTER TABLE account_token DROP CONSTRAINT account_token_tok_kind_check;
ALTER TABLE account_token
  ADD CONSTRAINT account_token_tok_kind_check CHECK (tok_kind IN ('reset', 'email', 'mfa', 'undo')),
  -- The invitation that is accepted when the sign-in is finished with a code.
  ADD COLUMN tok_invitation text;

-- A membership that nobody has joined shows nothing of the account behind it.
CREATE OR REPLACE FUNCTION membership_mfa() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  NEW.user_mfa := NEW.user_status <> 'invited' AND EXISTS (SELECT FROM account WHERE acc_id = NEW.user_id AND acc_totp IS NOT NULL);
  RETURN NEW;
END
$$;
DROP TRIGGER mfa ON workspace_user;
CREATE TRIGGER mfa BEFORE INSERT OR UPDATE OF user_status ON workspace_user FOR EACH ROW EXECUTE FUNCTION membership_mfa();
CREATE OR REPLACE FUNCTION tell_memberships_of_mfa() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE workspace_user SET user_mfa = NEW.acc_totp IS NOT NULL WHERE user_id = NEW.acc_id AND user_status <> 'invited';
  RETURN NULL;
END
$$;
UPDATE workspace_user SET user_mfa = false WHERE user_status = 'invited' AND user_mfa;

-- Revokes keys of a person in every workspace, and says so there: those the person made, or all but those of workspaces
-- whose issuer vouches for the person. Within the functions below alone, as are the next three.
CREATE FUNCTION auth_revoke_keys(p_account uuid, p_own boolean) RETURNS void
  LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  k api_key;
BEGIN
  FOR k IN
    UPDATE api_key a SET key_revoked_at = now(), key_revoke_reason = 'user', key_updated = now(), row_version = a.row_version + 1
    FROM workspace_user u
    WHERE u.user_id = p_account AND u.user_kind = 'person' AND a.tenant_id = u.tenant_id AND a.key_user = u.user_id AND a.key_revoked_at IS NULL
      AND CASE WHEN p_own THEN a.key_created_by = p_account
          ELSE NOT EXISTS (SELECT FROM account_link l WHERE l.tenant_id = u.tenant_id AND l.link_account = p_account) END
    RETURNING a.*
  LOOP
    PERFORM auth_tell(k.tenant_id, 'api_key.revoked', k.key_id, jsonb_build_object('key_user', k.key_user, 'key_revoke_reason', 'user'));
  END LOOP;
END
$$;

-- Ends what was begun for an account and is not finished: links, sign-ins that wait for a code, a factor that waits for its
-- first code, and every session but one. The links that undo a change of address stay: they are the owner's way back.
CREATE FUNCTION auth_end_begun(p_account uuid, p_keep uuid) RETURNS void
  LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM account_token WHERE acc_id = p_account AND tok_kind <> 'undo';
  UPDATE account SET acc_totp_pending = NULL, acc_totp_pending_until = NULL WHERE acc_id = p_account AND acc_totp_pending IS NOT NULL;
  PERFORM auth_end_sessions(p_account, p_keep);
END
$$;

-- Takes from an account that was never proven all that was put into it: password, factor, sessions, links, keys. What an
-- issuer vouched for stays, since it opens that issuer's workspace alone.
CREATE FUNCTION auth_clear_unproven(p_account uuid) RETURNS void
  LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM account WHERE acc_id = p_account AND acc_email_verified_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE account SET acc_password_hash = NULL, acc_password_changed_at = clock_timestamp(), acc_totp = NULL, acc_totp_step = NULL, acc_totp_since = NULL,
                     acc_totp_pending = NULL, acc_totp_pending_until = NULL, acc_recovery = '{}' WHERE acc_id = p_account;
  DELETE FROM account_token WHERE acc_id = p_account;
  UPDATE account_session SET ses_ended_at = now() WHERE acc_id = p_account AND ses_issuer IS NULL AND ses_ended_at IS NULL;
  PERFORM auth_revoke_keys(p_account, false);
END
$$;

-- Takes an address from an account that never proved it, for whoever has just proven it.
CREATE FUNCTION auth_release_address(p_email text, p_for uuid) RETURNS void
  LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  other uuid;
BEGIN
  SELECT acc_id INTO other FROM account WHERE acc_email = p_email AND acc_id <> p_for AND acc_email_verified_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM auth_clear_unproven(other);
  UPDATE account SET acc_email = NULL WHERE acc_id = other;
  UPDATE invitation SET inv_ended_at = now(), inv_end = 'revoked' WHERE inv_ended_at IS NULL AND (tenant_id, inv_user) IN (SELECT tenant_id, user_id FROM workspace_user WHERE user_id = other);
  UPDATE workspace_user SET user_email = NULL, user_status = CASE user_status WHEN 'invited' THEN 'removed' ELSE user_status END, user_updated = now(), row_version = row_version + 1
    WHERE user_id = other;
END
$$;
GRANT UPDATE ON invitation TO atrium_definer;
REVOKE ALL ON FUNCTION auth_revoke_keys(uuid, boolean), auth_end_begun(uuid, uuid), auth_clear_unproven(uuid), auth_release_address(text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth_revoke_keys(uuid, boolean), auth_end_begun(uuid, uuid), auth_clear_unproven(uuid), auth_release_address(text, uuid) TO atrium_definer;

-- Begins a session. It lasts as the workspace says that was named, else as the most lenient of the person's workspaces
-- does; the guard holds each workspace's own limits. A bound one opens the named workspace alone. One that is derived
-- from another is no younger, proves no more and lasts no longer than that. Null when the account is closed, its password
-- changed meanwhile, or the other session has ended.
CREATE OR REPLACE FUNCTION auth_start_session(spec jsonb) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  person account;
  source account_session;
  idle integer;
  days integer;
  methods text[] := ARRAY(SELECT jsonb_array_elements_text(spec -> 'methods'));
  created timestamptz := now();
BEGIN
  SELECT * INTO person FROM account WHERE acc_id = (spec ->> 'acc_id')::uuid FOR SHARE;
  IF NOT FOUND OR person.acc_status <> 'active' THEN RETURN NULL; END IF;
  IF spec ? 'password_changed_at' AND person.acc_password_changed_at IS DISTINCT FROM (spec ->> 'password_changed_at')::timestamptz THEN RETURN NULL; END IF;
  IF spec ->> 'derived_from' IS NOT NULL THEN
    SELECT * INTO source FROM account_session WHERE ses_id = (spec ->> 'derived_from')::uuid AND acc_id = person.acc_id AND ses_ended_at IS NULL AND ses_expires_at > now();
    IF NOT FOUND THEN RETURN NULL; END IF;
    methods := source.ses_methods;
    created := source.ses_created;
  END IF;
  SELECT max((w.ws_security ->> 'session_idle_minutes')::integer), max((w.ws_security ->> 'session_max_days')::integer) INTO idle, days
    FROM workspace_user u JOIN workspace w USING (tenant_id)
    WHERE u.user_id = person.acc_id AND u.user_status = 'active' AND (spec ->> 'tenant_id' IS NULL OR w.tenant_id = (spec ->> 'tenant_id')::uuid);
  idle := coalesce(idle, 1440);
  INSERT INTO account_session (ses_id, acc_id, ses_created, ses_expires_at, ses_ip, ses_user_agent, ses_methods, ses_issuer, ses_idle_minutes, ses_tenant)
    VALUES ((spec ->> 'ses_id')::uuid, person.acc_id, created, least(now() + coalesce(days, 30) * interval '1 day', source.ses_expires_at), spec ->> 'ip', spec ->> 'agent',
            methods, (spec ->> 'issuer')::uuid, idle, CASE WHEN (spec ->> 'bound')::boolean THEN (spec ->> 'tenant_id')::uuid END);
  INSERT INTO refresh_token (rt_hash, ses_id, rt_expires_at)
    VALUES (spec ->> 'token_hash', (spec ->> 'ses_id')::uuid, least(now() + least(idle * interval '1 minute', coalesce(days, 30) * interval '1 day'), source.ses_expires_at));
  RETURN jsonb_build_object('acc_id', person.acc_id, 'acc_email', person.acc_email, 'ses_id', spec ->> 'ses_id', 'ses_created', created, 'ses_methods', methods, 'ses_idle_minutes', idle);
END
$$;

DROP FUNCTION auth_bind_session(uuid);

-- The workspaces of one person, for choosing among them. An account that was never proven is shown none that it has not joined.
CREATE OR REPLACE FUNCTION auth_memberships(account_id uuid) RETURNS TABLE (ws_id uuid, ws_name text, ws_slug text, ws_status text, user_name text, user_status text, user_roles uuid[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT w.ws_id, w.ws_name, w.ws_slug, w.ws_status, u.user_name, u.user_status,
         ARRAY(SELECT l.role_id FROM user_role_link l WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id)
  FROM workspace_user u JOIN workspace w USING (tenant_id)
  WHERE u.user_id = account_id AND u.user_status <> 'removed'
    AND (u.user_status <> 'invited' OR EXISTS (SELECT FROM account a WHERE a.acc_id = account_id AND a.acc_email_verified_at IS NOT NULL))
  ORDER BY w.ws_name, w.ws_id
$$;

-- A further member. With `vouched` the operator says that the account is the person's: what somebody else put into it before is taken out.
CREATE OR REPLACE FUNCTION ws_add_user(tenant uuid, spec jsonb) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  account_id uuid;
BEGIN
  INSERT INTO account (acc_id, acc_email) VALUES ((spec ->> 'user_id')::uuid, spec ->> 'user_email') ON CONFLICT (acc_email) DO NOTHING;
  SELECT acc_id INTO account_id FROM account WHERE acc_email = spec ->> 'user_email' OR acc_id = (spec ->> 'user_id')::uuid ORDER BY acc_email = spec ->> 'user_email' DESC NULLS LAST LIMIT 1;
  IF (spec ->> 'vouched')::boolean THEN
    PERFORM auth_clear_unproven(account_id);
    UPDATE account SET acc_email_verified_at = now(), acc_password_hash = spec ->> 'password_hash', acc_password_changed_at = clock_timestamp()
      WHERE acc_id = account_id AND acc_email_verified_at IS NULL;
  END IF;
  INSERT INTO workspace_user (tenant_id, user_id, user_kind, user_email, user_name) VALUES (tenant, account_id, coalesce(spec ->> 'user_kind', 'person'), spec ->> 'user_email', spec ->> 'user_name');
  INSERT INTO user_role_link (tenant_id, user_id, role_id)
    SELECT tenant, account_id, role_id FROM role WHERE tenant_id = tenant AND role_key IN (SELECT jsonb_array_elements_text(spec -> 'role_keys'));
  RETURN jsonb_build_object('user_id', account_id);
END
$$;

-- An invitation by the hash of its link, whatever its workspace. `acc_used`: somebody may have made the account their own,
-- by a password, a proof, an issuer or another membership.
DROP FUNCTION people_find_invitation(text);
CREATE FUNCTION people_find_invitation(p_hash text)
  RETURNS TABLE (tenant_id uuid, inv_id uuid, inv_mailed boolean, user_id uuid, ws_name text, ws_status text, user_email text, user_name text, acc_password_hash text, acc_proven boolean, acc_used boolean, acc_mfa boolean, live boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT i.tenant_id, i.inv_id, i.inv_mailed, i.inv_user, w.ws_name, w.ws_status, u.user_email, u.user_name, a.acc_password_hash, a.acc_email_verified_at IS NOT NULL,
         a.acc_password_hash IS NOT NULL OR a.acc_email_verified_at IS NOT NULL
           OR EXISTS (SELECT FROM workspace_user o WHERE o.user_id = i.inv_user
                        AND (o.tenant_id <> i.tenant_id AND o.user_status IN ('active', 'suspended') OR EXISTS (SELECT FROM account_link l WHERE l.tenant_id = o.tenant_id AND l.link_account = o.user_id))),
         a.acc_totp IS NOT NULL, i.inv_ended_at IS NULL AND i.inv_expires_at > now() AND u.user_status = 'invited' AND u.user_email IS NOT NULL
  FROM invitation i JOIN workspace w USING (tenant_id) JOIN workspace_user u ON u.tenant_id = i.tenant_id AND u.user_id = i.inv_user JOIN account a ON a.acc_id = i.inv_user
  WHERE i.inv_hash = p_hash
$$;
CALL make_definer('people_find_invitation(text)');

-- A first password by the link of an invitation. A link that only the mailbox has seen proves the address, and takes out what
-- somebody else put in before; by any other the account must be nobody's. False when it became somebody's meanwhile.
DROP FUNCTION people_proved(uuid, text);
CREATE FUNCTION people_claim(p_account uuid, p_password_hash text, p_mailed boolean) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  person account;
BEGIN
  SELECT * INTO person FROM account WHERE acc_id = p_account AND acc_status = 'active' FOR UPDATE;
  IF NOT FOUND OR person.acc_email_verified_at IS NOT NULL OR (NOT p_mailed AND person.acc_password_hash IS NOT NULL) THEN RETURN false; END IF;
  PERFORM auth_clear_unproven(p_account);
  UPDATE account SET acc_password_hash = p_password_hash, acc_password_changed_at = clock_timestamp(), acc_email_verified_at = CASE WHEN p_mailed THEN now() END WHERE acc_id = p_account;
  RETURN true;
END
$$;
CALL make_definer('people_claim(uuid, text, boolean)');

-- The mailbox has answered: somebody who showed who they are followed a link that only it has seen.
CREATE FUNCTION people_proved(p_account uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ UPDATE account SET acc_email_verified_at = now() WHERE acc_id = p_account AND acc_status = 'active' AND acc_email_verified_at IS NULL $$;
CALL make_definer('people_proved(uuid)');

DROP FUNCTION auth_add_token(text, uuid, text, integer, text, uuid);
CREATE FUNCTION auth_add_token(p_token jsonb) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  t account_token := jsonb_populate_record(NULL::account_token, p_token);
BEGIN
  -- Counted in turn, so that none slips through beside another.
  PERFORM FROM account WHERE acc_id = t.acc_id FOR NO KEY UPDATE;
  IF t.tok_kind <> 'mfa' AND (SELECT count(*) FROM account_token o WHERE o.acc_id = t.acc_id AND o.tok_kind = t.tok_kind AND o.tok_created > now() - interval '1 hour') >= 5 THEN RETURN false; END IF;
  INSERT INTO account_token (tok_hash, acc_id, tok_kind, tok_email, tok_tenant, tok_invitation, tok_expires_at)
    VALUES (t.tok_hash, t.acc_id, t.tok_kind, t.tok_email, t.tok_tenant, t.tok_invitation, now() + (p_token ->> 'life_seconds')::integer * interval '1 second');
  RETURN true;
END
$$;
CALL make_definer('auth_add_token(jsonb)');

DROP FUNCTION auth_find_token(text, text);
CREATE FUNCTION auth_find_token(token_hash text, kind text)
  RETURNS TABLE (acc_id uuid, acc_email text, acc_totp text, acc_totp_step bigint, acc_recovery text[], tok_email text, tok_tenant uuid, tok_invitation text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.acc_id, a.acc_email, a.acc_totp, a.acc_totp_step, a.acc_recovery, t.tok_email, t.tok_tenant, t.tok_invitation
  FROM account_token t JOIN account a USING (acc_id) WHERE t.tok_hash = token_hash AND t.tok_kind = kind AND t.tok_expires_at > now() AND a.acc_status = 'active'
$$;
CALL make_definer('auth_find_token(text, text)');

-- A new password by a mailed link: the mailbox is the owner, so all that anybody has begun ends, and the keys the account made.
CREATE OR REPLACE FUNCTION auth_reset_password(token_hash text, new_hash text) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  person uuid;
BEGIN
  DELETE FROM account_token WHERE tok_hash = token_hash AND tok_kind = 'reset' AND tok_expires_at > now() RETURNING acc_id INTO person;
  IF person IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM account WHERE acc_id = person AND acc_status = 'active' FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM auth_clear_unproven(person);
  UPDATE account SET acc_password_hash = new_hash, acc_password_changed_at = clock_timestamp(), acc_email_verified_at = coalesce(acc_email_verified_at, now()) WHERE acc_id = person;
  PERFORM auth_end_begun(person, NULL);
  PERFORM auth_revoke_keys(person, true);
  RETURN person;
END
$$;

-- A new password by somebody who knows the present one.
DROP FUNCTION auth_set_password(uuid, text, text, uuid);
CREATE FUNCTION auth_set_password(account_id uuid, old_hash text, new_hash text, keep uuid, revoke_keys boolean) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE account SET acc_password_hash = new_hash, acc_password_changed_at = clock_timestamp()
    WHERE acc_id = account_id AND acc_status = 'active' AND acc_password_hash IS NOT DISTINCT FROM old_hash;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM auth_end_begun(account_id, keep);
  IF revoke_keys THEN PERFORM auth_revoke_keys(account_id, true); END IF;
  RETURN true;
END
$$;
CALL make_definer('auth_set_password(uuid, text, text, uuid, boolean)');

-- A new password by an operator, who vouches for whoever gets it.
CREATE FUNCTION auth_vouch_password(p_account uuid, p_hash text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM account WHERE acc_id = p_account AND acc_status = 'active' FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM auth_clear_unproven(p_account);
  UPDATE account SET acc_password_hash = p_hash, acc_password_changed_at = clock_timestamp(), acc_email_verified_at = coalesce(acc_email_verified_at, now()) WHERE acc_id = p_account;
  PERFORM auth_end_begun(p_account, NULL);
  PERFORM auth_revoke_keys(p_account, true);
  RETURN true;
END
$$;
CALL make_definer('auth_vouch_password(uuid, text)');

-- Completes a change of address, and leaves a token that undoes it. The address is taken from an account that never proved it.
DROP FUNCTION auth_confirm_email(text);
CREATE FUNCTION auth_confirm_email(token_hash text, undo_hash text, undo_seconds integer) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  token account_token;
  former text;
BEGIN
  DELETE FROM account_token WHERE tok_hash = token_hash AND tok_kind = 'email' AND tok_expires_at > now() RETURNING * INTO token;
  IF token.acc_id IS NULL THEN RETURN NULL; END IF;
  SELECT acc_email INTO former FROM account WHERE acc_id = token.acc_id AND acc_status = 'active' AND acc_email_verified_at IS NOT NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM auth_release_address(token.tok_email, token.acc_id);
  UPDATE account SET acc_email = token.tok_email, acc_email_verified_at = now() WHERE acc_id = token.acc_id;
  UPDATE workspace_user SET user_email = token.tok_email, user_updated = now(), row_version = row_version + 1 WHERE user_id = token.acc_id AND user_email IS NOT NULL;
  -- Links sent to the former address are good no more.
  DELETE FROM account_token WHERE acc_id = token.acc_id AND tok_kind IN ('reset', 'email');
  -- As old as the wish: what was enrolled since then is undone with it.
  INSERT INTO account_token (tok_hash, acc_id, tok_kind, tok_email, tok_tenant, tok_created, tok_expires_at)
    VALUES (undo_hash, token.acc_id, 'undo', former, token.tok_tenant, token.tok_created, now() + undo_seconds * interval '1 second');
  RETURN jsonb_build_object('acc_id', token.acc_id, 'before', former, 'after', token.tok_email, 'tenant_id', token.tok_tenant);
END
$$;
CALL make_definer('auth_confirm_email(text, text, integer)');

-- Undoes a change of address for whoever holds the former mailbox: the address and a new password, and the end of all that
-- was begun or enrolled since. Of several changes the earlier can be undone after the later, not the other way round.
CREATE FUNCTION auth_undo_email(token_hash text, new_hash text) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  token account_token;
  former text;
BEGIN
  DELETE FROM account_token WHERE tok_hash = token_hash AND tok_kind = 'undo' AND tok_expires_at > now() RETURNING * INTO token;
  IF token.acc_id IS NULL THEN RETURN NULL; END IF;
  SELECT acc_email INTO former FROM account WHERE acc_id = token.acc_id AND acc_status = 'active' FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM auth_release_address(token.tok_email, token.acc_id);
  UPDATE account SET acc_email = token.tok_email, acc_email_verified_at = now(), acc_password_hash = new_hash, acc_password_changed_at = clock_timestamp() WHERE acc_id = token.acc_id;
  UPDATE account SET acc_totp = NULL, acc_totp_step = NULL, acc_totp_since = NULL, acc_recovery = '{}' WHERE acc_id = token.acc_id AND acc_totp_since >= token.tok_created;
  UPDATE workspace_user SET user_email = token.tok_email, user_updated = now(), row_version = row_version + 1 WHERE user_id = token.acc_id AND user_email IS NOT NULL;
  DELETE FROM account_token WHERE acc_id = token.acc_id AND tok_kind = 'undo' AND tok_created >= token.tok_created;
  PERFORM auth_end_begun(token.acc_id, NULL);
  PERFORM auth_revoke_keys(token.acc_id, true);
  RETURN jsonb_build_object('acc_id', token.acc_id, 'before', former, 'after', token.tok_email, 'tenant_id', token.tok_tenant);
END
$$;
CALL make_definer('auth_undo_email(text, text)');

CREATE OR REPLACE FUNCTION auth_mfa_enable(account_id uuid, sealed text, recovery text[]) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE account SET acc_totp = acc_totp_pending, acc_totp_since = now(), acc_totp_pending = NULL, acc_totp_pending_until = NULL, acc_totp_step = NULL, acc_recovery = recovery
    WHERE acc_id = account_id AND acc_totp IS NULL AND acc_totp_pending = sealed AND acc_totp_pending_until > now();
  RETURN FOUND;
END
$$;
