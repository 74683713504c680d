-- Flags of groups and lists bind what is inside them, and a title that not everybody sees names nothing any more: words, names and
-- passages of such rows are made again by the work that follows a change of their form.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT f.tenant_id, f.form_id, f.form_revision, f.form_config FROM form f
  WHERE $1::jsonb IS NULL OR (f.tenant_id, f.form_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY f.tenant_id, f.form_id LIMIT 50
), closed AS (
  SELECT p.tenant_id, p.form_id, p.form_revision FROM page p
  WHERE jsonb_path_exists(p.form_config, '$.fields.** ? (@.fields.type() == "array" && (@.sensitive == true || @.hidden == true))')
     OR jsonb_path_exists(p.form_config, '$.fields[*] ? (@.key == $title && (@.sensitive == true || @.hidden == true))', jsonb_build_object('title', p.form_config -> 'title'))
), held AS (
  SELECT c.*, (SELECT count(*) FROM object o WHERE o.tenant_id = c.tenant_id AND o.obj_form = c.form_id)
            + (SELECT count(*) FROM knowledge_record r WHERE r.tenant_id = c.tenant_id AND r.rec_form = c.form_id) AS total
  FROM closed c
), queued AS (
  INSERT INTO form_migration AS m (tenant_id, mig_form, mig_revision, mig_status, mig_total, mig_reworded)
  SELECT tenant_id, form_id, form_revision, 'queued', total, true FROM held WHERE total > 0
  ON CONFLICT (tenant_id, mig_form) DO UPDATE SET mig_revision = EXCLUDED.mig_revision, mig_status = 'queued', mig_done = 0, mig_total = EXCLUDED.mig_total,
    mig_cursor = NULL, mig_reworded = true, mig_error = NULL, mig_updated = now()
  RETURNING m.tenant_id, m.mig_form, m.mig_revision
), sent AS (
  INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_key, ev_payload, ev_actor, ev_request)
  SELECT tenant_id, gen_random_uuid(), 'job', 'forms.migrate', mig_form::text, jsonb_build_object('form_id', mig_form, 'revision', mig_revision),
    '{"kind": "system", "user_id": null, "key_id": null}', gen_random_uuid()::text
  FROM queued
)
SELECT jsonb_build_array(tenant_id, form_id) AS cursor FROM page ORDER BY tenant_id DESC, form_id DESC LIMIT 1;
