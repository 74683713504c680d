-- How often something is referred to is counted without the fields that a caller does not see: the forms that have such fields are few,
-- and found without reading the others.
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS form_closing ON form (tenant_id, form_id)
  WHERE jsonb_path_exists(form_config, '$.fields.** ? (@.hidden == true || @.sensitive == true)');
