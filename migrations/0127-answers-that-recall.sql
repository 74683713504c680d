-- Whether the run of an answer was given memories of the person who asked, or an answer that rests on some: it may repeat them
-- without a citation, so others do not read it.
ALTER TABLE message ADD COLUMN msg_recalls boolean NOT NULL DEFAULT false;
