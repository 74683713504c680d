-- People of a workspace: what the administration shows and sorts by, invitations, and the search among them.
ALTER TABLE workspace_user
  ADD COLUMN user_issuer uuid,
  ADD COLUMN user_extension uuid,
  ADD COLUMN user_invited_by uuid,
  ADD COLUMN user_invited_at timestamptz(3),
  ADD COLUMN user_invite_expires_at timestamptz(3),
  ADD COLUMN user_invite_error text,
  ADD COLUMN user_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(user_name, 64))) STORED,
  ADD COLUMN user_email_key text NOT NULL GENERATED ALWAYS AS (lower(left(coalesce(user_email, ''), 64))) STORED,
  -- Who was never seen sorts as if seen at the beginning of time: a cursor needs a value.
  ADD COLUMN user_last_seen_at_key timestamptz(3) NOT NULL GENERATED ALWAYS AS (coalesce(user_last_seen_at, timestamptz '1970-01-01 00:00:00+00')) STORED,
  ADD COLUMN user_search text NOT NULL GENERATED ALWAYS AS (lower(user_name || ' ' || coalesce(user_email, '') || ' ' || coalesce(user_title, ''))) STORED;
CREATE INDEX workspace_user_created ON workspace_user (tenant_id, user_created, user_id);
CREATE INDEX workspace_user_name ON workspace_user (tenant_id, user_name_key, user_id);
CREATE INDEX workspace_user_email ON workspace_user (tenant_id, user_email_key, user_id);
CREATE INDEX workspace_user_seen ON workspace_user (tenant_id, user_last_seen_at_key, user_id);
CREATE INDEX workspace_user_directory ON workspace_user (tenant_id, user_status, user_name_key, user_id);
CREATE INDEX workspace_user_search ON workspace_user USING gin (tenant_id, user_search gin_trgm_ops);
CALL make_searchable('workspace_user');

-- Every link that was ever sent to a member, as a hash; at most one of them is open. What ended one is kept, so that an
-- old link is told from an unknown one.
CREATE TABLE invitation (
  tenant_id uuid NOT NULL REFERENCES workspace,
  inv_id uuid NOT NULL,
  inv_user uuid NOT NULL,
  inv_hash text NOT NULL,
  inv_created timestamptz(3) NOT NULL DEFAULT now(),
  inv_created_by uuid,
  inv_expires_at timestamptz(3) NOT NULL,
  inv_ended_at timestamptz(3),
  inv_end text CHECK (inv_end IN ('accepted', 'replaced', 'revoked')),
  inv_resent boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, inv_id),
  FOREIGN KEY (tenant_id, inv_user) REFERENCES workspace_user ON DELETE CASCADE
);
CREATE UNIQUE INDEX invitation_open ON invitation (tenant_id, inv_user) WHERE inv_ended_at IS NULL;
CREATE INDEX invitation_hash ON invitation (inv_hash);
CREATE INDEX invitation_user ON invitation (tenant_id, inv_user, inv_created);
CALL make_tenant_table('invitation', 'SELECT, INSERT, UPDATE');

-- Members of the workspace by what their name, e-mail or title hold. The patterns are of LIKE; the longest comes first and
-- finds the rows through the trigrams, the others are asked of what was found.
CREATE FUNCTION users_search(part text, needles text[], without text[]) RETURNS SETOF uuid
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20 SET search_path = public, pg_temp AS $$
DECLARE
  first text := lower(coalesce(needles[1], '%'));
BEGIN
  IF part = 'name' THEN
    RETURN QUERY SELECT u.user_id FROM workspace_user u WHERE u.tenant_id = current_tenant() AND u.user_search LIKE first AND lower(u.user_name) LIKE first;
  ELSIF part = 'email' THEN
    RETURN QUERY SELECT u.user_id FROM workspace_user u WHERE u.tenant_id = current_tenant() AND u.user_search LIKE first AND lower(u.user_email) LIKE first;
  ELSE
    RETURN QUERY SELECT u.user_id FROM workspace_user u
      WHERE u.tenant_id = current_tenant() AND u.user_search LIKE first
        AND u.user_search LIKE ALL (ARRAY(SELECT lower(n) FROM unnest(needles) n)) AND u.user_search NOT LIKE ALL (ARRAY(SELECT lower(w) FROM unnest(without) w));
  END IF;
END
$$;
CALL make_definer('users_search(text, text[], text[])', 'atrium_search');

-- The account of an e-mail address, made when there is none; with no address a new one, of a service.
CREATE FUNCTION people_account(candidate uuid, email text) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  found_id uuid;
BEGIN
  INSERT INTO account (acc_id, acc_email) VALUES (candidate, email) ON CONFLICT (acc_email) DO NOTHING RETURNING acc_id INTO found_id;
  IF found_id IS NULL THEN SELECT acc_id INTO found_id FROM account WHERE acc_email = email; END IF;
  RETURN found_id;
END
$$;
CALL make_definer('people_account(uuid, text)');

-- An invitation by the hash of its link, whatever its workspace.
CREATE FUNCTION people_find_invitation(p_hash text)
  RETURNS TABLE (tenant_id uuid, inv_id uuid, user_id uuid, ws_name text, ws_status text, user_email text, user_name text, needs_password boolean, user_mfa boolean, live boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT i.tenant_id, i.inv_id, i.inv_user, w.ws_name, w.ws_status, u.user_email, u.user_name, a.acc_password_hash IS NULL, a.acc_totp IS NOT NULL,
         i.inv_ended_at IS NULL AND i.inv_expires_at > now() AND u.user_status = 'invited'
  FROM invitation i JOIN workspace w USING (tenant_id) JOIN workspace_user u ON u.tenant_id = i.tenant_id AND u.user_id = i.inv_user JOIN account a ON a.acc_id = i.inv_user
  WHERE i.inv_hash = p_hash
$$;
CALL make_definer('people_find_invitation(text)');

-- A person proved the address by following a link sent to it; a first password is set, never one replaced.
CREATE FUNCTION people_proved(account_id uuid, password_hash text) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE account SET acc_email_verified_at = coalesce(acc_email_verified_at, now()) WHERE acc_id = account_id AND acc_status = 'active';
  UPDATE account SET acc_password_hash = password_hash, acc_password_changed_at = clock_timestamp()
    WHERE acc_id = account_id AND acc_status = 'active' AND acc_password_hash IS NULL AND password_hash IS NOT NULL;
$$;
CALL make_definer('people_proved(uuid, text)');
GRANT SELECT ON invitation TO atrium_definer;
