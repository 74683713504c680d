-- Roles and keys are listed in several orders; every one has its index.
ALTER TABLE role ADD COLUMN role_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(role_name, 64))) STORED;
CREATE INDEX role_created ON role (tenant_id, role_created, role_id);
CREATE INDEX role_updated ON role (tenant_id, role_updated, role_id);
CREATE INDEX role_name_order ON role (tenant_id, role_name_key, role_id);
-- The role of users who are made without one: one a workspace.
CREATE UNIQUE INDEX role_one_default ON role (tenant_id) WHERE role_default;

-- When the secret was last replaced: of two who do so at once the second is told.
ALTER TABLE api_key ADD COLUMN key_rotated_at timestamptz(3);
ALTER TABLE api_key ADD COLUMN key_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(key_name, 64))) STORED;
CREATE INDEX api_key_created ON api_key (tenant_id, key_created, key_id);
CREATE INDEX api_key_name_order ON api_key (tenant_id, key_name_key, key_id);
CREATE INDEX api_key_prefix ON api_key (tenant_id, key_prefix);

-- Giving a role to hundreds of people raises the workspace's version once, not once a row.
CREATE FUNCTION raise_authz_version_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace w SET ws_authz_version = ws_authz_version + 1 WHERE w.tenant_id IN (SELECT c.tenant_id FROM changed c);
  RETURN NULL;
END
$$;
DROP TRIGGER authz ON user_role_link;
CREATE TRIGGER authz_given AFTER INSERT ON user_role_link REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_authz_version_once();
CREATE TRIGGER authz_taken AFTER DELETE ON user_role_link REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_authz_version_once();

-- A role nobody has and a key nobody has used are known to no gate yet: making one disturbs nobody.
DROP TRIGGER authz ON role;
CREATE TRIGGER authz AFTER DELETE OR UPDATE OF role_permissions ON role FOR EACH ROW EXECUTE FUNCTION raise_authz_version();
DROP TRIGGER authz ON api_key;
CREATE TRIGGER authz AFTER DELETE
  OR UPDATE OF key_hash, key_prev_hash, key_prev_expires_at, key_user, key_scopes, key_ip_allow, key_rate_limit, key_expires_at, key_revoked_at, key_extension ON api_key
  FOR EACH ROW EXECUTE FUNCTION raise_authz_version();

-- Live keys that are known whole, whatever their workspace: who holds the hash of a key's full value holds the key.
CREATE FUNCTION auth_find_leaked(p_public_ids text[], p_hashes text[]) RETURNS TABLE (tenant_id uuid, key_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT k.tenant_id, k.key_id FROM unnest(p_public_ids, p_hashes) AS r (public_id, hash) JOIN api_key k ON k.key_public_id = r.public_id
  WHERE k.key_revoked_at IS NULL AND (k.key_expires_at IS NULL OR k.key_expires_at > now())
    AND (k.key_hash = r.hash OR (k.key_prev_hash = r.hash AND k.key_prev_expires_at > now()))
$$;
CALL make_definer('auth_find_leaked(text[], text[])');
