// Location of the data of the embedded server.
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { canReach, giveTo } from './account.mjs';

const SYSTEM_STATE = platform() === 'darwin' ? '/private/var/db' : '/var/lib';

/** A folder of the system, open to every account, in place of `folder`: the same one each time. */
export const shelterFor = (folder) =>
  join(SYSTEM_STATE, `atrium-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 12)}`);

/**
 * The folder of the cluster: `<dataDir>/postgres`. When we are root and a folder above is closed to the server's
 * account (a 0700 home), it is in a shelter of the system instead. `<dataDir>/postgres.json` notes which, so that it
 * is found again when the checkout moves, and a recreated data folder never meets data whose passwords are lost.
 */
export function placeData(dataDir, account) {
  const note = join(dataDir, 'postgres.json');
  if (existsSync(note)) return readyFolder(notedFolder(note, dataDir), account);
  const inside = join(dataDir, 'postgres');
  if (canReach(account, readyFolder(inside, account))) return inside;
  if (existsSync(join(inside, 'data')))
    throw new Error(`The user ${account.name} cannot access the existing data in ${inside}. Open the folders above it (chmod o+x).`);
  const shelter = shelterFor(dataDir);
  mkdirSync(shelter, { recursive: true, mode: 0o755 });
  chmodSync(shelter, 0o755);
  const folder = readyFolder(join(shelter, `postgres-${randomBytes(4).toString('hex')}`), account);
  if (!canReach(account, folder))
    throw new Error(
      `The user ${account.name} can access neither ${inside} nor ${folder}. Set DATABASE_URL to a PostgreSQL server instead.`,
    );
  writeFileSync(note, `${JSON.stringify({ folder, data_dir: realpathSync(dataDir) }, null, 2)}\n`);
  return folder;
}

/** Location of the existing cluster of the data folder, if there is one. */
export function knownFolder(dataDir) {
  const note = join(dataDir, 'postgres.json');
  return existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')).folder : join(dataDir, 'postgres');
}

/** A copied data folder notes the data of its original: two servers must never share it. */
function notedFolder(note, dataDir) {
  const { folder, data_dir: original } = JSON.parse(readFileSync(note, 'utf8'));
  const here = realpathSync(dataDir);
  if (original !== here && existsSync(join(original, 'postgres.json'))) {
    throw new Error(
      `${here} is a copy of ${original}, whose database is in ${folder}. Remove postgres.json and secrets.json from the copy to start with an empty database.`,
    );
  }
  if (original !== here) writeFileSync(note, `${JSON.stringify({ folder, data_dir: here }, null, 2)}\n`);
  return folder;
}

function readyFolder(folder, account) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  giveTo(account, folder);
  return folder;
}
