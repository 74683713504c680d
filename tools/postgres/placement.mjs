// Where the data of the embedded server lies.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { canReach, giveTo } from './account.mjs';

const SYSTEM_STATE = platform() === 'darwin' ? '/private/var/db' : '/var/lib';

/** A folder of the system, open to every account, that stands for `folder`: the same one each time. */
export const shelterFor = (folder) => join(SYSTEM_STATE, `atrium-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 12)}`);

/**
 * The folder of the cluster: `<dataDir>/postgres/data`. When we are root and a folder above is closed to the server's
 * account (a 0700 home), it lies in a shelter of the system instead, noted in `<dataDir>/postgres.json`, so that it is
 * found again when the checkout moves.
 */
export function placeData(dataDir, account) {
  const note = join(dataDir, 'postgres.json');
  const inside = join(dataDir, 'postgres');
  if (existsSync(note)) return readyFolder(JSON.parse(readFileSync(note, 'utf8')).folder, account);
  const folder = readyFolder(inside, account);
  if (canReach(account, folder)) return folder;
  if (existsSync(join(folder, 'data'))) throw new Error(`The user ${account.name} does not reach the existing data in ${folder}: open the folders above it (chmod o+x).`);
  const shelter = join(shelterFor(dataDir), 'postgres');
  mkdirSync(shelterFor(dataDir), { recursive: true, mode: 0o755 });
  chmodSync(shelterFor(dataDir), 0o755);
  readyFolder(shelter, account);
  if (!canReach(account, shelter)) throw new Error(`The user ${account.name} reaches neither ${inside} nor ${shelter}. Set DATABASE_URL to a PostgreSQL server instead.`);
  writeFileSync(note, `${JSON.stringify({ folder: shelter }, null, 2)}\n`);
  return shelter;
}

function readyFolder(folder, account) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  giveTo(account, folder);
  return folder;
}
