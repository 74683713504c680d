-- Records of a base are counted beside it, so that those who write into one base do not wait for each other: each takes a tally
-- that nobody else is writing, or a new one. What a base holds is its ds_record_count, as it was until now, and the sum of its
-- tallies; there are never more of them than there were writers at once.
CREATE TABLE knowledge_base_tally (
  tenant_id uuid NOT NULL,
  ds_id uuid NOT NULL,
  tally_id uuid NOT NULL DEFAULT gen_random_uuid(),
  tally_records integer NOT NULL,
  PRIMARY KEY (tenant_id, ds_id, tally_id),
  FOREIGN KEY (tenant_id, ds_id) REFERENCES knowledge_base ON DELETE CASCADE
) WITH (fillfactor = 50);
CALL make_tenant_table('knowledge_base_tally');
-- Records that go with their workspace are counted off by its hand.
GRANT INSERT, UPDATE ON knowledge_base_tally TO atrium_definer;

CREATE OR REPLACE FUNCTION count_knowledge_records() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  tenants uuid[];
  bases uuid[];
  deltas integer[];
  tally uuid;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(tenant_id), array_agg(rec_base), array_agg(delta) INTO tenants, bases, deltas
      FROM (SELECT tenant_id, rec_base, count(*) FILTER (WHERE rec_active) AS delta FROM fresh GROUP BY 1, 2) n WHERE delta <> 0;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(tenant_id), array_agg(rec_base), array_agg(delta) INTO tenants, bases, deltas
      FROM (SELECT tenant_id, rec_base, -count(*) FILTER (WHERE rec_active) AS delta FROM stale GROUP BY 1, 2) n WHERE delta <> 0;
  ELSE
    SELECT array_agg(tenant_id), array_agg(rec_base), array_agg(delta) INTO tenants, bases, deltas
      FROM (SELECT tenant_id, rec_base, sum(d) AS delta FROM (
              SELECT tenant_id, rec_base, CASE WHEN rec_active THEN 1 ELSE 0 END AS d FROM fresh
              UNION ALL SELECT tenant_id, rec_base, CASE WHEN rec_active THEN -1 ELSE 0 END FROM stale) x GROUP BY 1, 2) n WHERE delta <> 0;
  END IF;
  FOR at IN 1 .. coalesce(array_length(bases, 1), 0) LOOP
    SELECT t.tally_id INTO tally FROM knowledge_base_tally t WHERE t.tenant_id = tenants[at] AND t.ds_id = bases[at] ORDER BY t.tally_id LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
      UPDATE knowledge_base_tally t SET tally_records = t.tally_records + deltas[at] WHERE t.tenant_id = tenants[at] AND t.ds_id = bases[at] AND t.tally_id = tally;
    ELSE
      INSERT INTO knowledge_base_tally (tenant_id, ds_id, tally_records) VALUES (tenants[at], bases[at], deltas[at]);
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;
