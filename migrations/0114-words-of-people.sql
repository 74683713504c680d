-- What an erasure takes out of texts: an address, also where it is joined to other words or stands before the ending of a
-- file's name, and a name of several words. A longer address that merely ends or begins alike is another one.
CREATE OR REPLACE FUNCTION address_pattern(p_email text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN '((?<![A-Za-z0-9.+])|(?<=\\[bfnrt])|(?<=\\u[0-9a-f]{4})|(?<=%[0-9A-Fa-f]{2}))'
    || replace(regexp_replace(p_email, '([^A-Za-z0-9@])', '\\\1', 'g'), '@', '(@|%40|%2540)')
    || '(?![A-Za-z0-9]|-*[A-Za-z0-9-]*\.(?!(bak|bmp|csv|docx?|eml|gif|gz|heic|html?|ics|jpe?g|jsonl?|log|m4a|md|mkv|mov|mp[34]|msg|odp|ods|odt|pdf|png|pptx?|psd|rar|rtf|svg|tar|tiff?|tsv|txt|vcf|wav|webm|webp|xlsx?|xml|ya?ml|zip)(?![A-Za-z0-9]))[A-Za-z0-9])';

-- The words of a name as they are written one after another, or the last one first; null for a name of one word, which means much else.
CREATE FUNCTION name_pattern(p_name text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (
    SELECT '((?<![[:alnum:]])|(?<=\\[bfnrt])|(?<=%[0-9A-Fa-f]{2}))(' || string_agg(w.word, gap.gap ORDER BY w.place) || '|' || (array_agg(w.word ORDER BY w.place DESC))[1] || ','
      || gap.gap || string_agg(w.word, gap.gap ORDER BY w.place) FILTER (WHERE NOT w.is_last) || ')(?![[:alnum:]])'
    FROM (SELECT replace(regexp_replace(s.part, '([][\\.^$*+?(){}|-])', '\\\1', 'g'), '"', '\\?"') AS word, s.place, s.place = max(s.place) OVER () AS is_last
          FROM regexp_split_to_table(btrim(p_name), '\s+') WITH ORDINALITY AS s (part, place)) w
    CROSS JOIN (VALUES ('(\s|[_+-]|%20|\\[nrt])+')) AS gap (gap)
    WHERE length(regexp_replace(p_name, '\s', '', 'g')) >= 5
    GROUP BY gap.gap HAVING count(*) >= 2);

CREATE FUNCTION person_pattern(p_email text, p_name text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN nullif(concat_ws('|', '(' || address_pattern(p_email) || ')', '(' || name_pattern(p_name) || ')'), '');

CREATE FUNCTION without_person(p_text text, p_pattern text, p_mark text DEFAULT '[erased]') RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN p_pattern IS NULL THEN p_text ELSE regexp_replace(p_text, p_pattern, p_mark, 'gi') END;

-- The words of texts and JSON as searches index them, whole and in parts.
CREATE FUNCTION words_of(p_texts text[]) RETURNS SETOF text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT w.word FROM unnest(p_texts) AS t (whole)
      CROSS JOIN LATERAL (SELECT left(regexp_replace(t.whole, '\\[bfnrt]', ' ', 'g'), 300000)) AS c (plain)
      CROSS JOIN LATERAL (VALUES (c.plain), (regexp_replace(c.plain, '[^[:alnum:]]+', ' ', 'g'))) AS f (form)
      CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector('simple', f.form))) AS w (word);
  END;

-- Search words without those that texts have lost.
CREATE FUNCTION words_without(p_words tsvector, p_old text[], p_new text[]) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ts_delete(p_words, ARRAY(SELECT words_of(p_old) EXCEPT SELECT words_of(p_new)));

REVOKE ALL ON FUNCTION name_pattern(text), person_pattern(text, text), without_person(text, text, text), words_of(text[]), words_without(tsvector, text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION name_pattern(text), person_pattern(text, text), without_person(text, text, text) TO atrium_app, atrium_definer;
GRANT EXECUTE ON FUNCTION words_of(text[]), words_without(tsvector, text[], text[]) TO atrium_app;

-- Takes a person out of rows of the access log: from where they called, and their address and name wherever somebody sent
-- them. How many rows were changed.
DROP FUNCTION access_log_forget(uuid, text, integer);
CREATE FUNCTION access_log_forget(p_user uuid, p_email text, p_name text, p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  found integer;
  total integer;
  needle text;
  pattern text;
BEGIN
  UPDATE access_log l SET log_ip = NULL, log_user_agent = NULL FROM (
    SELECT d.log_timestamp, d.log_id FROM access_log d
    WHERE d.tenant_id = current_tenant() AND d.log_user = p_user AND (d.log_ip IS NOT NULL OR d.log_user_agent IS NOT NULL) LIMIT p_limit) due
  WHERE l.tenant_id = current_tenant() AND l.log_timestamp = due.log_timestamp AND l.log_id = due.log_id;
  GET DIAGNOSTICS total = ROW_COUNT;
  FOR needle, pattern IN SELECT * FROM (VALUES (p_email, address_pattern(p_email)), (p_name, name_pattern(p_name))) AS n (needle, pattern) WHERE n.pattern IS NOT NULL LOOP
    EXECUTE 'UPDATE access_log c SET log_url = n.url, log_query = n.query, log_params = n.params, log_body = n.body,
                                     log_text = access_log_without_ids(access_log_whole(n.url, n.query, n.params, n.body)), log_ids = access_log_ids(access_log_whole(n.url, n.query, n.params, n.body))
             FROM (SELECT l.log_timestamp, l.log_id, without_person(l.log_url, $1) AS url, without_person(l.log_query::text, $1)::jsonb AS query,
                          without_person(l.log_params::text, $1)::jsonb AS params, without_person(l.log_body::text, $1)::jsonb AS body
                   FROM access_log l
                   WHERE l.tenant_id = current_tenant() AND access_log_whole(l.log_url, l.log_query, l.log_params, l.log_body) ~* $1' || access_log_narrowed(needle) || ' LIMIT $2) n
             WHERE c.tenant_id = current_tenant() AND c.log_timestamp = n.log_timestamp AND c.log_id = n.log_id'
      USING pattern, p_limit;
    GET DIAGNOSTICS found = ROW_COUNT;
    total := total + found;
    UPDATE access_log l SET log_idempotency_key = without_person(l.log_idempotency_key, pattern), log_user_agent = without_person(l.log_user_agent, pattern) FROM (
      SELECT d.log_timestamp, d.log_id FROM access_log d
      WHERE d.tenant_id = current_tenant() AND (d.log_idempotency_key ~* pattern OR d.log_user_agent ~* pattern) LIMIT p_limit) due
    WHERE l.tenant_id = current_tenant() AND l.log_timestamp = due.log_timestamp AND l.log_id = due.log_id;
    GET DIAGNOSTICS found = ROW_COUNT;
    total := total + found;
  END LOOP;
  RETURN total;
END
$$;
CALL make_definer('access_log_forget(uuid, text, text, integer)');

-- Takes a person out of a stretch of the outbox: events and finished jobs lose address and name, jobs that wait to use the address are dropped.
DROP FUNCTION outbox_forget(text, uuid, integer);
CREATE FUNCTION outbox_forget(p_email text, p_name text, p_after uuid, p_limit integer) RETURNS TABLE (changed integer, last uuid)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  address CONSTANT text := address_pattern(p_email);
  pattern CONSTANT text := person_pattern(p_email, p_name);
  stretch uuid[];
  gone integer;
BEGIN
  SELECT array_agg(s.ev_id), (array_agg(s.ev_id ORDER BY s.ev_id DESC))[1] INTO stretch, last
    FROM (SELECT o.ev_id FROM outbox o WHERE o.tenant_id = current_tenant() AND (p_after IS NULL OR o.ev_id > p_after) ORDER BY o.ev_id LIMIT p_limit) s;
  DELETE FROM outbox o WHERE o.tenant_id = current_tenant() AND o.ev_id = ANY (stretch) AND o.ev_kind = 'job' AND o.ev_done IS NULL AND o.ev_payload::text ~* address;
  GET DIAGNOSTICS gone = ROW_COUNT;
  UPDATE outbox o SET ev_payload = without_person(o.ev_payload::text, pattern)::jsonb, ev_actor = without_person(o.ev_actor::text, pattern)::jsonb, ev_error = without_person(o.ev_error, pattern),
                      ev_key = without_person(o.ev_key, pattern), ev_flow = without_person(o.ev_flow, pattern)
    WHERE o.tenant_id = current_tenant() AND o.ev_id = ANY (stretch)
      AND (o.ev_payload::text ~* pattern OR o.ev_actor::text ~* pattern OR o.ev_error ~* pattern OR o.ev_key ~* pattern OR o.ev_flow ~* pattern);
  GET DIAGNOSTICS changed = ROW_COUNT;
  changed := changed + gone;
  RETURN NEXT;
END
$$;
CALL make_definer('outbox_forget(text, text, uuid, integer)');

DROP FUNCTION without_address(text, text);

-- Rows that are written once are redacted in their one text, and changed in nothing else.
GRANT UPDATE (fh_details) ON file_history TO atrium_app;
GRANT UPDATE (se_event) ON stream_event TO atrium_app;
GRANT UPDATE (pm_record) ON person_merge TO atrium_app;
