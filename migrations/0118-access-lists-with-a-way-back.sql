-- An access list whose every entry names a removed member, a deleted role or a deleted space matches nobody. It is given an owner who
-- is there: the creator of the row, else the roles that change settings. Its entries stay, so that a later hand-over or the return of a
-- member finds them.
CREATE FUNCTION acl_names_somebody(acl jsonb) RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH named AS (
    SELECT kind, entry FROM (VALUES ('users'), ('roles'), ('spaces')) kinds (kind)
    CROSS JOIN LATERAL jsonb_object_keys(CASE jsonb_typeof(acl -> kind) WHEN 'object' THEN acl -> kind ELSE '{}' END) entry)
  SELECT EXISTS (SELECT FROM named n JOIN workspace_user u ON u.tenant_id = current_tenant() AND u.user_id::text = n.entry
                 WHERE n.kind = 'users' AND u.user_status <> 'removed')
      OR EXISTS (SELECT FROM named n JOIN role r ON r.tenant_id = current_tenant() AND r.role_id::text = n.entry WHERE n.kind = 'roles')
      OR EXISTS (SELECT FROM named n JOIN space s ON s.tenant_id = current_tenant() AND s.space_id::text = n.entry
                 WHERE n.kind = 'spaces' AND s.space_active)
$$;

-- The list with one more entry of an owner: as it is where somebody is on it, or where it restricts nobody.
CREATE FUNCTION acl_with_owner(acl jsonb, kind text, entries jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = public, pg_temp AS $$
  SELECT acl || jsonb_build_object(kind, CASE jsonb_typeof(acl -> kind) WHEN 'object' THEN acl -> kind ELSE '{}' END || entries)
$$;

CREATE FUNCTION acl_with_a_way_back(acl jsonb, creator uuid) RETURNS jsonb LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT CASE
    WHEN acl_level(acl, '00000000-0000-0000-0000-000000000000', '{}', '{}') IS NULL OR acl_names_somebody(acl) THEN acl
    WHEN EXISTS (SELECT FROM workspace_user u WHERE u.tenant_id = current_tenant() AND u.user_id = creator AND u.user_status <> 'removed')
      THEN acl_with_owner(acl, 'users', jsonb_build_object(creator::text, 'owner'))
    ELSE coalesce((SELECT acl_with_owner(acl, 'roles', jsonb_object_agg(r.role_id::text, 'owner')) FROM role r
                   WHERE r.tenant_id = current_tenant() AND r.role_permissions && ARRAY['*', 'admin:*', 'admin:settings'] HAVING count(*) > 0), acl)
  END
$$;

-- The list with one member in the place of another; whoever was on it already keeps the higher level.
CREATE FUNCTION acl_handed_over(acl jsonb, giver uuid, taker uuid) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN jsonb_typeof(acl -> 'users') = 'object' AND acl -> 'users' ? giver::text
    THEN jsonb_set(acl, '{users}', (acl -> 'users') - giver::text || jsonb_build_object(taker::text,
      CASE WHEN 'owner' IN (acl #>> ARRAY['users', giver::text], acl #>> ARRAY['users', taker::text]) THEN 'owner'
           WHEN 'edit' IN (acl #>> ARRAY['users', giver::text], acl #>> ARRAY['users', taker::text]) THEN 'edit' ELSE 'view' END))
    ELSE acl END
$$;

REVOKE ALL ON FUNCTION acl_names_somebody(jsonb), acl_with_owner(jsonb, text, jsonb), acl_with_a_way_back(jsonb, uuid), acl_handed_over(jsonb, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION acl_names_somebody(jsonb), acl_with_owner(jsonb, text, jsonb), acl_with_a_way_back(jsonb, uuid), acl_handed_over(jsonb, uuid, uuid) TO atrium_app;

-- Objects are many and few of them have a list.
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS object_restricted ON object (tenant_id, obj_id) WHERE obj_acl <> '{}'::jsonb;

-- Lists that name nobody already: workers look at them, workspace by workspace, as they do when a member is removed.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT w.tenant_id FROM workspace w WHERE $1::jsonb IS NULL OR w.tenant_id > ($1::jsonb ->> 0)::uuid ORDER BY w.tenant_id LIMIT 500
), queued AS (
  INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_key, ev_payload, ev_actor, ev_request)
  SELECT n.tenant_id, n.id, 'job', 'identity.access-lists', n.id::text,
    jsonb_build_object('event_id', n.id, 'name', 'user.removed', 'subject_id', n.tenant_id, 'payload', jsonb_build_object(),
                       'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    '{"kind": "system", "user_id": null, "key_id": null}', gen_random_uuid()::text
  FROM (SELECT tenant_id, gen_random_uuid() AS id FROM page) AS n
)
SELECT jsonb_build_array(tenant_id) AS cursor FROM page ORDER BY tenant_id DESC LIMIT 1;
