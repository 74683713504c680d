import type { RunningApi } from '@atrium/platform/testing';
import { OPERATOR_TOKENS } from './operating';
import { startAtrium, startWorker } from './api';
import { objectStore } from './object-store';

/** What test files may count on, and what changes nothing for those that do not ask for it. */
const SETTINGS = { OPERATOR_TOKENS, EDGE_COUNTRY_HEADER: 'X-Country', OUTBOUND_ALLOW: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1' };

interface Application {
  readonly api: RunningApi;
  readonly end: () => Promise<void>;
}

/** What this process keeps from file to file: the modules of tests are loaded afresh for each. */
const APPLICATIONS = Symbol.for('atrium.test.applications');
const applications = ((globalThis as { [APPLICATIONS]?: Map<string, Promise<Application>> })[APPLICATIONS] ??= endingWithTheProcess());

/**
 * The API that the test files of one process share, each in workspaces of its own: to start one takes longer than many a
 * file. For files that look at nothing beyond their workspaces and change nothing of the application; the others, and those
 * with settings of their own, start theirs with `startAtrium`. `close` leaves it to the next file.
 */
export const sharedAtrium = (): Promise<RunningApi> => shared('api', () => startAtrium(SETTINGS));

/** The same with a worker beside it (`api.worker`), on another database. */
export const sharedAtriumWithWorker = (): Promise<RunningApi> =>
  shared('api and worker', async () => {
    const api = await startAtrium(SETTINGS);
    await startWorker(api);
    return api;
  });

async function shared(name: string, start: () => Promise<RunningApi>): Promise<RunningApi> {
  if (!isOneOfSeveral() || hasOwnServers()) return start();
  let application = applications.get(name);
  if (!application) {
    applications.set(name, (application = start().then(leftOpen)));
    // One that could not start is tried again by the next file.
    application.catch(() => applications.delete(name));
  }
  const { api } = await application;
  Object.assign(process.env, api.environment);
  return api;
}

/** jest runs several files in processes of their own, but a single one in its own process, which ends when nothing is open. */
const isOneOfSeveral = (): boolean => process.send !== undefined;

/** The S3 and the Redis that a test file uses end with it. */
const hasOwnServers = (): boolean => objectStore !== 'disk' || process.env.TEST_QUEUE === 'redis';

function leftOpen(api: RunningApi): Application {
  const end = api.close.bind(api);
  api.close = () => Promise.resolve();
  return { api, end };
}

/** jest ends its processes by listening to their messages no more, or, where one has grown large, by SIGTERM. */
function endingWithTheProcess(): Map<string, Promise<Application>> {
  const open = new Map<string, Promise<Application>>();
  let ending: Promise<unknown> | undefined;
  const end = (): Promise<unknown> =>
    (ending ??= Promise.allSettled([...open.values()].map(async (application) => (await application).end())));
  process.on('removeListener', (event) => {
    if (event === 'message') void end();
  });
  process.once('SIGTERM', () => {
    // By then jest may have handed it the next file, which the process that follows gets too: this one reports no more of it.
    process.send = () => true;
    void end().then(() => process.kill(process.pid, 'SIGTERM'));
  });
  return open;
}
