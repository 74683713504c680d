// What only this installation knows: DATA_DIR/secrets.json, readable by its owner alone.
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a file that no one else may read, completely or not at all. Root leaves it to the owner of the folder. */
export function writePrivate(file, value) {
  writeFileSync(`${file}.partial`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(dirname(file));
    chownSync(`${file}.partial`, uid, gid);
  }
  renameSync(`${file}.partial`, file);
}

/** The secrets of the installation, made at the first start; `save()` keeps changes. */
export function openSecrets(dataDir) {
  const file = join(dataDir, 'secrets.json');
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const values = {
    superuser_password: randomBytes(24).toString('hex'),
    owner_password: randomBytes(24).toString('hex'),
    app_password: randomBytes(24).toString('hex'),
    master_key: randomBytes(32).toString('base64'),
    workspaces: {},
    ...known,
  };
  const save = () => writePrivate(file, values);
  save();
  return { values, save };
}
