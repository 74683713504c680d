-- A claim on an idempotency key belongs to the process that answers the request: it lapses unless that process keeps renewing it. Processes
-- of the version before know nothing of claims; theirs last as long as they did.
ALTER TABLE idempotency_key ADD COLUMN idem_claim uuid, ADD COLUMN idem_headers jsonb, ADD COLUMN idem_lapses timestamptz(3) NOT NULL DEFAULT now() + interval '2 minutes';

-- Keeps an outcome in the transaction that makes it. A process that was stopped for so long that another one took the key fails here,
-- and what it made is rolled back.
CREATE FUNCTION keep_outcome(p_user uuid, p_route text, p_key text, p_claim uuid, p_status integer, p_headers jsonb, p_body jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE idempotency_key SET idem_status = p_status, idem_headers = p_headers, idem_body = p_body
  WHERE tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid AND user_id = p_user AND idem_route = p_route AND idem_key = p_key AND idem_claim = p_claim;
  IF NOT FOUND THEN RAISE EXCEPTION 'the claim on the idempotency key has lapsed' USING ERRCODE = 'AT002'; END IF;
END
$$;
