-- Somebody's own threads in a space, in each order of lists: without them a list of the space reads all threads that they have.
CREATE INDEX thread_own_in_space_changed ON thread (tenant_id, thread_user, thread_space, thread_updated DESC, thread_id DESC) WHERE thread_active AND thread_space IS NOT NULL;
CREATE INDEX thread_own_in_space_newest ON thread (tenant_id, thread_user, thread_space, thread_created DESC, thread_id DESC) WHERE thread_active AND thread_space IS NOT NULL;
CREATE INDEX thread_own_in_space_named ON thread (tenant_id, thread_user, thread_space, thread_title_key, thread_id) WHERE thread_active AND thread_space IS NOT NULL;
