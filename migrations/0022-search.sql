-- The search language: facts of files that are asked for by themselves, texts that are searched as one, saved searches.

-- An instant as metadata writes it; null when it is none. Without a time: the beginning of the day in UTC.
CREATE FUNCTION file_instant(written text) RETURNS timestamptz
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF written !~ '^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$' THEN
    RETURN NULL;
  END IF;
  RETURN CASE WHEN length(written) = 10 THEN written || 'T00:00:00Z' ELSE written END::timestamptz;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END
$$;

-- A number of metadata; null when it is none, or none that fits.
CREATE FUNCTION file_number(written jsonb) RETURNS double precision
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT CASE WHEN jsonb_typeof(written) = 'number' AND abs(written::numeric) < 1e300 THEN written::double precision END $$;

-- A color (#rrggbb) as CIELAB under D65, so that distance is what people see; null when it is none.
CREATE FUNCTION color_lab(hex text) RETURNS double precision[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  part double precision;
  rgb double precision[] := '{}';
  xyz double precision[] := '{}';
BEGIN
  IF hex !~ '^#[0-9A-Fa-f]{6}$' THEN
    RETURN NULL;
  END IF;
  FOR i IN 0..2 LOOP
    part := get_byte(decode(substr(hex, 2 + 2 * i, 2), 'hex'), 0) / 255.0::double precision;
    rgb := rgb || CASE WHEN part <= 0.04045 THEN part / 12.92 ELSE power((part + 0.055) / 1.055, 2.4::double precision) END;
  END LOOP;
  FOREACH part IN ARRAY ARRAY[
    (0.4124564 * rgb[1] + 0.3575761 * rgb[2] + 0.1804375 * rgb[3]) / 0.95047,
    0.2126729 * rgb[1] + 0.7151522 * rgb[2] + 0.0721750 * rgb[3],
    (0.0193339 * rgb[1] + 0.1191920 * rgb[2] + 0.9503041 * rgb[3]) / 1.08883] LOOP
    xyz := xyz || CASE WHEN part > 0.008856451679035631 THEN power(part, 1.0::double precision / 3) ELSE 7.787037037037037 * part + 16.0 / 116 END;
  END LOOP;
  RETURN ARRAY[116 * xyz[2] - 16, 500 * (xyz[1] - xyz[2]), 200 * (xyz[2] - xyz[3])];
END
$$;

-- The colors of a file one after the other, three numbers each.
CREATE FUNCTION file_labs(colors jsonb) RETURNS double precision[]
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  labs double precision[] := '{}';
  color jsonb;
BEGIN
  IF colors IS NULL OR jsonb_typeof(colors) <> 'array' THEN
    RETURN NULL;
  END IF;
  FOR color IN SELECT jsonb_array_elements(colors) LOOP
    labs := labs || coalesce(color_lab(color ->> 'hex'), '{}');
  END LOOP;
  RETURN nullif(labs, '{}');
END
$$;

-- Where a color lies in a grid of ten units an edge.
CREATE FUNCTION lab_cell(l double precision, a double precision, b double precision) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (floor(l / 10) * 10000 + floor((a + 200) / 10) * 100 + floor((b + 200) / 10))::integer;

CREATE FUNCTION file_color_cells(colors jsonb) RETURNS integer[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT array_agg(DISTINCT lab_cell(labs[3 * i - 2], labs[3 * i - 1], labs[3 * i])) FROM (SELECT file_labs(colors) AS labs) x, generate_series(1, cardinality(labs) / 3) i $$;

-- Whether one of the colors is at most so far away.
CREATE FUNCTION labs_near(labs double precision[], wanted double precision[], tolerance double precision) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  FOR i IN 1..coalesce(cardinality(labs), 0) / 3 LOOP
    IF (labs[3 * i - 2] - wanted[1]) ^ 2 + (labs[3 * i - 1] - wanted[2]) ^ 2 + (labs[3 * i] - wanted[3]) ^ 2 <= tolerance * tolerance THEN
      RETURN true;
    END IF;
  END LOOP;
  RETURN false;
END
$$;

-- Kilometres between two points of the earth, taken for a ball.
CREATE FUNCTION geo_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision) RETURNS double precision
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN 2 * 6371.0088 * asin(sqrt(least(1.0::double precision, sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lng2 - lng1) / 2) ^ 2)));

-- What the service knows of a file lies in its metadata; what is searched by has a column that follows it.
ALTER TABLE file
  ADD COLUMN file_width double precision GENERATED ALWAYS AS (file_number(file_metadata #> '{system,width}')) STORED,
  ADD COLUMN file_height double precision GENERATED ALWAYS AS (file_number(file_metadata #> '{system,height}')) STORED,
  ADD COLUMN file_megapixels double precision GENERATED ALWAYS AS (file_number(file_metadata #> '{system,width}') * file_number(file_metadata #> '{system,height}') / 1000000) STORED,
  ADD COLUMN file_duration double precision GENERATED ALWAYS AS (file_number(file_metadata #> '{system,duration}')) STORED,
  ADD COLUMN file_pages double precision GENERATED ALWAYS AS (file_number(file_metadata #> '{system,pages}')) STORED,
  ADD COLUMN file_orientation text GENERATED ALWAYS AS (file_metadata #>> '{system,orientation}') STORED,
  ADD COLUMN file_camera text GENERATED ALWAYS AS (left(file_metadata #>> '{system,camera}', 200)) STORED,
  ADD COLUMN file_camera_key text GENERATED ALWAYS AS (lower(left(file_metadata #>> '{system,camera}', 200))) STORED,
  ADD COLUMN file_lat double precision GENERATED ALWAYS AS (file_number(file_metadata #> '{system,gps,lat}')) STORED,
  ADD COLUMN file_lng double precision GENERATED ALWAYS AS (file_number(file_metadata #> '{system,gps,lng}')) STORED,
  ADD COLUMN file_source text NOT NULL GENERATED ALWAYS AS (left(coalesce(file_metadata #>> '{system,source,kind}', 'upload'), 64)) STORED,
  ADD COLUMN file_rights_expires timestamptz(3) GENERATED ALWAYS AS (file_instant(file_metadata #>> '{rights,expires}')) STORED,
  ADD COLUMN file_labs double precision[] GENERATED ALWAYS AS (file_labs(file_metadata #> '{system,colors}')) STORED,
  ADD COLUMN file_color_cells integer[] GENERATED ALWAYS AS (file_color_cells(file_metadata #> '{system,colors}')) STORED;
CREATE INDEX file_repo_added_by ON file (tenant_id, repo_key, file_added_by, file_created, file_id) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_source ON file (tenant_id, repo_key, file_source, file_created, file_id) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_orientation ON file (tenant_id, repo_key, file_orientation, file_created, file_id) WHERE file_deleted IS NULL AND file_orientation IS NOT NULL;
CREATE INDEX file_repo_camera ON file (tenant_id, repo_key, file_camera_key, file_created, file_id) WHERE file_deleted IS NULL AND file_camera_key IS NOT NULL;
CREATE INDEX file_repo_width ON file (tenant_id, repo_key, file_width) WHERE file_deleted IS NULL AND file_width IS NOT NULL;
CREATE INDEX file_repo_height ON file (tenant_id, repo_key, file_height) WHERE file_deleted IS NULL AND file_height IS NOT NULL;
CREATE INDEX file_repo_megapixels ON file (tenant_id, repo_key, file_megapixels) WHERE file_deleted IS NULL AND file_megapixels IS NOT NULL;
CREATE INDEX file_repo_duration ON file (tenant_id, repo_key, file_duration) WHERE file_deleted IS NULL AND file_duration IS NOT NULL;
CREATE INDEX file_repo_pages ON file (tenant_id, repo_key, file_pages) WHERE file_deleted IS NULL AND file_pages IS NOT NULL;
CREATE INDEX file_repo_place ON file (tenant_id, repo_key, file_lat, file_lng) WHERE file_deleted IS NULL AND file_lat IS NOT NULL;
CREATE INDEX file_repo_rights ON file (tenant_id, repo_key, file_rights_expires) WHERE file_deleted IS NULL AND file_rights_expires IS NOT NULL;
CREATE INDEX file_summary_trigram ON file USING gin (tenant_id, lower(file_summary) gin_trgm_ops) WHERE file_deleted IS NULL AND file_summary IS NOT NULL;
CREATE INDEX file_free_metadata ON file USING gin (tenant_id, (file_metadata - 'system') jsonb_path_ops) WHERE file_deleted IS NULL;
CREATE INDEX file_colored ON file USING gin (tenant_id, file_color_cells) WHERE file_deleted IS NULL AND file_color_cells IS NOT NULL;

-- The words of a file in one place: name and summary follow the file by themselves, the other columns are kept by whoever
-- owns tags, analyses and extracted text. The lengths keep the words below what a text search vector may hold.
CREATE TABLE file_search_text (
  tenant_id uuid NOT NULL,
  file_id uuid NOT NULL,
  fst_name text NOT NULL DEFAULT '',
  fst_summary text NOT NULL DEFAULT '',
  fst_tags text NOT NULL DEFAULT '',
  fst_analysis text NOT NULL DEFAULT '',
  fst_content text NOT NULL DEFAULT '',
  fst_words tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('simple',
    fst_name || ' ' || translate(fst_name, '_-.,;:/\()[]{}+&#@!~=''"', '                       ') || ' ' || fst_summary || ' ' || left(fst_tags, 10000) || ' ' || left(fst_analysis, 20000) || ' ' || left(fst_content, 60000))) STORED,
  PRIMARY KEY (tenant_id, file_id),
  FOREIGN KEY (tenant_id, file_id) REFERENCES file ON DELETE CASCADE
);
CREATE INDEX file_search_words ON file_search_text USING gin (tenant_id, fst_words);

-- The owner of the tables is not above their policies; for the rows that are there it steps outside for a moment.
ALTER TABLE file NO FORCE ROW LEVEL SECURITY;
INSERT INTO file_search_text (tenant_id, file_id, fst_name, fst_summary) SELECT tenant_id, file_id, file_name, coalesce(file_summary, '') FROM file;
ALTER TABLE file FORCE ROW LEVEL SECURITY;
CALL make_tenant_table('file_search_text');
CALL make_searchable('file_search_text');

CREATE FUNCTION keep_file_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_search_text (tenant_id, file_id, fst_name, fst_summary) VALUES (NEW.tenant_id, NEW.file_id, NEW.file_name, coalesce(NEW.file_summary, ''))
    ON CONFLICT (tenant_id, file_id) DO UPDATE SET fst_name = excluded.fst_name, fst_summary = excluded.fst_summary;
  RETURN NULL;
END
$$;
CREATE TRIGGER words_of_new AFTER INSERT ON file FOR EACH ROW EXECUTE FUNCTION keep_file_words();
CREATE TRIGGER words_of_changed AFTER UPDATE OF file_name, file_summary ON file FOR EACH ROW
  WHEN (OLD.file_name <> NEW.file_name OR OLD.file_summary IS DISTINCT FROM NEW.file_summary) EXECUTE FUNCTION keep_file_words();

-- Files whose name or summary is like the pattern, at most so many.
CREATE FUNCTION files_like(what text, pattern text, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  (SELECT file_id FROM file WHERE what = 'name' AND tenant_id = current_tenant() AND file_deleted IS NULL AND lower(file_name) LIKE pattern LIMIT most)
  UNION ALL
  (SELECT file_id FROM file WHERE what = 'summary' AND tenant_id = current_tenant() AND file_deleted IS NULL AND file_summary IS NOT NULL AND lower(file_summary) LIKE pattern LIMIT most)
$$;
CALL make_definer('files_like(text, text, integer)', 'atrium_search');

-- Files whose words match a web search text, at most so many.
CREATE FUNCTION files_with_words(needle text, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT file_id FROM file_search_text WHERE tenant_id = current_tenant() AND fst_words @@ websearch_to_tsquery('simple', needle) LIMIT most $$;
CALL make_definer('files_with_words(text, integer)', 'atrium_search');

-- Files whose free metadata contains the fragment, at most so many.
CREATE FUNCTION files_with_metadata(fragment jsonb, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT file_id FROM file WHERE tenant_id = current_tenant() AND file_deleted IS NULL AND (file_metadata - 'system') @> fragment LIMIT most $$;
CALL make_definer('files_with_metadata(jsonb, integer)', 'atrium_search');

-- Files one of whose colors is at most so far from the wanted one, at most so many.
CREATE FUNCTION files_colored(wanted double precision[], tolerance double precision, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT file_id FROM file
  WHERE tenant_id = current_tenant() AND file_deleted IS NULL AND file_color_cells IS NOT NULL
    AND file_color_cells && (SELECT array_agg(((l * 100 + a) * 100 + b)::integer)
      FROM generate_series(floor((wanted[1] - tolerance) / 10)::integer, floor((wanted[1] + tolerance) / 10)::integer) l,
           generate_series(floor((wanted[2] + 200 - tolerance) / 10)::integer, floor((wanted[2] + 200 + tolerance) / 10)::integer) a,
           generate_series(floor((wanted[3] + 200 - tolerance) / 10)::integer, floor((wanted[3] + 200 + tolerance) / 10)::integer) b)
    AND labs_near(file_labs, wanted, tolerance)
  LIMIT most
$$;
CALL make_definer('files_colored(double precision[], double precision, integer)', 'atrium_search');

-- A query that people named, in canonical form.
CREATE TABLE saved_search (
  tenant_id uuid NOT NULL REFERENCES workspace,
  sq_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  sq_name text NOT NULL,
  sq_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(sq_name, 64))) STORED,
  sq_scope text NOT NULL CHECK (sq_scope IN ('media', 'docs')),
  sq_query jsonb NOT NULL,
  sq_created timestamptz(3) NOT NULL DEFAULT now(),
  sq_updated timestamptz(3) NOT NULL DEFAULT now(),
  sq_created_by uuid,
  PRIMARY KEY (tenant_id, sq_id)
);
CREATE INDEX saved_search_created ON saved_search (tenant_id, sq_created, sq_id);
CREATE INDEX saved_search_updated ON saved_search (tenant_id, sq_updated, sq_id);
CREATE INDEX saved_search_name ON saved_search (tenant_id, sq_name_key, sq_id);
CALL make_tenant_table('saved_search');
