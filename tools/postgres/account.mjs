// The operating system account that PostgreSQL runs under: it refuses to run as root.
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, statSync } from 'node:fs';

const CANDIDATES = ['postgres', '_postgres', 'nobody', 'daemon'];

/**
 * `{ name, uid, gid, switched }`. An ordinary user runs PostgreSQL as itself (uid and gid undefined); root lends it
 * the account `postgres` or, where none exists, another one without privileges. No account is created.
 */
export function serverAccount() {
  if (process.getuid?.() !== 0) return { name: process.env.USER ?? 'the current user', uid: undefined, gid: undefined, switched: false };
  for (const name of CANDIDATES) {
    const [uid, gid] = [idOf('-u', name), idOf('-g', name)];
    if (uid > 0 && gid > 0) return { name, uid, gid, switched: true };
  }
  throw new Error(
    `PostgreSQL does not run as root and none of the users ${CANDIDATES.join(', ')} exists. Run as an ordinary user or set DATABASE_URL.`,
  );
}

/**
 * The account for a cluster that exists: the owner of its data. Root takes that owner's account; an
 * ordinary user cannot.
 */
export function accountOwning(folder) {
  if (!existsSync(folder)) return serverAccount();
  const { uid, gid } = statSync(folder);
  const own = process.getuid?.();
  if (own === 0 && uid !== 0) return { name: nameOf(uid), uid, gid, switched: true };
  if (own !== 0 && uid !== own)
    throw new Error(
      `The database in ${folder} belongs to ${nameOf(uid)}. Start as that user or as root, or set DATA_DIR to another folder.`,
    );
  return serverAccount();
}

function nameOf(uid) {
  const answer = spawnSync('id', ['-un', String(uid)], { encoding: 'utf8' });
  return answer.status === 0 ? answer.stdout.trim() : `user ${uid}`;
}

function idOf(flag, name) {
  const answer = spawnSync('id', [flag, name], { encoding: 'utf8' });
  return answer.status === 0 ? Number(answer.stdout.trim()) : -1;
}

/** Options for `spawn` that run a program under the account, from a folder that it can certainly enter. */
export const asAccount = (account, options = {}) => ({
  cwd: '/',
  ...options,
  ...(account.switched ? { uid: account.uid, gid: account.gid } : {}),
});

/** Hands a file or folder to the account. */
export function giveTo(account, path) {
  if (account.switched) chownSync(path, account.uid, account.gid);
}

/** Whether the account reaches the folder: every folder above must be open to it, which only a try can show. */
export const canReach = (account, folder) => spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], asAccount(account)).status === 0;

/** Whether the account can run the program (`--version`): fails on closed folders and on missing libraries alike. */
export const canRun = (account, program) => spawnSync(program, ['--version'], asAccount(account)).status === 0;
