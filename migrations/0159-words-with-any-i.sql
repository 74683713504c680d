-- Searches by words know one letter i: with a dot or without it, small or capital, the dot in one piece with it or apart. What is stored and
-- shown stays as it was written, and so do names that must be unique (`folded` keeps both letters).
--
-- Words that the database computed are kept by triggers from here on, because the expression of a computed column cannot be changed without
-- writing its table again, which holds up everybody. To drop the expression takes a moment of an exclusive lock; what is stored stays. After
-- that only rows whose words change are written, a thousand rows at a time: of a million messages of usual length two or three minutes are
-- for reading them, and nobody waits. A host of the release before writes the same words, because triggers make them.
CREATE FUNCTION dotless(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(translate(written, U&'\0131\0130I', 'iii'), U&'i\0307', 'i');
REVOKE ALL ON FUNCTION dotless(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dotless(text) TO atrium_app, atrium_search, atrium_definer;

-- An erasure looks for words as they are kept.
CREATE OR REPLACE FUNCTION words_of(p_texts text[]) RETURNS SETOF text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT w.word FROM unnest(p_texts) AS t (whole)
      CROSS JOIN LATERAL (SELECT dotless(left(regexp_replace(t.whole, '\\[bfnrt]', ' ', 'g'), 300000))) AS c (plain)
      CROSS JOIN LATERAL (VALUES (c.plain), (regexp_replace(c.plain, '[^[:alnum:]]+', ' ', 'g'))) AS f (form)
      CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector('simple', f.form))) AS w (word);
  END;

-- part
CREATE FUNCTION keep_album_words() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.album_fts := to_tsvector('simple', dotless(NEW.album_name || ' ' || coalesce(NEW.album_description, '')));
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION keep_album_words() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keep_album_words() TO atrium_app, atrium_search, atrium_definer;
ALTER TABLE album ALTER COLUMN album_fts DROP EXPRESSION;
ALTER TABLE album ALTER COLUMN album_fts SET DEFAULT '';
CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF album_name, album_description, album_fts ON album FOR EACH ROW EXECUTE FUNCTION keep_album_words();

-- part
CREATE FUNCTION keep_agent_words() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.agent_tsv := to_tsvector('simple', dotless(NEW.agent_name || ' ' || coalesce(NEW.agent_description, '')));
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION keep_agent_words() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keep_agent_words() TO atrium_app, atrium_search, atrium_definer;
ALTER TABLE agent ALTER COLUMN agent_tsv DROP EXPRESSION;
ALTER TABLE agent ALTER COLUMN agent_tsv SET DEFAULT '';
CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF agent_name, agent_description, agent_tsv ON agent FOR EACH ROW EXECUTE FUNCTION keep_agent_words();

-- part
CREATE FUNCTION keep_prompt_words() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.prompt_tsv := to_tsvector('simple', dotless(NEW.prompt_name || ' ' || coalesce(NEW.prompt_description, '') || ' ' || NEW.prompt_text));
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION keep_prompt_words() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keep_prompt_words() TO atrium_app, atrium_search, atrium_definer;
ALTER TABLE prompt ALTER COLUMN prompt_tsv DROP EXPRESSION;
ALTER TABLE prompt ALTER COLUMN prompt_tsv SET DEFAULT '';
CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF prompt_name, prompt_description, prompt_text, prompt_tsv ON prompt FOR EACH ROW EXECUTE FUNCTION keep_prompt_words();

-- part
CREATE FUNCTION keep_thread_words() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.thread_tsv := to_tsvector('simple', dotless(coalesce(NEW.thread_title, '')));
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION keep_thread_words() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keep_thread_words() TO atrium_app, atrium_search, atrium_definer;
ALTER TABLE thread ALTER COLUMN thread_tsv DROP EXPRESSION;
ALTER TABLE thread ALTER COLUMN thread_tsv SET DEFAULT '';
CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF thread_title, thread_tsv ON thread FOR EACH ROW EXECUTE FUNCTION keep_thread_words();

-- part
CREATE FUNCTION keep_message_words() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.msg_tsv := CASE WHEN NEW.msg_status IN ('queued', 'generating', 'waiting') THEN '' ELSE to_tsvector('simple', dotless(left(NEW.msg_text, 100000))) END;
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION keep_message_words() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keep_message_words() TO atrium_app, atrium_search, atrium_definer;
ALTER TABLE message ALTER COLUMN msg_tsv DROP EXPRESSION;
ALTER TABLE message ALTER COLUMN msg_tsv SET DEFAULT '';
CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF msg_text, msg_status, msg_tsv ON message FOR EACH ROW EXECUTE FUNCTION keep_message_words();

-- part
CREATE FUNCTION keep_file_search_words() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.fst_words := to_tsvector('simple', dotless(NEW.fst_name || ' ' || translate(NEW.fst_name, '_-.,;:/\()[]{}+&#@!~=''"', '                       ') || ' ' || NEW.fst_summary || ' ' || left(NEW.fst_embedded, 20000)
    || ' ' || left(NEW.fst_tags, 10000) || ' ' || left(NEW.fst_analysis, 20000) || ' ' || left(NEW.fst_content, 60000)));
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION keep_file_search_words() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keep_file_search_words() TO atrium_app, atrium_search, atrium_definer;
ALTER TABLE file_search_text ALTER COLUMN fst_words DROP EXPRESSION;
ALTER TABLE file_search_text ALTER COLUMN fst_words SET DEFAULT '';
CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF fst_name, fst_summary, fst_embedded, fst_tags, fst_analysis, fst_content, fst_words ON file_search_text FOR EACH ROW EXECUTE FUNCTION keep_file_search_words();

-- part
-- The service makes these words, and a host of the release before makes them with both letters.
CREATE FUNCTION keep_knowledge_record_words() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  words CONSTANT text := NEW.rec_tsv::text;
BEGIN
  IF words <> dotless(words) THEN
    NEW.rec_tsv := dotless(words)::tsvector;
  END IF;
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION keep_knowledge_record_words() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keep_knowledge_record_words() TO atrium_app, atrium_search, atrium_definer;
CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF rec_tsv ON knowledge_record FOR EACH ROW EXECUTE FUNCTION keep_knowledge_record_words();

-- part
-- The service makes these words, and a host of the release before makes them with both letters.
CREATE FUNCTION keep_object_words() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  words CONSTANT text := NEW.obj_tsv::text;
BEGIN
  IF words <> dotless(words) THEN
    NEW.obj_tsv := dotless(words)::tsvector;
  END IF;
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION keep_object_words() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keep_object_words() TO atrium_app, atrium_search, atrium_definer;
CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF obj_tsv ON object FOR EACH ROW EXECUTE FUNCTION keep_object_words();

-- Words that were kept until now. A trigger makes them again where they are written.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT r.tenant_id, r.album_id, concat_ws(' ', r.album_name, r.album_description) ~ U&'[\0131\0130\0307]' AS has_another_i FROM album r
  WHERE $1::jsonb IS NULL OR (r.tenant_id, r.album_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY r.tenant_id, r.album_id LIMIT 1000
), kept AS (
  UPDATE album r SET album_fts = r.album_fts FROM page p WHERE p.has_another_i AND r.tenant_id = p.tenant_id AND r.album_id = p.album_id
)
SELECT jsonb_build_array(tenant_id, album_id) AS cursor FROM page ORDER BY tenant_id DESC, album_id DESC LIMIT 1;

-- part: in batches
WITH page AS MATERIALIZED (
  SELECT r.tenant_id, r.agent_id, concat_ws(' ', r.agent_name, r.agent_description) ~ U&'[\0131\0130\0307]' AS has_another_i FROM agent r
  WHERE $1::jsonb IS NULL OR (r.tenant_id, r.agent_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY r.tenant_id, r.agent_id LIMIT 1000
), kept AS (
  UPDATE agent r SET agent_tsv = r.agent_tsv FROM page p WHERE p.has_another_i AND r.tenant_id = p.tenant_id AND r.agent_id = p.agent_id
)
SELECT jsonb_build_array(tenant_id, agent_id) AS cursor FROM page ORDER BY tenant_id DESC, agent_id DESC LIMIT 1;

-- part: in batches
WITH page AS MATERIALIZED (
  SELECT r.tenant_id, r.prompt_id, concat_ws(' ', r.prompt_name, r.prompt_description, r.prompt_text) ~ U&'[\0131\0130\0307]' AS has_another_i FROM prompt r
  WHERE $1::jsonb IS NULL OR (r.tenant_id, r.prompt_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY r.tenant_id, r.prompt_id LIMIT 1000
), kept AS (
  UPDATE prompt r SET prompt_tsv = r.prompt_tsv FROM page p WHERE p.has_another_i AND r.tenant_id = p.tenant_id AND r.prompt_id = p.prompt_id
)
SELECT jsonb_build_array(tenant_id, prompt_id) AS cursor FROM page ORDER BY tenant_id DESC, prompt_id DESC LIMIT 1;

-- part: in batches
WITH page AS MATERIALIZED (
  SELECT r.tenant_id, r.thread_id, r.thread_title ~ U&'[\0131\0130\0307]' AS has_another_i FROM thread r
  WHERE $1::jsonb IS NULL OR (r.tenant_id, r.thread_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY r.tenant_id, r.thread_id LIMIT 1000
), kept AS (
  UPDATE thread r SET thread_tsv = r.thread_tsv FROM page p WHERE p.has_another_i AND r.tenant_id = p.tenant_id AND r.thread_id = p.thread_id
)
SELECT jsonb_build_array(tenant_id, thread_id) AS cursor FROM page ORDER BY tenant_id DESC, thread_id DESC LIMIT 1;

-- part: in batches
WITH page AS MATERIALIZED (
  SELECT r.tenant_id, r.msg_id, left(r.msg_text, 100000) ~ U&'[\0131\0130\0307]' AS has_another_i FROM message r
  WHERE $1::jsonb IS NULL OR (r.tenant_id, r.msg_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY r.tenant_id, r.msg_id LIMIT 1000
), kept AS (
  UPDATE message r SET msg_tsv = r.msg_tsv FROM page p WHERE p.has_another_i AND r.tenant_id = p.tenant_id AND r.msg_id = p.msg_id
)
SELECT jsonb_build_array(tenant_id, msg_id) AS cursor FROM page ORDER BY tenant_id DESC, msg_id DESC LIMIT 1;

-- part: in batches
WITH page AS MATERIALIZED (
  SELECT r.tenant_id, r.file_id, concat_ws(' ', r.fst_name, r.fst_summary, r.fst_embedded, r.fst_tags, r.fst_analysis, r.fst_content) ~ U&'[\0131\0130\0307]' AS has_another_i FROM file_search_text r
  WHERE $1::jsonb IS NULL OR (r.tenant_id, r.file_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY r.tenant_id, r.file_id LIMIT 1000
), kept AS (
  UPDATE file_search_text r SET fst_words = r.fst_words FROM page p WHERE p.has_another_i AND r.tenant_id = p.tenant_id AND r.file_id = p.file_id
)
SELECT jsonb_build_array(tenant_id, file_id) AS cursor FROM page ORDER BY tenant_id DESC, file_id DESC LIMIT 1;

-- part: in batches
WITH page AS MATERIALIZED (
  SELECT r.tenant_id, r.rec_id, r.rec_tsv::text ~ U&'[\0131\0130\0307]' AS has_another_i FROM knowledge_record r
  WHERE $1::jsonb IS NULL OR (r.tenant_id, r.rec_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY r.tenant_id, r.rec_id LIMIT 1000
), kept AS (
  UPDATE knowledge_record r SET rec_tsv = r.rec_tsv FROM page p WHERE p.has_another_i AND r.tenant_id = p.tenant_id AND r.rec_id = p.rec_id
)
SELECT jsonb_build_array(tenant_id, rec_id) AS cursor FROM page ORDER BY tenant_id DESC, rec_id DESC LIMIT 1;

-- part: in batches
WITH page AS MATERIALIZED (
  SELECT r.tenant_id, r.obj_id, r.obj_tsv::text ~ U&'[\0131\0130\0307]' AS has_another_i FROM object r
  WHERE $1::jsonb IS NULL OR (r.tenant_id, r.obj_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY r.tenant_id, r.obj_id LIMIT 1000
), kept AS (
  UPDATE object r SET obj_tsv = r.obj_tsv FROM page p WHERE p.has_another_i AND r.tenant_id = p.tenant_id AND r.obj_id = p.obj_id
)
SELECT jsonb_build_array(tenant_id, obj_id) AS cursor FROM page ORDER BY tenant_id DESC, obj_id DESC LIMIT 1;

-- What is looked for is written with the same letter.
-- part
CREATE OR REPLACE FUNCTION albums_matching(needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT album_id FROM album WHERE tenant_id = current_tenant() AND album_fts @@ websearch_to_tsquery('simple', dotless(needle)) $$;

CREATE OR REPLACE FUNCTION search_agents(needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT agent_id FROM agent WHERE tenant_id = current_tenant() AND agent_tsv @@ websearch_to_tsquery('simple', dotless(needle))
$$;

CREATE OR REPLACE FUNCTION search_prompts(needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT prompt_id FROM prompt WHERE tenant_id = current_tenant() AND prompt_tsv @@ websearch_to_tsquery('simple', dotless(needle))
$$;

CREATE OR REPLACE FUNCTION search_threads_text(needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT thread_id FROM thread WHERE tenant_id = current_tenant() AND thread_active AND thread_tsv @@ websearch_to_tsquery('simple', dotless(needle))
$$;

CREATE OR REPLACE FUNCTION search_messages_text(needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT msg_id FROM message WHERE tenant_id = current_tenant() AND msg_active AND msg_tsv @@ websearch_to_tsquery('simple', dotless(needle))
$$;

CREATE OR REPLACE FUNCTION files_with_words(needle text, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT file_id FROM file_search_text WHERE tenant_id = current_tenant() AND fst_words @@ websearch_to_tsquery('simple', dotless(needle)) LIMIT most $$;

CREATE OR REPLACE FUNCTION search_records(base text, needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT rec_id FROM knowledge_record WHERE tenant_id = current_tenant() AND rec_base = base::uuid AND rec_tsv @@ websearch_to_tsquery('simple', dotless(needle))
$$;

CREATE OR REPLACE FUNCTION search_objects(needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT obj_id FROM object WHERE tenant_id = current_tenant() AND obj_tsv @@ websearch_to_tsquery('simple', dotless(needle))
$$;
