-- Albums and folders with an access list are few, and are asked for with every list of documents.
CREATE INDEX album_restricted ON album (tenant_id, album_kind, album_id) WHERE album_acl <> '{}';
