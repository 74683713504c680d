-- The library told without a look at its files: how many were taken on each day, and which words their names are made of. What came
-- and went lies in rows of its own until it is rolled into the sums, so that nobody who adds files waits for anybody else; in every
-- snapshot both together are exact.
CREATE TABLE file_day_delta (
  tenant_id uuid NOT NULL,
  delta_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  fd_repo text NOT NULL,
  fd_day date NOT NULL,
  fd_quarantined boolean NOT NULL,
  fd_files bigint NOT NULL,
  PRIMARY KEY (tenant_id, delta_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
CALL make_tenant_table('file_day_delta', 'SELECT, INSERT');

-- Live files of a library by the day (UTC) they were taken on.
CREATE TABLE file_day (
  tenant_id uuid NOT NULL REFERENCES workspace,
  fd_repo text NOT NULL,
  fd_day date NOT NULL,
  fd_quarantined boolean NOT NULL,
  fd_files bigint NOT NULL,
  PRIMARY KEY (tenant_id, fd_repo, fd_day, fd_quarantined)
) WITH (fillfactor = 80);
CREATE INDEX file_day_none ON file_day (tenant_id) WHERE fd_files = 0;
CALL make_tenant_table('file_day', 'SELECT');

CREATE TABLE file_word_delta (
  tenant_id uuid NOT NULL,
  delta_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  fw_repo text NOT NULL,
  fw_word text NOT NULL,
  fw_files bigint NOT NULL,
  PRIMARY KEY (tenant_id, delta_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
CALL make_tenant_table('file_word_delta', 'SELECT, INSERT');
CALL make_searchable('file_word_delta');

-- Words of the names of live files, and how many files of that kind of repository bear each.
CREATE TABLE file_word (
  tenant_id uuid NOT NULL REFERENCES workspace,
  fw_repo text NOT NULL,
  fw_word text COLLATE "C" NOT NULL,
  fw_files bigint NOT NULL,
  PRIMARY KEY (tenant_id, fw_repo, fw_word)
) WITH (fillfactor = 80);
CREATE INDEX file_word_none ON file_word (tenant_id) WHERE fw_files = 0;
CREATE INDEX file_word_parts ON file_word USING gin (fw_word gin_trgm_ops, tenant_id);
CALL make_tenant_table('file_word', 'SELECT');
CALL make_searchable('file_word');

-- Words that spelling can go wrong in: at least three letters in a row.
CREATE FUNCTION name_words(name text) RETURNS SETOF text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE ROWS 3
  AS $$ SELECT DISTINCT left(m[1], 64) FROM regexp_matches(lower(name), '[[:alpha:]]{3,}', 'g') m $$;

CREATE FUNCTION tell_files_come() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_day_delta (tenant_id, fd_repo, fd_day, fd_quarantined, fd_files)
    SELECT tenant_id, repo_key, (file_taken AT TIME ZONE 'UTC')::date, file_processing = 'quarantined', count(*)
    FROM fresh WHERE file_deleted IS NULL AND repo_key IN ('media', 'docs') GROUP BY 1, 2, 3, 4;
  INSERT INTO file_word_delta (tenant_id, fw_repo, fw_word, fw_files)
    SELECT tenant_id, repo_type, w, count(*) FROM fresh, name_words(file_name) w WHERE file_deleted IS NULL GROUP BY 1, 2, 3;
  RETURN NULL;
END
$$;
CREATE FUNCTION tell_files_go() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_day_delta (tenant_id, fd_repo, fd_day, fd_quarantined, fd_files)
    SELECT tenant_id, repo_key, (file_taken AT TIME ZONE 'UTC')::date, file_processing = 'quarantined', -count(*)
    FROM stale WHERE file_deleted IS NULL AND repo_key IN ('media', 'docs') GROUP BY 1, 2, 3, 4;
  INSERT INTO file_word_delta (tenant_id, fw_repo, fw_word, fw_files)
    SELECT tenant_id, repo_type, w, -count(*) FROM stale, name_words(file_name) w WHERE file_deleted IS NULL GROUP BY 1, 2, 3;
  RETURN NULL;
END
$$;
CREATE FUNCTION tell_file_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_day_delta (tenant_id, fd_repo, fd_day, fd_quarantined, fd_files)
    SELECT NEW.tenant_id, repo, (taken AT TIME ZONE 'UTC')::date, quarantined, n
    FROM (VALUES (OLD.repo_key, OLD.file_taken, OLD.file_processing = 'quarantined', -1, OLD.file_deleted IS NULL),
                 (NEW.repo_key, NEW.file_taken, NEW.file_processing = 'quarantined', 1, NEW.file_deleted IS NULL)) AS v (repo, taken, quarantined, n, live)
    WHERE live AND repo IN ('media', 'docs');
  RETURN NULL;
END
$$;
CREATE FUNCTION tell_file_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_word_delta (tenant_id, fw_repo, fw_word, fw_files)
    SELECT NEW.tenant_id, repo, w, sum(n)
    FROM (VALUES (OLD.repo_type, OLD.file_name, -1, OLD.file_deleted IS NULL), (NEW.repo_type, NEW.file_name, 1, NEW.file_deleted IS NULL)) AS v (repo, name, n, live), name_words(name) w
    WHERE live GROUP BY repo, w HAVING sum(n) <> 0;
  RETURN NULL;
END
$$;
CREATE TRIGGER tallies_of_new AFTER INSERT ON file REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION tell_files_come();
CREATE TRIGGER tallies_of_gone AFTER DELETE ON file REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION tell_files_go();
CREATE TRIGGER day_of_changed AFTER UPDATE ON file FOR EACH ROW
  WHEN ((OLD.file_deleted IS NULL) <> (NEW.file_deleted IS NULL) OR OLD.repo_key <> NEW.repo_key OR (OLD.file_processing = 'quarantined') <> (NEW.file_processing = 'quarantined')
        OR OLD.file_taken <> NEW.file_taken)
  EXECUTE FUNCTION tell_file_day();
CREATE TRIGGER words_of_renamed AFTER UPDATE ON file FOR EACH ROW
  WHEN ((OLD.file_deleted IS NULL) <> (NEW.file_deleted IS NULL) OR OLD.repo_type <> NEW.repo_type OR OLD.file_name <> NEW.file_name)
  EXECUTE FUNCTION tell_file_words();
-- A workspace that goes takes its files with it.
GRANT INSERT ON file_day_delta, file_word_delta TO atrium_definer;
GRANT INSERT, UPDATE ON file_day, file_word TO atrium_definer;

-- Moves a batch of what came and went into the sums; answers how many rows it moved, zero when there are none or another moves them.
CREATE FUNCTION file_tallies_roll(p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  days integer;
  words integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('file_tallies_roll')) THEN RETURN 0; END IF;
  WITH batch AS (
    DELETE FROM file_day_delta WHERE ctid = ANY (ARRAY(SELECT ctid FROM file_day_delta ORDER BY tenant_id, delta_id LIMIT p_limit)) RETURNING *
  ), added AS (
    INSERT INTO file_day AS d (tenant_id, fd_repo, fd_day, fd_quarantined, fd_files)
    SELECT tenant_id, fd_repo, fd_day, fd_quarantined, sum(fd_files) FROM batch GROUP BY 1, 2, 3, 4 HAVING sum(fd_files) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, fd_repo, fd_day, fd_quarantined) DO UPDATE SET fd_files = d.fd_files + excluded.fd_files
  )
  SELECT count(*) INTO days FROM batch;
  WITH batch AS (
    DELETE FROM file_word_delta WHERE ctid = ANY (ARRAY(SELECT ctid FROM file_word_delta ORDER BY tenant_id, delta_id LIMIT p_limit)) RETURNING *
  ), added AS (
    INSERT INTO file_word AS w (tenant_id, fw_repo, fw_word, fw_files)
    SELECT tenant_id, fw_repo, fw_word, sum(fw_files) FROM batch GROUP BY 1, 2, 3 HAVING sum(fw_files) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (tenant_id, fw_repo, fw_word) DO UPDATE SET fw_files = w.fw_files + excluded.fw_files
  )
  SELECT count(*) INTO words FROM batch;
  DELETE FROM file_day WHERE fd_files = 0;
  DELETE FROM file_word WHERE fw_files = 0;
  RETURN greatest(days, words);
END
$$;
CALL make_definer('file_tallies_roll(integer)');

-- Files that are there already. The owner of the tables is not above their policies.
ALTER TABLE file NO FORCE ROW LEVEL SECURITY;
ALTER TABLE file_day NO FORCE ROW LEVEL SECURITY;
ALTER TABLE file_word NO FORCE ROW LEVEL SECURITY;
INSERT INTO file_day (tenant_id, fd_repo, fd_day, fd_quarantined, fd_files)
  SELECT tenant_id, repo_key, (file_taken AT TIME ZONE 'UTC')::date, file_processing = 'quarantined', count(*) FROM file WHERE file_deleted IS NULL AND repo_key IN ('media', 'docs') GROUP BY 1, 2, 3, 4;
INSERT INTO file_word (tenant_id, fw_repo, fw_word, fw_files)
  SELECT tenant_id, repo_type, w, count(*) FROM file, name_words(file_name) w WHERE file_deleted IS NULL GROUP BY 1, 2, 3;
ALTER TABLE file FORCE ROW LEVEL SECURITY;
ALTER TABLE file_day FORCE ROW LEVEL SECURITY;
ALTER TABLE file_word FORCE ROW LEVEL SECURITY;

-- Live files whose names hold all of these words, at most so many; with `from_name` only of the first names from that one on.
CREATE FUNCTION files_holding(words text[], repo text, besides text, from_name text, most integer) RETURNS TABLE (file_id uuid, name text)
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF from_name IS NOT NULL THEN
    RETURN QUERY
      SELECT x.file_id, x.name
      FROM (SELECT f.file_id, lower(f.file_name) AS name FROM file f
            WHERE f.tenant_id = current_tenant() AND f.repo_type = repo AND f.file_deleted IS NULL AND lower(f.file_name) COLLATE "C" >= from_name
            ORDER BY lower(f.file_name) COLLATE "C", f.file_id LIMIT 3000) x
      WHERE x.name LIKE ALL (SELECT '%' || w || '%' FROM unnest(words) w) AND x.name NOT LIKE besides LIMIT most;
    RETURN;
  END IF;
  -- A condition for each word, what is rare first: the index asks for the next one where those before it hold.
  RETURN QUERY EXECUTE format(
    'SELECT f.file_id, lower(f.file_name) FROM file f WHERE f.tenant_id = current_tenant() AND f.repo_type = $1 AND f.file_deleted IS NULL AND %s AND lower(f.file_name) NOT LIKE $2 LIMIT $3',
    (SELECT string_agg(format('lower(f.file_name) LIKE %L', '%' || w || '%'), ' AND ') FROM unnest(words) w))
    USING repo, besides, most;
END
$$;

-- Words of names that a word may have been meant for, likeliest first: those that share parts with it, and those in which two of its
-- letters stand the other way round, which leaves a short word hardly a part.
CREATE FUNCTION words_like(part text, repo text, most integer) RETURNS TABLE (word text, likeness real, files bigint)
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  swapped CONSTANT text[] := ARRAY(SELECT left(part, n - 1) || substr(part, n + 1, 1) || substr(part, n, 1) || substr(part, n + 2) FROM generate_series(1, length(part) - 1) n);
BEGIN
  RETURN QUERY
    SELECT k.fw_word, greatest(similarity(k.fw_word, part), CASE WHEN k.fw_word = ANY (swapped) THEN 0.5 END)::real AS alike, sum(k.fw_files)::bigint AS held
    FROM (SELECT w.fw_word, w.fw_files FROM file_word w WHERE w.tenant_id = current_tenant() AND w.fw_repo = repo AND w.fw_word % part
          UNION ALL
          SELECT w.fw_word, w.fw_files FROM file_word w WHERE w.tenant_id = current_tenant() AND w.fw_repo = repo AND w.fw_word = ANY (swapped) AND NOT w.fw_word % part
          UNION ALL
          SELECT d.fw_word, d.fw_files FROM file_word_delta d WHERE d.tenant_id = current_tenant() AND d.fw_repo = repo AND (d.fw_word % part OR d.fw_word = ANY (swapped))) k
    GROUP BY k.fw_word HAVING sum(k.fw_files) > 0 ORDER BY alike DESC, held DESC, k.fw_word LIMIT most;
END
$$;

-- Files whose names are made of words like those of the text, best first; `besides`: names that hold the text as it is, which were found
-- already. Each word is looked up among those that names of the workspace are made of, and names are read by the words found: most of
-- them by an index, and where a word is as common as that, along the names themselves. First names that hold all words and numbers of the
-- text, then without the numbers, then those that hold one of its words and are like it as a whole.
CREATE FUNCTION files_spelt_like(small text, besides text, repo text, most integer) RETURNS TABLE (file_id uuid, likeness real)
  LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  common CONSTANT integer := 10000;
  gathered CONSTANT integer := 1000;
  like_as_a_whole CONSTANT real := 0.3;
  parts CONSTANT text[] := ARRAY(SELECT m[1] FROM regexp_matches(small, '[[:alpha:]]{3,}', 'g') m LIMIT 6);
  numbers CONSTANT text[] := ARRAY(SELECT m[1] FROM regexp_matches(small, '[[:digit:]]{3,}', 'g') m ORDER BY length(m[1]) DESC LIMIT 4);
  part text;
  near text[];
  near_alike real[];
  near_files bigint[];
  -- Ways to spell the words of the text, likeliest first: the words (the rarest leads), how like they are, and how many names hold the rarest.
  ways text[] := '{""}';
  alike real[] := '{0}';
  rarest bigint[] := '{9223372036854775807}';
  lone text[] := '{}';
  lone_files bigint[] := '{}';
  words text[];
  -- Where names are read along from; null: by their parts.
  along text[];
  start text;
  found uuid[] := '{}';
  names text[] := '{}';
BEGIN
  FOREACH part IN ARRAY parts LOOP
    SELECT array_agg(w.word), array_agg(w.likeness), array_agg(w.files) INTO near, near_alike, near_files FROM words_like(part, repo, 4) w;
    CONTINUE WHEN near IS NULL;
    lone := lone || near[1];
    lone_files := lone_files || near_files[1];
    SELECT array_agg(t.way), array_agg(t.score), array_agg(t.files) INTO ways, alike, rarest
    FROM (SELECT CASE WHEN s.files < w.files THEN s.word || ' ' || w.way ELSE w.way || ' ' || s.word END AS way, w.score + s.likeness AS score, least(w.files, s.files) AS files
          FROM unnest(ways, alike, rarest) AS w (way, score, files) CROSS JOIN unnest(near, near_alike, near_files) AS s (word, likeness, files)
          ORDER BY score DESC, files DESC, way LIMIT 6) t;
  END LOOP;
  IF cardinality(lone) * 2 < cardinality(parts) OR cardinality(lone) = 0 THEN
    RETURN;
  END IF;
  FOR step IN CASE WHEN cardinality(numbers) > 0 THEN 1 ELSE 2 END .. CASE WHEN cardinality(lone) > 1 THEN 3 ELSE 2 END LOOP
    EXIT WHEN step = 3 AND cardinality(found) > 0;
    IF step = 3 THEN
      ways := lone;
      rarest := lone_files;
    END IF;
    FOR i IN 1 .. cardinality(ways) LOOP
      words := string_to_array(btrim(ways[i]), ' ');
      IF step = 1 THEN
        words := CASE WHEN rarest[i] > common THEN numbers || words ELSE words || numbers END;
      END IF;
      -- A number of four digits, such as a year, may be as common as a word.
      along := CASE WHEN rarest[i] > common AND i <= 2 AND (step > 1 OR (SELECT max(length(n)) FROM unnest(numbers) n) < 5) THEN ARRAY[words[cardinality(words)], ''] ELSE '{}' END;
      IF rarest[i] <= common OR step = 1 THEN
        along := along || NULL::text;
      END IF;
      FOREACH start IN ARRAY along LOOP
        EXIT WHEN cardinality(found) >= most;
        SELECT found || array_agg(h.file_id), names || array_agg(h.name) INTO found, names FROM files_holding(words, repo, besides, start, gathered) h WHERE h.file_id <> ALL (found);
      END LOOP;
    END LOOP;
    IF step = 3 THEN
      SELECT coalesce(array_agg(f.id), '{}'), coalesce(array_agg(f.name), '{}') INTO found, names FROM unnest(found, names) AS f (id, name) WHERE similarity(f.name, small) >= like_as_a_whole;
    END IF;
  END LOOP;
  RETURN QUERY
    SELECT x.id, x.likeness
    FROM (SELECT f.id, f.name, similarity(f.name, small) AS likeness FROM unnest(found, names) AS f (id, name)) x
    ORDER BY x.likeness DESC, x.name, x.id LIMIT most;
END
$$;

-- As before but for typing errors, which were looked for in the parts of all names: that took the longer the more names there were. And few
-- come of it: who joins them to files need not fear for thousands.
CREATE OR REPLACE FUNCTION files_named_like(needle text, repo text, most integer) RETURNS TABLE (file_id uuid, rank real)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp SET enable_seqscan = off SET work_mem = '16MB' AS $$
#variable_conflict use_column
DECLARE
  small CONSTANT text := lower(needle);
  held CONSTANT text := '%' || replace(replace(replace(small, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  -- Without three letters or digits in a row it has no part that the index knows: the names are read along their own.
  parted CONSTANT boolean := small ~ '[[:alnum:]]{3}';
  begun uuid[];
  holding uuid[];
BEGIN
  begun := ARRAY(
    SELECT f.file_id FROM file f
    WHERE f.tenant_id = current_tenant() AND f.repo_type = repo AND f.file_deleted IS NULL AND lower(f.file_name) COLLATE "C" >= small AND lower(f.file_name) COLLATE "C" < small || chr(1114111)
    ORDER BY lower(f.file_name) COLLATE "C", f.file_id LIMIT most);
  RETURN QUERY SELECT one, 3::real FROM unnest(begun) one;
  most := most - cardinality(begun);
  IF most <= 0 THEN
    RETURN;
  END IF;

  holding := ARRAY(
    SELECT x.file_id
    FROM (SELECT f.file_id, f.file_name FROM file f WHERE f.tenant_id = current_tenant() AND f.repo_type = repo AND f.file_deleted IS NULL
          ORDER BY lower(f.file_name) COLLATE "C", f.file_id LIMIT CASE WHEN parted THEN 5000 END) x
    WHERE lower(x.file_name) LIKE held AND NOT starts_with(lower(x.file_name), small) LIMIT most);
  IF parted AND cardinality(holding) < most THEN
    holding := ARRAY(
      SELECT x.file_id
      FROM (SELECT f.file_id, f.file_name FROM file f WHERE f.tenant_id = current_tenant() AND f.repo_type = repo AND f.file_deleted IS NULL
            AND lower(f.file_name) LIKE held AND NOT starts_with(lower(f.file_name), small) LIMIT 10000) x
      ORDER BY lower(x.file_name) COLLATE "C", x.file_id LIMIT most);
  END IF;
  RETURN QUERY SELECT one, 2::real FROM unnest(holding) one;
  most := most - cardinality(holding);
  IF most <= 0 THEN
    RETURN;
  END IF;

  RETURN QUERY SELECT s.file_id, s.likeness FROM files_spelt_like(small, held, repo, most) s;
END
$$;
