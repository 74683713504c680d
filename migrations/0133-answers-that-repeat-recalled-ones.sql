-- Answers of before that come after one which rests on memories of the same person: their runs were given it, and may have repeated it.
-- Those of later say it themselves (0127); of a day in which both were at work, all are taken for those of before.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT m.tenant_id, m.msg_id FROM message m
  WHERE $1::jsonb IS NULL OR (m.tenant_id, m.msg_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY m.tenant_id, m.msg_id LIMIT 500
), before AS MATERIALIZED (
  SELECT coalesce((SELECT applied_at + interval '1 day' FROM atrium_migration WHERE name = '0127-answers-that-recall.sql'), 'infinity') AS at
), repeated AS (
  UPDATE message m SET msg_recalls = true FROM page p, before b
  WHERE m.tenant_id = p.tenant_id AND m.msg_id = p.msg_id AND m.msg_role = 'assistant' AND NOT m.msg_recalls AND m.msg_created < b.at
    AND EXISTS (SELECT FROM message a WHERE a.tenant_id = m.tenant_id AND a.msg_thread = m.msg_thread AND a.msg_user = m.msg_user AND a.msg_role = 'assistant'
      AND (a.msg_recalls OR a.msg_parts @> '[{"kind": "tool", "tool": "remember"}]' OR a.msg_parts @> '[{"kind": "tool", "tool": "forget"}]'))
    AND EXISTS (
      WITH RECURSIVE up AS (
        SELECT m.msg_parent AS msg_id
        UNION ALL
        SELECT a.msg_parent FROM up u JOIN message a ON a.tenant_id = m.tenant_id AND a.msg_id = u.msg_id WHERE a.msg_parent IS NOT NULL
      )
      SELECT FROM up u JOIN message a ON a.tenant_id = m.tenant_id AND a.msg_id = u.msg_id
      WHERE a.msg_role = 'assistant' AND a.msg_user = m.msg_user
        AND (a.msg_recalls OR a.msg_parts @> '[{"kind": "tool", "tool": "remember"}]' OR a.msg_parts @> '[{"kind": "tool", "tool": "forget"}]'))
)
SELECT jsonb_build_array(tenant_id, msg_id) AS cursor FROM page ORDER BY tenant_id DESC, msg_id DESC LIMIT 1;
