-- A memory that was written after text of strangers had been read taints the runs that read it.
ALTER TABLE memory ADD COLUMN mem_tainted boolean NOT NULL DEFAULT false;
