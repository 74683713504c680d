-- An administrator signs somebody out of one workspace: sessions that began before are refused there, and stay good elsewhere.
ALTER TABLE workspace_user ADD COLUMN user_signed_out_at timestamptz(3);

DROP TRIGGER authz ON workspace_user;
CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF user_status, user_kind, user_signed_out_at ON workspace_user FOR EACH ROW EXECUTE FUNCTION raise_authz_version();

CREATE OR REPLACE FUNCTION auth_facts(tenant uuid, account_id uuid) RETURNS jsonb
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object(
      'stamp', auth_enter(tenant, account_id),
      'ws_status', w.ws_status,
      'ws_status_reason', w.ws_status_reason,
      'security', w.ws_security,
      'user_kind', u.user_kind,
      'user_status', u.user_status,
      'signed_out_at', u.user_signed_out_at,
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

-- Ends the sessions of a member in the workspace at hand, and says how many opened it. Those that open other workspaces too
-- go on there; of somebody who has not joined there are none.
CREATE FUNCTION people_sign_out(p_account uuid) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  former timestamptz;
  ended integer;
BEGIN
  SELECT coalesce(user_signed_out_at, '-infinity') INTO former FROM workspace_user WHERE tenant_id = current_tenant() AND user_id = p_account AND user_status IN ('active', 'suspended') FOR UPDATE;
  IF NOT FOUND THEN RETURN 0; END IF;
  SELECT count(*) INTO ended FROM account_session s
    WHERE s.acc_id = p_account AND s.ses_ended_at IS NULL AND s.ses_expires_at > now() AND s.ses_created > former AND (s.ses_tenant IS NULL OR s.ses_tenant = current_tenant());
  UPDATE workspace_user SET user_signed_out_at = clock_timestamp() WHERE tenant_id = current_tenant() AND user_id = p_account;
  UPDATE account_session SET ses_ended_at = now() WHERE acc_id = p_account AND ses_tenant = current_tenant() AND ses_ended_at IS NULL;
  IF NOT EXISTS (SELECT FROM workspace_user o WHERE o.user_id = p_account AND o.tenant_id <> current_tenant() AND o.user_status <> 'removed') THEN PERFORM auth_end_sessions(p_account, NULL); END IF;
  RETURN ended;
END
$$;
CALL make_definer('people_sign_out(uuid)');
