-- What people wrote into pictures is searched: its words with all others of the file, and field by field.

-- The values of one field, in small letters; null when the picture says nothing there.
CREATE FUNCTION file_says(metadata jsonb, field text) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE jsonb_typeof(metadata #> ARRAY['system', 'embedded', field])
    WHEN 'array' THEN ARRAY(SELECT lower(v) FROM jsonb_array_elements_text(metadata #> ARRAY['system', 'embedded', field]) v)
    WHEN 'string' THEN ARRAY[lower(metadata #>> ARRAY['system', 'embedded', field])] END;

-- All that is written into it, field after field.
CREATE FUNCTION file_embedded_words(metadata jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce((SELECT string_agg(v #>> '{}', ' ') FROM jsonb_path_query(metadata #> '{system,embedded}', '$.* ? (@.type() == "string")') v), '');

DROP INDEX file_search_words;
ALTER TABLE file_search_text
  DROP COLUMN fst_words,
  ADD COLUMN fst_embedded text NOT NULL DEFAULT '';
ALTER TABLE file_search_text
  ADD COLUMN fst_words tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('simple',
    fst_name || ' ' || translate(fst_name, '_-.,;:/\()[]{}+&#@!~=''"', '                       ') || ' ' || fst_summary || ' ' || left(fst_embedded, 20000)
      || ' ' || left(fst_tags, 10000) || ' ' || left(fst_analysis, 20000) || ' ' || left(fst_content, 60000))) STORED;
CREATE INDEX file_search_words ON file_search_text USING gin (fst_words, tenant_id);
CREATE INDEX file_search_embedded ON file_search_text USING gin (lower(fst_embedded) gin_trgm_ops, tenant_id) WHERE fst_embedded <> '';

CREATE OR REPLACE FUNCTION keep_file_words() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO file_search_text (tenant_id, file_id, fst_name, fst_summary, fst_embedded) VALUES (NEW.tenant_id, NEW.file_id, NEW.file_name, coalesce(NEW.file_summary, ''), file_embedded_words(NEW.file_metadata))
    ON CONFLICT (tenant_id, file_id) DO UPDATE SET fst_name = excluded.fst_name, fst_summary = excluded.fst_summary, fst_embedded = excluded.fst_embedded;
  RETURN NULL;
END
$$;
DROP TRIGGER words_of_changed ON file;
CREATE TRIGGER words_of_changed AFTER UPDATE OF file_name, file_summary, file_metadata ON file FOR EACH ROW
  WHEN (OLD.file_name <> NEW.file_name OR OLD.file_summary IS DISTINCT FROM NEW.file_summary OR OLD.file_metadata #> '{system,embedded}' IS DISTINCT FROM NEW.file_metadata #> '{system,embedded}')
  EXECUTE FUNCTION keep_file_words();

-- Files with a value of the field like the pattern, at most so many. `held` is what such a value holds, as a pattern for all words of the file.
CREATE FUNCTION files_saying(field text, pattern text, held text, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.file_id
  FROM file_search_text s JOIN file f ON f.tenant_id = s.tenant_id AND f.file_id = s.file_id
  WHERE s.tenant_id = current_tenant() AND s.fst_embedded <> '' AND lower(s.fst_embedded) LIKE held AND f.file_deleted IS NULL
    AND EXISTS (SELECT FROM unnest(file_says(f.file_metadata, field)) v WHERE v LIKE pattern)
  LIMIT most
$$;
CALL make_definer('files_saying(text, text, text, integer)', 'atrium_search');

-- Keywords of pictures are one more who may say that a file bears a tag.
ALTER TABLE file_tag DROP CONSTRAINT file_tag_ft_source_check, ADD CONSTRAINT file_tag_ft_source_check CHECK (ft_source IN ('user', 'rule', 'guest', 'model', 'keyword'));
