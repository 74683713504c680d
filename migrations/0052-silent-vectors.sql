-- Files without words had vectors that were as near to everything as to nothing; and empty files were each other's duplicates.
ALTER TABLE vector_entry NO FORCE ROW LEVEL SECURITY;
ALTER TABLE duplicate_group NO FORCE ROW LEVEL SECURITY;
ALTER TABLE duplicate_group_file NO FORCE ROW LEVEL SECURITY;
ALTER TABLE file NO FORCE ROW LEVEL SECURITY;

DELETE FROM vector_entry WHERE ve_kind = 'media-file' AND ve_hash IN (SELECT encode(sha256(convert_to(t, 'UTF8')), 'hex') FROM (VALUES (''), (' ')) AS silent (t));

DELETE FROM duplicate_group_file g USING file f WHERE f.tenant_id = g.tenant_id AND f.file_id = g.dgf_file AND f.file_size = 0 AND g.dgf_open;
DELETE FROM duplicate_group g WHERE g.dup_state = 'open' AND (SELECT count(*) FROM duplicate_group_file m WHERE m.tenant_id = g.tenant_id AND m.dgf_group = g.dup_id) < 2;

ALTER TABLE vector_entry FORCE ROW LEVEL SECURITY;
ALTER TABLE duplicate_group FORCE ROW LEVEL SECURITY;
ALTER TABLE duplicate_group_file FORCE ROW LEVEL SECURITY;
ALTER TABLE file FORCE ROW LEVEL SECURITY;
