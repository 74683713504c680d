-- Counting the files of a library: how many fill a smart album, how many were taken in a month. What is mostly asked for
-- together (kind, state, whether quarantined) lies in the indexes by which files are found, so that a count reads entries
-- of an index and not the files.
DROP INDEX file_repo_created;
DROP INDEX file_repo_taken;
DROP INDEX file_repo_kind;
DROP INDEX file_repo_status;
DROP INDEX file_repo_camera;
DROP INDEX file_repo_orientation;
DROP INDEX file_repo_source;
CREATE INDEX file_repo_created ON file (tenant_id, repo_key, file_created, file_id) INCLUDE (file_kind, file_status, file_processing) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_taken ON file (tenant_id, repo_key, file_taken, file_id) INCLUDE (file_kind, file_status, file_processing) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_kind ON file (tenant_id, repo_key, file_kind, file_created, file_id) INCLUDE (file_status, file_processing) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_status ON file (tenant_id, repo_key, file_status, file_created, file_id) INCLUDE (file_kind, file_processing) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_camera ON file (tenant_id, repo_key, file_camera_key, file_created, file_id) INCLUDE (file_kind, file_status, file_processing) WHERE file_deleted IS NULL AND file_camera_key IS NOT NULL;
CREATE INDEX file_repo_orientation ON file (tenant_id, repo_key, file_orientation, file_created, file_id) INCLUDE (file_kind, file_status, file_processing) WHERE file_deleted IS NULL AND file_orientation IS NOT NULL;
CREATE INDEX file_repo_source ON file (tenant_id, repo_key, file_source, file_created, file_id) INCLUDE (file_kind, file_status, file_processing) WHERE file_deleted IS NULL;

-- The tags of a file, read from the index alone.
DROP INDEX file_tag_file;
CREATE INDEX file_tag_file ON file_tag (tenant_id, ft_file) INCLUDE (ft_tag);

-- What is searched for comes before the workspace: an index of this kind asks its columns in their order for every file that
-- bears the rarest part of a text, and then begins again; asking first whether the file is one of a million of the workspace
-- cost most of a search. The workspace still leads from one of its files to the next.
DROP INDEX file_name_trigram;
DROP INDEX file_summary_trigram;
DROP INDEX file_search_words;
CREATE INDEX file_name_trigram ON file USING gin (lower(file_name) gin_trgm_ops, tenant_id) WHERE file_deleted IS NULL;
CREATE INDEX file_summary_trigram ON file USING gin (lower(file_summary) gin_trgm_ops, tenant_id) WHERE file_deleted IS NULL AND file_summary IS NOT NULL;
CREATE INDEX file_search_words ON file_search_text USING gin (fst_words, tenant_id);

-- Publications by their words, at most so many: of more, the newest are come across.
DROP INDEX publication_search;
CREATE INDEX publication_search ON publication USING gin (pub_search gin_trgm_ops, tenant_id);
DROP FUNCTION publications_matching(text);
CREATE FUNCTION publications_matching(needle text, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT pub_id FROM publication WHERE tenant_id = current_tenant() AND pub_search LIKE '%' || replace(replace(replace(lower(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%' LIMIT most $$;
CALL make_definer('publications_matching(text, integer)', 'atrium_search');

-- Files of a repository whose name resembles the text, best first: beginnings along an index of the names, then those that hold
-- it, by a look at the first names and then by its parts, then typing errors. Each step is taken only where those before it found
-- too few, and none gathers more than so many: what most names hold costs no more than what few do.
CREATE INDEX file_named ON file (tenant_id, repo_type, (lower(file_name)) COLLATE "C", file_id) INCLUDE (file_name) WHERE file_deleted IS NULL;
CREATE OR REPLACE FUNCTION files_named_like(needle text, repo text, most integer) RETURNS TABLE (file_id uuid, rank real)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET work_mem = '16MB' AS $$
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

  RETURN QUERY
    SELECT x.file_id, x.likeness
    FROM (SELECT f.file_id, f.file_name, similarity(lower(f.file_name), small) AS likeness FROM file f
          WHERE f.tenant_id = current_tenant() AND f.repo_type = repo AND f.file_deleted IS NULL AND lower(f.file_name) % small AND lower(f.file_name) NOT LIKE held LIMIT 10000) x
    ORDER BY x.likeness DESC, x.file_name, x.file_id LIMIT most;
END
$$;
