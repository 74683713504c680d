-- The text of a file as markdown: what became of extracting it, and where the markdown lies.
CREATE TABLE file_text (
  tenant_id uuid NOT NULL,
  file_id uuid NOT NULL,
  -- The bytes it was made of.
  ft_version text NOT NULL,
  ft_engine text,
  ft_status text NOT NULL DEFAULT 'pending' CHECK (ft_status IN ('pending', 'running', 'ready', 'empty', 'unsupported', 'failed')),
  ft_error text,
  ft_markdown_key text,
  ft_outline jsonb NOT NULL DEFAULT '[]',
  ft_page_map jsonb NOT NULL DEFAULT '[]',
  ft_pages integer,
  ft_words integer,
  ft_chars integer,
  ft_language text,
  ft_truncated boolean NOT NULL DEFAULT false,
  ft_attempts integer NOT NULL DEFAULT 0,
  ft_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, file_id),
  FOREIGN KEY (tenant_id, file_id) REFERENCES file ON DELETE CASCADE
);
CREATE INDEX file_text_open ON file_text (tenant_id, ft_updated) WHERE ft_status IN ('pending', 'running');
CALL make_tenant_table('file_text');

-- What is searched by its passages: a file, a record, an object … Its passages are of `source_version`; `source_wanted` is the version
-- they are to be of, the same once the source is live.
CREATE TABLE passage_source (
  tenant_id uuid NOT NULL REFERENCES workspace,
  source_kind text NOT NULL,
  source_id uuid NOT NULL,
  source_wanted text NOT NULL,
  source_version text,
  source_version_id uuid,
  source_title text NOT NULL DEFAULT '',
  source_url text,
  source_lang text,
  source_meta jsonb NOT NULL DEFAULT '{}',
  source_options jsonb NOT NULL DEFAULT '{}',
  source_generation integer NOT NULL DEFAULT 0,
  source_status text NOT NULL DEFAULT 'pending' CHECK (source_status IN ('pending', 'live', 'failed')),
  source_error text,
  -- What embedded the passages; null while none are.
  source_model text,
  source_passages integer NOT NULL DEFAULT 0,
  source_truncated boolean NOT NULL DEFAULT false,
  source_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, source_kind, source_id)
) WITH (fillfactor = 80);
CREATE INDEX passage_source_open ON passage_source (tenant_id, source_updated) WHERE source_status = 'pending';
CREATE INDEX passage_source_failed ON passage_source (tenant_id, source_updated, source_kind, source_id) WHERE source_status = 'failed';
CALL make_tenant_table('passage_source');

-- Where a source is searched; one without a row here cannot be reached.
CREATE TABLE passage_scope (
  tenant_id uuid NOT NULL,
  source_kind text NOT NULL,
  source_id uuid NOT NULL,
  scope_key text NOT NULL,
  PRIMARY KEY (tenant_id, source_kind, source_id, scope_key),
  FOREIGN KEY (tenant_id, source_kind, source_id) REFERENCES passage_source ON DELETE CASCADE
);
CREATE INDEX passage_scope_key ON passage_scope (tenant_id, scope_key, source_kind, source_id);
CALL make_tenant_table('passage_scope');
CALL make_searchable('passage_scope');

-- A stretch of a source's markdown: `psg_text` is exactly what stands from `psg_char_start` to `psg_char_end`.
CREATE TABLE passage (
  tenant_id uuid NOT NULL,
  passage_id uuid NOT NULL,
  source_kind text NOT NULL,
  source_id uuid NOT NULL,
  psg_ordinal integer NOT NULL,
  psg_text text NOT NULL,
  psg_heading text NOT NULL DEFAULT '',
  -- The header row of a table that goes on in the passage.
  psg_lead text NOT NULL DEFAULT '',
  psg_page_from integer,
  psg_page_to integer,
  psg_char_start integer NOT NULL,
  psg_char_end integer NOT NULL,
  psg_tokens integer NOT NULL,
  psg_hash text NOT NULL,
  -- Words of the text, and how many there are. Weights: A the title of the source, B headings, D the text.
  psg_tsv tsvector NOT NULL,
  psg_length integer NOT NULL,
  PRIMARY KEY (tenant_id, passage_id),
  FOREIGN KEY (tenant_id, source_kind, source_id) REFERENCES passage_source ON DELETE CASCADE
);
CREATE INDEX passage_of_source ON passage (tenant_id, source_kind, source_id, psg_ordinal);
CREATE INDEX passage_words ON passage USING gin (tenant_id, psg_tsv);
CALL make_tenant_table('passage');
CALL make_searchable('passage');

-- In how many passages of the workspace each word stands, counted up to so many: how much a word tells.
CREATE FUNCTION search_passages_words(words text[], most integer) RETURNS TABLE (word text, passages integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT w.word, n.passages FROM unnest(words) AS w (word)
  CROSS JOIN LATERAL (SELECT count(*)::integer AS passages FROM (
    SELECT FROM passage p WHERE p.tenant_id = current_tenant() AND p.psg_tsv @@ quote_literal(w.word)::tsquery LIMIT most) x) n
  WHERE n.passages > 0
$$;
CALL make_definer('search_passages_words(text[], integer)', 'atrium_search');

-- Passages of the scopes that the query finds, the best so many first. What a word adds is its weight, less and less the more often
-- the word stands there.
CREATE FUNCTION search_passages_text(query text, words text[], weights real[], scope_keys text[], most integer) RETURNS TABLE (passage_id uuid, psg_rank real)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.passage_id, f.psg_rank FROM (
    SELECT p.passage_id, (SELECT sum(w.weight * ts_rank('{0.1, 0.1, 0.1, 0.1}', p.psg_tsv, quote_literal(w.word)::tsquery)) FROM unnest(words, weights) AS w (word, weight))::real AS psg_rank
    FROM passage p
    WHERE p.tenant_id = current_tenant() AND p.psg_tsv @@ query::tsquery
      AND EXISTS (SELECT FROM passage_scope s WHERE s.tenant_id = p.tenant_id AND s.source_kind = p.source_kind AND s.source_id = p.source_id AND s.scope_key = ANY (scope_keys))
  ) f
  ORDER BY f.psg_rank DESC, f.passage_id LIMIT most
$$;
CALL make_definer('search_passages_text(text, text[], real[], text[], integer)', 'atrium_search');

-- Workspaces with sources or texts that have waited too long, page by page; only their ids.
CREATE FUNCTION retrieval_overdue(p_age_seconds double precision, p_after uuid, p_limit integer) RETURNS TABLE (tenant_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT w.tenant_id FROM workspace w
  WHERE w.ws_status = 'active' AND (p_after IS NULL OR w.tenant_id > p_after)
    AND (EXISTS (SELECT FROM passage_source s WHERE s.tenant_id = w.tenant_id AND s.source_status = 'pending' AND s.source_updated < clock_timestamp() - make_interval(secs => p_age_seconds))
      OR EXISTS (SELECT FROM file_text t WHERE t.tenant_id = w.tenant_id AND t.ft_status IN ('pending', 'running') AND t.ft_updated < clock_timestamp() - make_interval(secs => p_age_seconds)))
  ORDER BY w.tenant_id LIMIT p_limit
$$;
CALL make_definer('retrieval_overdue(double precision, uuid, integer)');
