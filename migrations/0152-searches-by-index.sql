-- Where a planner does not know what is looked for, and few rows are asked for, it may read all rows in their order and fold each.
ALTER FUNCTION people_matching(text, boolean) SET enable_seqscan = off;
ALTER FUNCTION publications_matching(text, integer) SET enable_seqscan = off;
ALTER FUNCTION users_search(text, text[], text[]) SET enable_seqscan = off;
