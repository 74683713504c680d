-- Lists with a filter for one value that an index holds in their order, whichever value it is: files of a state by age and by size,
-- those of who added them, memberships of an album and of a file.
CREATE INDEX file_repo_status_size ON file (tenant_id, repo_key, file_status, file_size, file_id) WHERE file_deleted IS NULL;

-- A plan that is kept knows no value of the filter, only how many there are. Where all files of a service are in one state, or were
-- added by one person, it would take the filter to keep out nothing, and read them all for the first rare value.
ALTER TABLE file ALTER COLUMN file_status SET (n_distinct = 20), ALTER COLUMN file_added_by SET (n_distinct = 100);
ALTER TABLE album_file ALTER COLUMN af_album SET (n_distinct = 1000), ALTER COLUMN af_file SET (n_distinct = -0.5);
ANALYZE file (file_status, file_added_by);
ANALYZE album_file (af_album, af_file);
