-- First outcomes of POSTs that carried an Idempotency-Key, one a caller and key.
CREATE TABLE idempotency_key (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  idem_key text NOT NULL,
  idem_fingerprint text NOT NULL,
  idem_status integer,
  idem_headers jsonb,
  idem_body jsonb,
  idem_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, user_id, idem_key)
);
CREATE INDEX idempotency_key_age ON idempotency_key (idem_created);
CALL make_tenant_table('idempotency_key');
