-- Values that another schema of an object cannot show, by the schema they belong to: they come back with it.
ALTER TABLE object ADD COLUMN obj_shelf jsonb NOT NULL DEFAULT '{}';
