-- Where the run puts the copy that makes it now: only that one may become live, and runs that lost remove only their own.
ALTER TABLE publication ADD COLUMN pub_copy_object text;
