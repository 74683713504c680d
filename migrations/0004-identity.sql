-- Workspaces. tenant_id is the workspace's own id, so that the one policy holds here too.
CREATE TABLE workspace (
  tenant_id uuid PRIMARY KEY,
  ws_id uuid NOT NULL GENERATED ALWAYS AS (tenant_id) STORED,
  row_version integer NOT NULL DEFAULT 1,
  ws_name text NOT NULL,
  ws_slug text NOT NULL UNIQUE CHECK (ws_slug ~ '^[a-z][a-z0-9-]{1,38}[a-z0-9]$'),
  ws_status text NOT NULL DEFAULT 'active' CHECK (ws_status IN ('active', 'suspended', 'deleting')),
  ws_description text,
  ws_locale text NOT NULL DEFAULT 'en',
  ws_timezone text NOT NULL DEFAULT 'UTC',
  ws_contact_email text,
  ws_metadata jsonb NOT NULL DEFAULT '{}',
  ws_seat_limit integer,
  ws_options jsonb NOT NULL DEFAULT '{}',
  ws_brand_version integer NOT NULL DEFAULT 1,
  ws_external_id text UNIQUE,
  ws_authz_version bigint NOT NULL DEFAULT 1,
  ws_created timestamptz(3) NOT NULL DEFAULT now(),
  ws_updated timestamptz(3) NOT NULL DEFAULT now()
);
CALL make_tenant_table('workspace', 'SELECT, UPDATE');

-- People and services across workspaces. The runtime role has no grant here; functions below are the only way.
CREATE TABLE account (
  acc_id uuid PRIMARY KEY,
  acc_email text UNIQUE CHECK (acc_email = lower(acc_email)),
  acc_email_verified_at timestamptz(3),
  acc_password_hash text,
  acc_password_changed_at timestamptz(3),
  acc_status text NOT NULL DEFAULT 'active' CHECK (acc_status IN ('active', 'locked', 'erased')),
  acc_version bigint NOT NULL DEFAULT 1,
  acc_created timestamptz(3) NOT NULL DEFAULT now()
);
CREATE TABLE account_session (
  ses_id uuid PRIMARY KEY,
  acc_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
  ses_created timestamptz(3) NOT NULL DEFAULT now(),
  ses_last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  ses_expires_at timestamptz(3) NOT NULL,
  ses_ended_at timestamptz(3),
  ses_ip text,
  ses_user_agent text,
  ses_methods text[] NOT NULL DEFAULT '{pwd}'
);
CREATE INDEX account_session_account ON account_session (acc_id);
CREATE TABLE refresh_token (
  rt_hash text PRIMARY KEY,
  ses_id uuid NOT NULL REFERENCES account_session ON DELETE CASCADE,
  rt_created timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  rt_expires_at timestamptz(3) NOT NULL,
  rt_spent_at timestamptz(6),
  -- When the spending had committed, noted before the successor is handed out; null while it is under way.
  rt_settled_at timestamptz(6)
);
CREATE INDEX refresh_token_session ON refresh_token (ses_id);
CREATE TABLE signing_key (
  sk_id uuid PRIMARY KEY,
  sk_public text NOT NULL,
  sk_private_sealed text NOT NULL,
  sk_state text NOT NULL DEFAULT 'active' CHECK (sk_state IN ('active', 'retired')),
  sk_created timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX signing_key_one_active ON signing_key (sk_state) WHERE sk_state = 'active';

-- Memberships.
CREATE TABLE workspace_user (
  tenant_id uuid NOT NULL REFERENCES workspace,
  user_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  user_kind text NOT NULL DEFAULT 'person' CHECK (user_kind IN ('person', 'service', 'extension')),
  user_email text,
  user_name text NOT NULL,
  user_title text,
  user_avatar_file uuid,
  user_locale text,
  user_timezone text,
  user_status text NOT NULL DEFAULT 'active' CHECK (user_status IN ('invited', 'active', 'suspended', 'removed')),
  user_pref jsonb NOT NULL DEFAULT '{}',
  user_metadata jsonb NOT NULL DEFAULT '{}',
  user_external_id text,
  user_last_seen_at timestamptz(3),
  user_created timestamptz(3) NOT NULL DEFAULT now(),
  user_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, user_id),
  UNIQUE (tenant_id, user_email),
  UNIQUE (tenant_id, user_external_id)
);
CREATE INDEX workspace_user_status ON workspace_user (tenant_id, user_status, user_created, user_id);
CREATE INDEX workspace_user_account ON workspace_user (user_id);
CALL make_tenant_table('workspace_user');

CREATE TABLE role (
  tenant_id uuid NOT NULL REFERENCES workspace,
  role_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  role_key text,
  role_name text NOT NULL,
  role_description text,
  role_permissions text[] NOT NULL,
  role_default boolean NOT NULL DEFAULT false,
  role_created timestamptz(3) NOT NULL DEFAULT now(),
  role_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, role_id),
  UNIQUE (tenant_id, role_key)
);
CREATE UNIQUE INDEX role_name_unique ON role (tenant_id, lower(role_name));
CALL make_tenant_table('role');

CREATE TABLE user_role_link (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, user_id, role_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES workspace_user ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, role_id) REFERENCES role ON DELETE CASCADE
);
CREATE INDEX user_role_link_role ON user_role_link (tenant_id, role_id);
CALL make_tenant_table('user_role_link');

CREATE TABLE api_key (
  tenant_id uuid NOT NULL,
  key_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  key_name text NOT NULL,
  key_public_id text NOT NULL UNIQUE,
  key_hash text NOT NULL,
  key_user uuid NOT NULL,
  key_scopes text[],
  key_expires_at timestamptz(3),
  key_last_used_at timestamptz(3),
  key_revoked_at timestamptz(3),
  key_created timestamptz(3) NOT NULL DEFAULT now(),
  key_created_by uuid,
  key_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, key_id),
  FOREIGN KEY (tenant_id, key_user) REFERENCES workspace_user ON DELETE CASCADE
);
CREATE INDEX api_key_user ON api_key (tenant_id, key_user);
CALL make_tenant_table('api_key');

CREATE TABLE licence (
  tenant_id uuid NOT NULL REFERENCES workspace,
  lic_module text NOT NULL,
  lic_starts_at timestamptz(3) NOT NULL DEFAULT now(),
  lic_expires_at timestamptz(3),
  lic_source text,
  lic_note text,
  lic_created timestamptz(3) NOT NULL DEFAULT now(),
  lic_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, lic_module)
);
CALL make_tenant_table('licence');

-- Every change that may alter what somebody may do raises the workspace's version in the same transaction.
CREATE FUNCTION raise_authz_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace SET ws_authz_version = ws_authz_version + 1 WHERE tenant_id = coalesce(NEW.tenant_id, OLD.tenant_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF user_status, user_kind ON workspace_user FOR EACH ROW EXECUTE FUNCTION raise_authz_version();
CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF role_permissions ON role FOR EACH ROW EXECUTE FUNCTION raise_authz_version();
CREATE TRIGGER authz AFTER INSERT OR DELETE ON user_role_link FOR EACH ROW EXECUTE FUNCTION raise_authz_version();
CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF key_hash, key_user, key_scopes, key_expires_at, key_revoked_at ON api_key FOR EACH ROW EXECUTE FUNCTION raise_authz_version();
CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE ON licence FOR EACH ROW EXECUTE FUNCTION raise_authz_version();
CREATE FUNCTION raise_own_authz_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.ws_authz_version := OLD.ws_authz_version + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER authz BEFORE UPDATE OF ws_status ON workspace FOR EACH ROW EXECUTE FUNCTION raise_own_authz_version();

-- Access on one row by its ACL: null without one, else 0 none, 1 view, 2 edit, 3 owner; the highest entry wins.
CREATE FUNCTION acl_level(acl jsonb, subject uuid, roles uuid[], spaces uuid[]) RETURNS smallint
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  words text[];
BEGIN
  IF acl IS NULL OR acl = '{}'::jsonb THEN RETURN NULL; END IF;
  IF NOT EXISTS (SELECT FROM jsonb_each(CASE jsonb_typeof(acl) WHEN 'object' THEN acl ELSE '{}' END)
                 WHERE key IN ('users', 'roles', 'spaces') AND jsonb_typeof(value) = 'object' AND value <> '{}') THEN
    RETURN NULL;
  END IF;
  words := ARRAY[acl #>> ARRAY['users', subject::text]]
    || ARRAY(SELECT acl #>> ARRAY['roles', r::text] FROM unnest(roles) r)
    || ARRAY(SELECT acl #>> ARRAY['spaces', s::text] FROM unnest(spaces) s);
  RETURN CASE WHEN 'owner' = ANY (words) THEN 3 WHEN 'edit' = ANY (words) THEN 2 WHEN 'view' = ANY (words) THEN 1 ELSE 0 END;
END
$$;

-- The stamp of a caller: it changes whenever the workspace's access rules or the account do.
CREATE FUNCTION auth_enter(tenant uuid, account_id uuid) RETURNS text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN (SELECT w.ws_authz_version || '.' || coalesce(a.acc_version, 0)
          FROM workspace w LEFT JOIN account a ON a.acc_id = account_id WHERE w.tenant_id = tenant);
END
$$;

-- All that decides what a caller may do in one workspace, in one statement.
CREATE FUNCTION auth_facts(tenant uuid, account_id uuid) RETURNS jsonb
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object(
      'stamp', auth_enter(tenant, account_id),
      'ws_status', w.ws_status,
      'user_kind', u.user_kind,
      'user_status', u.user_status,
      'acc_status', a.acc_status,
      'role_ids', coalesce((SELECT jsonb_agg(l.role_id) FROM user_role_link l WHERE l.tenant_id = tenant AND l.user_id = account_id), '[]'),
      'grants', coalesce((SELECT jsonb_agg(DISTINCT g) FROM user_role_link l JOIN role r USING (tenant_id, role_id), unnest(r.role_permissions) g
                          WHERE l.tenant_id = tenant AND l.user_id = account_id), '[]'),
      'licenses', coalesce((SELECT jsonb_agg(jsonb_build_object('module', lic_module, 'from', lic_starts_at, 'until', lic_expires_at)) FROM licence WHERE tenant_id = tenant), '[]'))
    FROM workspace w JOIN workspace_user u USING (tenant_id) LEFT JOIN account a ON a.acc_id = u.user_id
    WHERE w.tenant_id = tenant AND u.user_id = account_id);
END
$$;

-- A key by its public id, whatever its workspace; the caller compares the hash.
CREATE FUNCTION auth_find_key(public_id text) RETURNS SETOF api_key
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT * FROM api_key WHERE key_public_id = public_id $$;

CREATE FUNCTION auth_find_account(email text) RETURNS SETOF account
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT * FROM account WHERE acc_email = email $$;

CREATE FUNCTION auth_find_session(session_id uuid) RETURNS SETOF account_session
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT * FROM account_session WHERE ses_id = session_id $$;

-- The workspaces of one person, for choosing among them.
CREATE FUNCTION auth_memberships(account_id uuid) RETURNS TABLE (ws_id uuid, ws_name text, ws_slug text, ws_status text, user_name text, user_status text, user_roles uuid[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT w.ws_id, w.ws_name, w.ws_slug, w.ws_status, u.user_name, u.user_status,
         ARRAY(SELECT l.role_id FROM user_role_link l WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id)
  FROM workspace_user u JOIN workspace w USING (tenant_id)
  WHERE u.user_id = account_id AND u.user_status <> 'removed' ORDER BY w.ws_name, w.ws_id
$$;

CREATE FUNCTION auth_start_session(session_id uuid, account_id uuid, expires timestamptz, ip text, agent text, token_hash text, token_expires timestamptz) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO account_session (ses_id, acc_id, ses_expires_at, ses_ip, ses_user_agent) VALUES (session_id, account_id, expires, ip, agent);
  INSERT INTO refresh_token (rt_hash, ses_id, rt_expires_at) VALUES (token_hash, session_id, token_expires);
$$;

-- Spends a refresh token and puts its successor in place, under a lock on the session. Outcomes: 'rotated' with the
-- session's facts; 'spent' with how long ago the rotation that spent it had settled, for the caller to tell a race from
-- a theft; 'unknown' for all else.
CREATE FUNCTION auth_rotate_refresh(old_hash text, new_hash text, new_expires timestamptz) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  token refresh_token;
  session account_session;
  holder account;
BEGIN
  SELECT s.* INTO session FROM refresh_token t JOIN account_session s USING (ses_id) WHERE t.rt_hash = old_hash FOR UPDATE OF s;
  IF NOT FOUND THEN RETURN '{"outcome": "unknown"}'; END IF;
  SELECT * INTO token FROM refresh_token WHERE rt_hash = old_hash;
  SELECT * INTO holder FROM account WHERE acc_id = session.acc_id;
  IF session.ses_ended_at IS NOT NULL OR session.ses_expires_at <= now() OR holder.acc_status <> 'active' THEN RETURN '{"outcome": "unknown"}'; END IF;
  IF token.rt_spent_at IS NOT NULL THEN
    -- A rotation that never settled died before its answer; after a minute nobody can be waiting for it.
    RETURN jsonb_build_object('outcome', 'spent', 'ses_id', session.ses_id,
      'settled_ms_ago', 1000 * extract(epoch FROM clock_timestamp() - coalesce(token.rt_settled_at, token.rt_spent_at + interval '1 minute')));
  END IF;
  IF token.rt_expires_at <= now() THEN RETURN '{"outcome": "unknown"}'; END IF;
  UPDATE refresh_token SET rt_spent_at = clock_timestamp() WHERE rt_hash = old_hash;
  INSERT INTO refresh_token (rt_hash, ses_id, rt_expires_at) VALUES (new_hash, session.ses_id, least(new_expires, session.ses_expires_at));
  UPDATE account_session SET ses_last_used_at = now() WHERE ses_id = session.ses_id;
  RETURN jsonb_build_object('outcome', 'rotated', 'acc_id', session.acc_id, 'acc_email', holder.acc_email, 'ses_id', session.ses_id, 'ses_created', session.ses_created, 'ses_methods', session.ses_methods);
END
$$;

-- Notes that a rotation has committed; called in a transaction after it, before the successor is handed out.
CREATE FUNCTION auth_settle_refresh(old_hash text) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ UPDATE refresh_token SET rt_settled_at = clock_timestamp() WHERE rt_hash = old_hash AND rt_settled_at IS NULL $$;

-- Ends a session: its tokens die with it and the account's version rises, so that access tokens of it are refused at once.
CREATE FUNCTION auth_end_session(session_id uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE account_session SET ses_ended_at = now() WHERE ses_id = session_id AND ses_ended_at IS NULL;
  IF FOUND THEN
    UPDATE account SET acc_version = acc_version + 1 WHERE acc_id = (SELECT acc_id FROM account_session WHERE ses_id = session_id);
  END IF;
END
$$;

CREATE FUNCTION auth_end_session_of_token(token_hash text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM auth_end_session(t.ses_id) FROM refresh_token t WHERE t.rt_hash = token_hash;
END
$$;

CREATE FUNCTION auth_signing_keys() RETURNS SETOF signing_key
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT * FROM signing_key ORDER BY sk_created $$;

-- The first process to come makes the active key; the others use it.
CREATE FUNCTION auth_add_signing_key(id uuid, public_key text, private_sealed text) RETURNS SETOF signing_key
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO signing_key (sk_id, sk_public, sk_private_sealed) VALUES (id, public_key, private_sealed) ON CONFLICT DO NOTHING;
  RETURN QUERY SELECT * FROM signing_key WHERE sk_state = 'active';
END
$$;

-- Notes the last use of a key or a member, at most once a minute.
CREATE FUNCTION auth_touch(tenant uuid, account_id uuid, key uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE api_key SET key_last_used_at = now() WHERE tenant_id = tenant AND key_id = key AND (key_last_used_at IS NULL OR key_last_used_at < now() - interval '1 minute');
  UPDATE workspace_user SET user_last_seen_at = now() WHERE tenant_id = tenant AND user_id = account_id AND (user_last_seen_at IS NULL OR user_last_seen_at < now() - interval '5 minutes');
$$;

-- A new workspace with its roles, owner and licences; an e-mail that is known keeps its account and password.
CREATE FUNCTION ws_provision(spec jsonb) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := (spec ->> 'ws_id')::uuid;
  owner_id uuid;
BEGIN
  INSERT INTO workspace (tenant_id, ws_name, ws_slug, ws_external_id) VALUES (tenant, spec ->> 'ws_name', spec ->> 'ws_slug', spec ->> 'ws_external_id');
  INSERT INTO role (tenant_id, role_id, role_key, role_name, role_description, role_permissions, role_default)
    SELECT tenant, r.role_id, r.role_key, r.role_name, r.role_description, r.role_permissions, r.role_default
    FROM jsonb_to_recordset(spec -> 'roles') AS r (role_id uuid, role_key text, role_name text, role_description text, role_permissions text[], role_default boolean);
  INSERT INTO licence (tenant_id, lic_module, lic_source) SELECT tenant, m, 'provisioning' FROM jsonb_array_elements_text(spec -> 'modules') m;
  owner_id := (ws_add_user(tenant, spec -> 'owner') ->> 'user_id')::uuid;
  RETURN jsonb_build_object('ws_id', tenant, 'user_id', owner_id);
END
$$;

-- A member of a workspace: the account is found by e-mail or made.
CREATE FUNCTION ws_add_user(tenant uuid, spec jsonb) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  account_id uuid;
BEGIN
  INSERT INTO account (acc_id, acc_email, acc_password_hash, acc_password_changed_at)
    VALUES ((spec ->> 'user_id')::uuid, spec ->> 'user_email', spec ->> 'password_hash', now())
    ON CONFLICT (acc_email) DO NOTHING;
  SELECT acc_id INTO account_id FROM account WHERE acc_email = spec ->> 'user_email' OR acc_id = (spec ->> 'user_id')::uuid ORDER BY acc_email = spec ->> 'user_email' DESC NULLS LAST LIMIT 1;
  INSERT INTO workspace_user (tenant_id, user_id, user_kind, user_email, user_name) VALUES (tenant, account_id, coalesce(spec ->> 'user_kind', 'person'), spec ->> 'user_email', spec ->> 'user_name');
  INSERT INTO user_role_link (tenant_id, user_id, role_id)
    SELECT tenant, account_id, role_id FROM role WHERE tenant_id = tenant AND role_key IN (SELECT jsonb_array_elements_text(spec -> 'role_keys'));
  RETURN jsonb_build_object('user_id', account_id);
END
$$;

CREATE FUNCTION ws_list() RETURNS TABLE (ws_id uuid, ws_name text, ws_slug text, ws_status text, ws_created timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT ws_id, ws_name, ws_slug, ws_status, ws_created FROM workspace ORDER BY ws_created $$;

GRANT SELECT, INSERT, UPDATE ON account, account_session, refresh_token, signing_key, workspace, workspace_user, role, user_role_link, licence TO atrium_definer;
GRANT SELECT, UPDATE ON api_key TO atrium_definer;

DO $$
DECLARE f text;
BEGIN
  FOREACH f IN ARRAY ARRAY[
    'auth_enter(uuid, uuid)', 'auth_facts(uuid, uuid)', 'auth_find_key(text)', 'auth_find_account(text)', 'auth_find_session(uuid)', 'auth_memberships(uuid)',
    'auth_start_session(uuid, uuid, timestamptz, text, text, text, timestamptz)', 'auth_rotate_refresh(text, text, timestamptz)', 'auth_settle_refresh(text)',
    'auth_end_session(uuid)', 'auth_end_session_of_token(text)', 'auth_signing_keys()', 'auth_add_signing_key(uuid, text, text)',
    'auth_touch(uuid, uuid, uuid)', 'ws_provision(jsonb)', 'ws_add_user(uuid, jsonb)', 'ws_list()'] LOOP
    EXECUTE 'ALTER FUNCTION ' || f || ' OWNER TO atrium_definer';
    EXECUTE 'REVOKE ALL ON FUNCTION ' || f || ' FROM PUBLIC';
    EXECUTE 'GRANT EXECUTE ON FUNCTION ' || f || ' TO atrium_app';
  END LOOP;
END
$$;
