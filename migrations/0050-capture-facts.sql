-- A picture lies on the day its camera said: what it was taken by is the local time of the camera, written as if it were UTC.
-- Files that were looked into before the local time was kept have their instant instead, which is the same wherever no zone was
-- known, until they are looked into once more; files without either have the moment they were added.
DROP TRIGGER day_of_changed ON file;
DROP INDEX file_repo_taken;
ALTER TABLE file
  DROP COLUMN file_taken,
  ADD COLUMN file_taken timestamptz(3) NOT NULL GENERATED ALWAYS AS (coalesce(file_instant((file_metadata #>> '{system,taken_local}') || 'Z'), file_instant(file_metadata #>> '{system,taken}'), file_created)) STORED,
  ADD COLUMN file_rating double precision GENERATED ALWAYS AS (file_number(file_metadata #> '{system,embedded,rating}')) STORED,
  ADD COLUMN file_iso double precision GENERATED ALWAYS AS (file_number(file_metadata #> '{system,iso}')) STORED,
  ADD COLUMN file_exposure double precision GENERATED ALWAYS AS (file_number(file_metadata #> '{system,exposure}')) STORED,
  ADD COLUMN file_aperture double precision GENERATED ALWAYS AS (file_number(file_metadata #> '{system,aperture}')) STORED,
  ADD COLUMN file_focal_length double precision GENERATED ALWAYS AS (file_number(file_metadata #> '{system,focal_length}')) STORED,
  ADD COLUMN file_altitude double precision GENERATED ALWAYS AS (file_number(file_metadata #> '{system,altitude}')) STORED;
CREATE INDEX file_repo_taken ON file (tenant_id, repo_key, file_taken, file_id) INCLUDE (file_kind, file_status, file_processing) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_rating ON file (tenant_id, repo_key, file_rating) WHERE file_deleted IS NULL AND file_rating IS NOT NULL;
CREATE INDEX file_repo_iso ON file (tenant_id, repo_key, file_iso) WHERE file_deleted IS NULL AND file_iso IS NOT NULL;
CREATE INDEX file_repo_exposure ON file (tenant_id, repo_key, file_exposure) WHERE file_deleted IS NULL AND file_exposure IS NOT NULL;
CREATE INDEX file_repo_aperture ON file (tenant_id, repo_key, file_aperture) WHERE file_deleted IS NULL AND file_aperture IS NOT NULL;
CREATE INDEX file_repo_focal_length ON file (tenant_id, repo_key, file_focal_length) WHERE file_deleted IS NULL AND file_focal_length IS NOT NULL;
CREATE INDEX file_repo_altitude ON file (tenant_id, repo_key, file_altitude) WHERE file_deleted IS NULL AND file_altitude IS NOT NULL;
CREATE TRIGGER day_of_changed AFTER UPDATE ON file FOR EACH ROW
  WHEN ((OLD.file_deleted IS NULL) <> (NEW.file_deleted IS NULL) OR OLD.repo_key <> NEW.repo_key OR (OLD.file_processing = 'quarantined') <> (NEW.file_processing = 'quarantined')
        OR OLD.file_taken <> NEW.file_taken)
  EXECUTE FUNCTION tell_file_day();
