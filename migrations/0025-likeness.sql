-- What a picture looks like: 64 bits of which two alike differ in few. Null for what is no picture or was not looked into.
CREATE FUNCTION hash_of_look(metadata jsonb) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN metadata #>> '{system,phash}' ~ '^[0-9a-f]{16}$' THEN ('x' || (metadata #>> '{system,phash}'))::bit(64)::bigint END $$;

-- The hash in four bands of sixteen bits, each with its number (0 to 3) in front: hashes at most 7 bits apart have a band
-- in which they are at most one bit apart. Only live pictures have bands.
CREATE TABLE file_phash_band (
  tenant_id uuid NOT NULL,
  fpb_band integer NOT NULL,
  file_id uuid NOT NULL,
  fpb_hash bigint NOT NULL,
  PRIMARY KEY (tenant_id, fpb_band, file_id) INCLUDE (fpb_hash),
  FOREIGN KEY (tenant_id, file_id) REFERENCES file ON DELETE CASCADE
);
CREATE INDEX file_phash_band_file ON file_phash_band (tenant_id, file_id);
CALL make_tenant_table('file_phash_band', 'SELECT, INSERT, DELETE');

CREATE FUNCTION phash_bands(hash bigint) RETURNS SETOF integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT (n << 16) | ((hash >> (48 - 16 * n)) & 65535)::integer FROM generate_series(0, 3) AS n $$;

-- The bands in which hashes at most 7 bits apart from this one can be found: each of its own, and those one bit beside it.
CREATE FUNCTION phash_probes(hash bigint) RETURNS integer[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT array_agg(b # mask ORDER BY b, mask) FROM phash_bands(hash) AS b, (SELECT 0 AS mask UNION ALL SELECT 1 << n FROM generate_series(0, 15) AS n) AS m $$;

-- Bands follow their file: they come when its look is known, change with it and are gone while it lies in the trash.
CREATE FUNCTION keep_phash_bands() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  hash bigint := CASE WHEN NEW.file_deleted IS NULL AND NEW.file_kind = 'image' THEN hash_of_look(NEW.file_metadata) END;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM file_phash_band WHERE tenant_id = NEW.tenant_id AND file_id = NEW.file_id;
  END IF;
  IF hash IS NOT NULL THEN
    INSERT INTO file_phash_band (tenant_id, fpb_band, file_id, fpb_hash) SELECT NEW.tenant_id, b, NEW.file_id, hash FROM phash_bands(hash) AS b;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER phash_bands_of_new AFTER INSERT ON file FOR EACH ROW
  WHEN (NEW.file_metadata #>> '{system,phash}' IS NOT NULL) EXECUTE FUNCTION keep_phash_bands();
CREATE TRIGGER phash_bands_of_changed AFTER UPDATE ON file FOR EACH ROW
  WHEN (OLD.file_metadata #>> '{system,phash}' IS DISTINCT FROM NEW.file_metadata #>> '{system,phash}'
        OR (OLD.file_deleted IS NULL) <> (NEW.file_deleted IS NULL) OR OLD.file_kind <> NEW.file_kind)
  EXECUTE FUNCTION keep_phash_bands();

-- Files whose looks were found before there were bands.
ALTER TABLE file NO FORCE ROW LEVEL SECURITY;
ALTER TABLE file_phash_band NO FORCE ROW LEVEL SECURITY;
INSERT INTO file_phash_band (tenant_id, fpb_band, file_id, fpb_hash)
  SELECT f.tenant_id, b, f.file_id, hash_of_look(f.file_metadata) FROM file f, phash_bands(hash_of_look(f.file_metadata)) AS b
  WHERE f.file_deleted IS NULL AND f.file_kind = 'image' AND hash_of_look(f.file_metadata) IS NOT NULL;
ALTER TABLE file FORCE ROW LEVEL SECURITY;
ALTER TABLE file_phash_band FORCE ROW LEVEL SECURITY;

-- Files of the library that are one picture, as far as a machine can tell. A file lies in one open group at most.
CREATE TABLE duplicate_group (
  tenant_id uuid NOT NULL REFERENCES workspace,
  dup_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  dup_kind text NOT NULL CHECK (dup_kind IN ('exact', 'visual')),
  dup_state text NOT NULL DEFAULT 'open' CHECK (dup_state IN ('open', 'resolved', 'dismissed')),
  dup_created timestamptz(3) NOT NULL DEFAULT now(),
  dup_closed timestamptz(3),
  dup_closed_by uuid,
  PRIMARY KEY (tenant_id, dup_id)
);
CREATE INDEX duplicate_group_created ON duplicate_group (tenant_id, dup_state, dup_created, dup_id);
CALL make_tenant_table('duplicate_group');

-- `dgf_open` repeats that the group is open, so that one index keeps a file in one open group.
CREATE TABLE duplicate_group_file (
  tenant_id uuid NOT NULL,
  dgf_group uuid NOT NULL,
  dgf_file uuid NOT NULL,
  dgf_open boolean NOT NULL DEFAULT true,
  PRIMARY KEY (tenant_id, dgf_group, dgf_file),
  FOREIGN KEY (tenant_id, dgf_group) REFERENCES duplicate_group ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, dgf_file) REFERENCES file ON DELETE CASCADE
);
CREATE UNIQUE INDEX duplicate_group_file_open ON duplicate_group_file (tenant_id, dgf_file) WHERE dgf_open;
CREATE INDEX duplicate_group_file_file ON duplicate_group_file (tenant_id, dgf_file);
CALL make_tenant_table('duplicate_group_file');

-- Pairs that people said are not duplicates; the smaller id first.
CREATE TABLE duplicate_dismissal (
  tenant_id uuid NOT NULL,
  dd_one uuid NOT NULL,
  dd_other uuid NOT NULL,
  dd_group uuid NOT NULL,
  dd_created timestamptz(3) NOT NULL DEFAULT now(),
  dd_created_by uuid,
  PRIMARY KEY (tenant_id, dd_one, dd_other),
  CHECK (dd_one < dd_other),
  FOREIGN KEY (tenant_id, dd_one) REFERENCES file ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, dd_other) REFERENCES file ON DELETE CASCADE
);
CREATE INDEX duplicate_dismissal_other ON duplicate_dismissal (tenant_id, dd_other);
CREATE INDEX duplicate_dismissal_group ON duplicate_dismissal (tenant_id, dd_group);
CALL make_tenant_table('duplicate_dismissal');

-- What resolving a group moved, by who carried it, for the days in which it can be undone.
CREATE TABLE duplicate_merge (
  tenant_id uuid NOT NULL,
  dm_group uuid NOT NULL,
  dm_trashed uuid[] NOT NULL,
  dm_carried jsonb NOT NULL,
  dm_until timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, dm_group),
  FOREIGN KEY (tenant_id, dm_group) REFERENCES duplicate_group ON DELETE CASCADE
);
CREATE INDEX duplicate_merge_until ON duplicate_merge (tenant_id, dm_until);
CALL make_tenant_table('duplicate_merge');
