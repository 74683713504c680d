-- The row of a deprecated document tells its file when it goes, and in a purge it goes by the definer's hand.
GRANT UPDATE (file_deprecated) ON file TO atrium_definer;

-- Removes rows of one table of a workspace whose grace is over. People who were members nowhere else end with it as after an
-- erasure: their sessions and tokens go, and their account keeps nothing of them.
CREATE OR REPLACE FUNCTION ws_purge_step(p_tenant uuid, p_table text, p_limit integer) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  target regclass := (SELECT t FROM tenant_tables() t WHERE t::text = p_table AND p_table <> 'workspace');
  spared text := CASE WHEN p_table = 'outbox' THEN $c$ AND NOT (ev_name = 'identity.workspace-purge' AND ev_done IS NULL)$c$ ELSE '' END;
  people uuid[] := '{}';
  total bigint;
  gone bigint;
BEGIN
  IF target IS NULL THEN RAISE EXCEPTION 'no table of workspaces is called %', p_table; END IF;
  IF NOT ws_may_purge(p_tenant) THEN RAISE EXCEPTION 'the workspace % is not to be purged', p_tenant; END IF;
  IF NOT EXISTS (SELECT FROM workspace_tombstone WHERE ws_id = p_tenant AND (deleted_at IS NOT NULL OR ws_purge ? p_table)) THEN
    EXECUTE format('SELECT count(*) FROM %s WHERE tenant_id = $1%s', target, spared) INTO total USING p_tenant;
  END IF;
  IF p_table = 'workspace_user' THEN
    people := ARRAY(SELECT user_id FROM workspace_user WHERE tenant_id = p_tenant ORDER BY user_id LIMIT p_limit);
    DELETE FROM workspace_user WHERE tenant_id = p_tenant AND user_id = ANY (people);
  ELSE
    EXECUTE format('DELETE FROM %1$s WHERE tenant_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE tenant_id = $1%2$s LIMIT $2))', target, spared) USING p_tenant, p_limit;
  END IF;
  GET DIAGNOSTICS gone = ROW_COUNT;
  -- Locked before anybody asks where else they are: who is made a member at this moment comes first, or finds no account.
  PERFORM FROM account a WHERE a.acc_id = ANY (people) ORDER BY a.acc_id FOR UPDATE;
  people := ARRAY(SELECT p FROM unnest(people) p WHERE NOT EXISTS (SELECT FROM workspace_user o WHERE o.user_id = p AND o.user_email IS NOT NULL));
  DELETE FROM account_session s WHERE s.acc_id = ANY (people);
  DELETE FROM account_token t WHERE t.acc_id = ANY (people);
  UPDATE account a SET acc_email = NULL, acc_email_verified_at = NULL, acc_password_hash = NULL, acc_password_changed_at = NULL, acc_totp = NULL, acc_totp_step = NULL,
                       acc_totp_pending = NULL, acc_totp_pending_until = NULL, acc_recovery = '{}', acc_status = 'erased'
    WHERE a.acc_id = ANY (people);
  IF gone > 0 OR total IS NOT NULL THEN PERFORM ws_purge_note(p_tenant, p_table, gone, coalesce(total - gone, 0)); END IF;
  RETURN gone;
END
$$;

-- Ends a purge: nothing may be left. Sessions that were begun in the workspace go, with the addresses they were used from, and
-- so do the turns of its jobs.
CREATE OR REPLACE FUNCTION ws_purge_end(p_tenant uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  target regclass;
  left_over boolean;
BEGIN
  PERFORM FROM workspace WHERE tenant_id = p_tenant AND ws_status = 'deleting' AND ws_delete_after <= clock_timestamp() FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'the workspace % is not to be purged', p_tenant; END IF;
  DELETE FROM outbox WHERE tenant_id = p_tenant;
  FOR target IN SELECT t FROM tenant_tables() t WHERE t <> 'workspace'::regclass LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE tenant_id = $1)', target) INTO left_over USING p_tenant;
    IF left_over THEN RAISE EXCEPTION 'rows of the workspace are left in %', target; END IF;
  END LOOP;
  DELETE FROM account_session WHERE ses_tenant = p_tenant;
  DELETE FROM account_token WHERE tok_tenant = p_tenant;
  DELETE FROM job_turn WHERE turn_workspace = p_tenant;
  DELETE FROM workspace WHERE tenant_id = p_tenant;
  UPDATE workspace_tombstone SET deleted_at = clock_timestamp(), counts = (SELECT coalesce(jsonb_object_agg(key, value -> 'done'), '{}') FROM jsonb_each(ws_purge)), ws_purge = '{}' WHERE ws_id = p_tenant;
END
$$;
