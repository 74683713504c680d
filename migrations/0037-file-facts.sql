-- What a file shows of its bytes and of its holds, on its own row: a list that looked into three tables more for each of its
-- rows, nearly always to find nothing, spent a third of its time on that.
ALTER TABLE file
  ADD COLUMN file_shared  boolean NOT NULL DEFAULT false,
  ADD COLUMN file_corrupt boolean NOT NULL DEFAULT false,
  ADD COLUMN file_held    boolean NOT NULL DEFAULT false;

-- A file that gets its bytes, or other bytes. The blob's row is locked: who counts the next reference to it waits, and then
-- finds this file among those that share.
CREATE FUNCTION read_blob_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT b.blob_refs > 1, b.blob_corrupt IS NOT NULL INTO NEW.file_shared, NEW.file_corrupt
  FROM file_blob b WHERE b.tenant_id = NEW.tenant_id AND b.blob_id = NEW.file_blob FOR NO KEY UPDATE;
  NEW.file_shared := coalesce(NEW.file_shared, false);
  NEW.file_corrupt := coalesce(NEW.file_corrupt, false);
  RETURN NEW;
END $$;
CREATE TRIGGER blob_facts_of_new BEFORE INSERT ON file FOR EACH ROW WHEN (NEW.file_blob IS NOT NULL) EXECUTE FUNCTION read_blob_facts();
CREATE TRIGGER blob_facts_of_changed BEFORE UPDATE OF file_blob ON file FOR EACH ROW WHEN (OLD.file_blob IS DISTINCT FROM NEW.file_blob) EXECUTE FUNCTION read_blob_facts();

-- Bytes that begin or cease to be shared, or to be corrupt.
CREATE FUNCTION tell_blob_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE file SET file_shared = NEW.blob_refs > 1, file_corrupt = NEW.blob_corrupt IS NOT NULL
  WHERE tenant_id = NEW.tenant_id AND file_blob = NEW.blob_id AND (file_shared, file_corrupt) IS DISTINCT FROM (NEW.blob_refs > 1, NEW.blob_corrupt IS NOT NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER blob_facts AFTER UPDATE OF blob_refs, blob_corrupt ON file_blob FOR EACH ROW
  WHEN ((OLD.blob_refs > 1, OLD.blob_corrupt IS NOT NULL) IS DISTINCT FROM (NEW.blob_refs > 1, NEW.blob_corrupt IS NOT NULL)) EXECUTE FUNCTION tell_blob_facts();

-- Holds on the file itself. Its row is locked before they are looked at, so that two that end at once do not each find the other.
CREATE FUNCTION tell_file_holds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM file WHERE tenant_id = NEW.tenant_id AND file_id = NEW.lh_target_id FOR NO KEY UPDATE;
  UPDATE file SET file_held = EXISTS (
    SELECT FROM legal_hold h WHERE h.tenant_id = NEW.tenant_id AND h.lh_target_type = 'file' AND h.lh_target_id = NEW.lh_target_id AND h.lh_released_at IS NULL)
  WHERE tenant_id = NEW.tenant_id AND file_id = NEW.lh_target_id;
  RETURN NULL;
END $$;
CREATE TRIGGER file_hold_made AFTER INSERT ON legal_hold FOR EACH ROW WHEN (NEW.lh_target_type = 'file') EXECUTE FUNCTION tell_file_holds();
CREATE TRIGGER file_hold_ended AFTER UPDATE OF lh_released_at ON legal_hold FOR EACH ROW WHEN (NEW.lh_target_type = 'file') EXECUTE FUNCTION tell_file_holds();

-- Files that share, lost or are held already. The owner of the tables is not above their policies.
ALTER TABLE file NO FORCE ROW LEVEL SECURITY;
ALTER TABLE file_blob NO FORCE ROW LEVEL SECURITY;
ALTER TABLE legal_hold NO FORCE ROW LEVEL SECURITY;
UPDATE file f SET file_shared = b.blob_refs > 1, file_corrupt = b.blob_corrupt IS NOT NULL
FROM file_blob b WHERE b.tenant_id = f.tenant_id AND b.blob_id = f.file_blob AND (b.blob_refs > 1 OR b.blob_corrupt IS NOT NULL);
UPDATE file f SET file_held = true
WHERE EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = f.tenant_id AND h.lh_target_type = 'file' AND h.lh_target_id = f.file_id AND h.lh_released_at IS NULL);
ALTER TABLE file FORCE ROW LEVEL SECURITY;
ALTER TABLE file_blob FORCE ROW LEVEL SECURITY;
ALTER TABLE legal_hold FORCE ROW LEVEL SECURITY;
