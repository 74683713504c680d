// npm test: everything that must hold, from a fresh clone, in one command.
import { spawnSync } from 'node:child_process';
import { say, sinceStart, step } from './console/steps.mjs';
import { distributionPostgres } from './postgres/binaries.mjs';
import { startThrowaway } from './postgres/throwaway.mjs';
import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { CHECKS } from './testing/checks.mjs';
import { runJest } from './testing/jest-run.mjs';
import { redisProgram, startRedis } from './testing/redis.mjs';
import { selection } from './testing/selection.mjs';
import { newTally } from './testing/tally.mjs';

const OLDEST_POSTGRES = 15;
/** What an older server must prove: that the migrations run and leave the catalog as the architecture wants it. */
const ARCHITECTURE = ['test/architecture/', 'libs/platform/database/', 'libs/platform/testing/src/postgres/'];
/** What holds on the disk in `e2e` must hold on S3 as well: everything of files, and whatever of distribution moves bytes. */
const BYTES = ['test/files/', 'test/distribution/(share-bytes|guest-uploads|publications|publishing-killed)\\.'];
/** What holds on the queue in PostgreSQL must hold on Redis as well: bytes read, packed, copied and taken back by jobs, killed ones too. */
const QUEUED = ['test/files/(ingest|zip)\\.', 'test/distribution/(publications|publishing-killed)\\.'];

/** Redis is no part of a bare machine: what wants one is left out there, and said so at the end. */
const NO_REDIS = 'neither redis-server nor valkey-server is installed';

const { patterns, wants, whole } = selection(process.argv.slice(2));
const tally = newTally();
const servers = [];

async function main() {
  say('Atrium: tests');
  await step('packages', () => ensureInstalled());
  if (!(await counted('build (types of apps and libs)', () => ensureBuilt()))) return;
  // Two at a time would only fight for two cores with everything else; each uses more than one already.
  for (const [name, title, work] of CHECKS) if (wants(name)) await counted(title, work);

  const env = { TEST_PG_ADMIN_URL: process.env.TEST_PG_ADMIN_URL };
  if (['unit', 'e2e', 's3', 'redis'].some(wants)) {
    if (!env.TEST_PG_ADMIN_URL) await step('PostgreSQL for the tests', async () => (env.TEST_PG_ADMIN_URL = await serve(startThrowaway())));
    Object.assign(env, await optionalServers());
  }
  for (const [project, title] of [['unit', 'unit tests'], ['e2e', 'end-to-end tests']]) {
    if (wants(project)) await jest(title, { label: project, projects: [project], patterns, env });
  }
  if (wants('s3')) await jest('files and distribution end to end on the S3 adapter', { label: 'S3', projects: ['e2e'], patterns: BYTES, env: { ...env, TEST_OBJECT_STORE: 's3' } });
  if (wants('redis')) await redisQueue(env);
  if (wants('postgres15')) await olderServer(env);
}

/** Runs a step that counts as one test; its complaint is printed and the others still run. */
async function counted(title, work) {
  try {
    await step(title, work);
    tally.count(true, title);
    return true;
  } catch (error) {
    say(indent(error.message));
    tally.count(false, title);
    return false;
  }
}

async function jest(title, options) {
  say(`\n${title}`);
  await step(title, () => runJest({ ...options, tally })).catch((error) => {
    say(indent(error.message));
    tally.count(false, title);
  });
}

async function optionalServers() {
  const env = { TEST_REDIS_URL: process.env.TEST_REDIS_URL };
  if (!env.TEST_REDIS_URL) {
    const redis = await startRedis();
    if (redis) servers.push(redis);
    else tally.skip(`suites against Redis: ${NO_REDIS}`);
    env.TEST_REDIS_URL = redis?.url;
  }
  if (spawnSync('/usr/bin/python3', ['-c', 'import swift']).status !== 0) tally.skip('suites against a real S3 server: python3-swift is not installed');
  return env;
}

/** Each file has a Redis of its own, so that none does the jobs of another. */
async function redisQueue(env) {
  if (!redisProgram()) return tally.skip(`files and distribution on the Redis queue: ${NO_REDIS}`);
  await jest('files and distribution end to end on the Redis queue', { label: 'Redis', projects: ['e2e'], patterns: QUEUED, env: { ...env, TEST_QUEUE: 'redis' } });
}

async function olderServer(env) {
  const binaries = distributionPostgres(OLDEST_POSTGRES);
  if (!binaries) return tally.skip(`migrations and architecture on PostgreSQL ${OLDEST_POSTGRES}: it is not installed`);
  const label = `PostgreSQL ${OLDEST_POSTGRES}`;
  await jest(`migrations and architecture on ${label}`, {
    label,
    projects: ['unit', 'e2e'],
    patterns: ARCHITECTURE,
    env: { ...env, TEST_PG_ADMIN_URL: await serve(startThrowaway(binaries)) },
  });
}

async function serve(starting) {
  const server = await starting;
  servers.push(server);
  return server.adminUrl;
}

const indent = (text) => text.split('\n').map((line) => `    ${line}`).join('\n');

try {
  await main();
} catch (error) {
  say(indent(error.message));
  tally.count(false, error.message.split('\n')[0]);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
}
say(`\n${whole ? 'Everything' : 'The selection'} took ${sinceStart()}.`);
process.exitCode = tally.conclude() ? 0 : 1;
