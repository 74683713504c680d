-- Records whose base is gone are counted nowhere.
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
      INSERT INTO knowledge_base_tally (tenant_id, ds_id, tally_records)
        SELECT b.tenant_id, b.ds_id, deltas[at] FROM knowledge_base b WHERE b.tenant_id = tenants[at] AND b.ds_id = bases[at];
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;
