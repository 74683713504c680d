// npm test: everything that must hold, from a fresh clone, in one command.
import './setup/node-version.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { say, sinceStart, step } from './console/steps.mjs';
import { distributionPostgres } from './postgres/binaries.mjs';
import { startThrowaway } from './postgres/throwaway.mjs';
import { projectRoot } from './project.mjs';
import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { changesSince, houseHere } from './testing/changes.mjs';
import { checksFor } from './testing/checks.mjs';
import { costliest, keepDurations } from './testing/durations.mjs';
import { runJest } from './testing/jest-run.mjs';
import { reachOf } from './testing/reach.mjs';
import { redisProgram, startRedis } from './testing/redis.mjs';
import { selection } from './testing/selection.mjs';
import { newTally } from './testing/tally.mjs';

const OLDEST_POSTGRES = 15;
/** Redis is no part of a bare machine: what wants one is left out there, and said so at the end. */
const NO_REDIS = 'neither redis-server nor valkey-server is installed';

/** The projects of jest.config.cjs. */
const PROJECTS = ['unit', 'e2e', 's3', 'redis', 'postgres15'];

/** Files of which it is said what they took. */
const MOST_SHOWN = 15;

const asked = selection(process.argv.slice(2));
const tally = newTally({ isStrict: asked.isDeep });
const servers = [];
const suites = [];

async function main() {
  say('Atrium: tests');
  await step('packages', () => ensureInstalled());
  if (!(await counted('build', () => ensureBuilt()))) return;

  const { wants, patterns, runs, paths } = asked.reach ? await reached(asked.reach.since) : wholeOrPart();
  const projects = PROJECTS.filter((name) => runs.some((run) => run.projects.includes(name)));
  const { here, env } = projects.length > 0 ? await servedProjects(projects) : { here: [], env: {} };
  const checks = checksFor(wants, paths).map(
    ({ title, work }) =>
      () =>
        counted(title, work),
  );
  const [first, ...later] = runs
    .map((run) => ({ ...run, projects: run.projects.filter((name) => here.includes(name)) }))
    .map((run) => (run.projects.length > 0 ? [() => runTests(run, env)] : []));
  // The longest check, and beside it the specs, some of which measure memory and have processes of their own.
  await inTwoLanes([...checks.slice(0, 1), ...(first ?? []), ...checks.slice(1), ...later.flat()]);
  tally.expect(patterns);
  if (asked.keepsDurations) keepDurations(suites);
}

/** The specs, and beside and after them all that goes over HTTP. */
function wholeOrPart() {
  const { wants, patterns } = asked;
  const projects = PROJECTS.filter(wants);
  return {
    wants,
    patterns,
    paths: [],
    runs: [
      { projects: projects.filter((name) => name === 'unit'), patterns },
      { projects: projects.filter((name) => name !== 'unit'), patterns },
    ],
  };
}

/** What can have been broken since the revision. */
async function reached(since) {
  const { revision, changed } = await changesSince(since);
  const { checks, folders, leftOut } = reachOf(changed, houseHere());
  say(`  since ${revision} ${changed.length} files have changed; over HTTP: ${folders.join(', ')}`);
  tally.skip(`what the change does not reach: ${[...leftOut.map((folder) => `test/${folder}`), 's3, redis and postgres15'].join(', ')}`);
  return {
    wants: (step) => checks.includes(step),
    patterns: [],
    paths: changed.filter((path) => existsSync(join(projectRoot, path))),
    runs: [
      { projects: ['unit'], patterns: [] },
      { projects: ['e2e'], patterns: [`/test/(?:${folders.join('|')})/`] },
    ],
  };
}

/** The projects whose servers are here, and how tests find these. */
async function servedProjects(projects) {
  const env = { TEST_PG_ADMIN_URL: process.env.TEST_PG_ADMIN_URL, ...(asked.isDeep ? { TESTS_DEEP: '1' } : {}) };
  if (!env.TEST_PG_ADMIN_URL)
    await step('PostgreSQL for the tests', async () => (env.TEST_PG_ADMIN_URL = await serve(startThrowaway({ inMemory: true }))));
  Object.assign(env, await optionalServers());
  if (projects.includes('postgres15')) env.TEST_PG15_ADMIN_URL = await olderServer();
  const lacks = { redis: !redisProgram(), postgres15: !env.TEST_PG15_ADMIN_URL };
  return { here: projects.filter((name) => !lacks[name]), env };
}

/** The projects in one run of jest. */
async function runTests({ projects, patterns }, env) {
  const title = `tests: ${projects.join(', ')}`;
  await step(title, async () => suites.push(...(await runJest({ projects, patterns, env, tally })))).catch((error) => {
    say(indent(error.message));
    tally.count(false, title);
  });
}

/** Two beside one another, for a check keeps one core busy; the long run of tests comes last and takes what is free. */
async function inTwoLanes(waiting) {
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
  };
  await Promise.all([lane(), lane()]);
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

async function optionalServers() {
  const env = { TEST_REDIS_URL: process.env.TEST_REDIS_URL };
  if (!env.TEST_REDIS_URL) {
    const redis = await startRedis();
    if (redis) servers.push(redis);
    else tally.skip(`suites against Redis: ${NO_REDIS}`);
    env.TEST_REDIS_URL = redis?.url;
  }
  if (spawnSync('/usr/bin/python3', ['-c', 'import swift']).status !== 0)
    tally.skip('suites against a real S3 server: python3-swift is not installed');
  return env;
}

/** Its address, where its programs are installed. */
async function olderServer() {
  const binaries = distributionPostgres(OLDEST_POSTGRES);
  if (binaries) return serve(startThrowaway({ binaries, inMemory: true }));
  tally.skip(`migrations and architecture on PostgreSQL ${OLDEST_POSTGRES}: it is not installed`);
  return undefined;
}

async function serve(starting) {
  const server = await starting;
  servers.push(server);
  return server.adminUrl;
}

const indent = (text) =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

try {
  await main();
} catch (error) {
  say(indent(error.message));
  tally.count(false, error.message.split('\n')[0]);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
}
if (suites.length > MOST_SHOWN) say(`\nMost processor time:\n${costliest(suites, MOST_SHOWN).join('\n')}`);
say(`\n${asked.whole ? 'Everything' : 'The selection'} took ${sinceStart()}.`);
process.exitCode = tally.conclude() ? 0 : 1;
