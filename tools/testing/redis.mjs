// A Redis (or Valkey) of this machine for the contract suites, without persistence.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../postgres/cluster.mjs';
import { spawnKept } from '../processes/lifeline.mjs';

const READY_DEADLINE_MS = 10_000;

/** The name of the server program, where one is installed. */
export const redisProgram = () => ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Starts one on a free port: `{ url, stop }`, or null where no server program is found. */
export async function startRedis() {
  const program = redisProgram();
  if (!program) return null;
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'atrium-test-redis-'));
  const flags = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder];
  const server = spawnKept(program, flags, { stdio: ['ignore', 'ignore'], removeAfterwards: folder });
  for (const deadline = Date.now() + READY_DEADLINE_MS; !(await pongs(port)); await pause(50)) {
    if (!server.running || Date.now() > deadline) throw new Error(`${program} did not start on port ${port}.`);
  }
  return { url: `redis://127.0.0.1:${port}`, stop: () => server.stop(5_000) };
}

const pongs = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const end = (answer) => (socket.destroy(), resolve(answer));
    socket.once('data', (data) => end(data.toString().startsWith('+PONG'))).once('error', () => end(false));
  });
