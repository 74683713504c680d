-- Providers of models that a workspace brings itself; those of the environment have no row. What proves who asks (the key,
-- the values of headers) is sealed.
CREATE TABLE model_provider (
  tenant_id   uuid NOT NULL REFERENCES workspace,
  mp_id       uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  mp_name     text NOT NULL CHECK (mp_name ~ '^[a-z][a-z0-9-]{0,39}$'),
  mp_type     text NOT NULL CHECK (mp_type IN ('openai', 'anthropic', 'openai-compatible', 'local')),
  mp_base_url text,
  mp_models   jsonb NOT NULL DEFAULT '[]',
  mp_headers  text[] NOT NULL DEFAULT '{}',
  mp_key_enc  text,
  mp_key_id   text,
  mp_active   boolean NOT NULL DEFAULT true,
  mp_created  timestamptz(3) NOT NULL DEFAULT now(),
  mp_updated  timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, mp_id),
  UNIQUE (tenant_id, mp_name)
);
CREATE INDEX model_provider_created ON model_provider (tenant_id, mp_created, mp_id);
CALL make_tenant_table('model_provider');

-- One vector of unit length a thing, kind and model. Where the extension `vector` is, it holds the vector (below); else the
-- vector stands in pieces of 96 dimensions, whose distances add up, and the signs of 512 projections beside the key say
-- which are worth comparing.
CREATE EXTENSION IF NOT EXISTS cube;
CREATE TABLE vector_entry (
  tenant_id  uuid NOT NULL REFERENCES workspace,
  ve_kind    text NOT NULL,
  ve_model   text NOT NULL,
  ve_id      uuid NOT NULL,
  -- What was made into the vector, as a hash: the same again is not done again.
  ve_hash    text,
  ve_sig     bit(512),
  ve_chunks  cube[],
  ve_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, ve_kind, ve_model, ve_id) INCLUDE (ve_sig)
);
ALTER TABLE vector_entry ALTER COLUMN ve_chunks SET STORAGE EXTERNAL;
CREATE INDEX vector_entry_thing ON vector_entry (tenant_id, ve_kind, ve_id);
CALL make_tenant_table('vector_entry');

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector' AND string_to_array(coalesce(installed_version, default_version), '.')::integer[] >= '{0,8}') THEN
    CREATE EXTENSION IF NOT EXISTS vector;
    ALTER TABLE vector_entry ADD COLUMN ve_vec vector;
    CREATE INDEX vector_entry_local ON vector_entry USING hnsw ((ve_vec::vector(384)) vector_cosine_ops) WHERE ve_model = 'atrium/hash-384';
  END IF;
END
$$;

-- What was bought of an embedding model, so that the same text is not bought again.
CREATE TABLE embedding_cache (
  tenant_id uuid NOT NULL REFERENCES workspace,
  emb_model text NOT NULL,
  emb_hash  text NOT NULL,
  emb_vec   real[] NOT NULL,
  emb_used  timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, emb_model, emb_hash)
);
CREATE INDEX embedding_cache_used ON embedding_cache (emb_used);
CALL make_tenant_table('embedding_cache');

-- Forgets embeddings that nobody asked for in a long time, in any workspace; how many.
CREATE FUNCTION embedding_cache_evict(p_age_seconds double precision, p_limit integer) RETURNS bigint
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH old AS (
    SELECT c.tenant_id, c.emb_model, c.emb_hash FROM embedding_cache c WHERE c.emb_used < clock_timestamp() - make_interval(secs => p_age_seconds) ORDER BY c.emb_used LIMIT p_limit FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM embedding_cache c USING old WHERE c.tenant_id = old.tenant_id AND c.emb_model = old.emb_model AND c.emb_hash = old.emb_hash RETURNING 1
  )
  SELECT count(*) FROM gone
$$;
GRANT SELECT, UPDATE, DELETE ON embedding_cache TO atrium_definer;
CALL make_definer('embedding_cache_evict(double precision, integer)');
