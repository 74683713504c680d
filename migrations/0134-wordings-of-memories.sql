-- Earlier texts of a memory: a deletion takes them out of answers as well.
ALTER TABLE memory ADD COLUMN mem_wordings text[] NOT NULL DEFAULT '{}';
