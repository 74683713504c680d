-- Sources may also be queries of a PostgreSQL database.
ALTER TABLE object_source DROP CONSTRAINT object_source_osr_kind_check;
ALTER TABLE object_source ADD CONSTRAINT object_source_osr_kind_check CHECK (osr_kind IN ('http_json', 'http_csv', 'sql'));
