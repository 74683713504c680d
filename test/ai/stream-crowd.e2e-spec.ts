import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Hosts, type Host } from '../faults/hosts';
import { startAtrium } from '../support/api';
import { foldedParts, messageOf } from './answering';
import { entryIds } from './crowded-stream';
import { PlayedRun, plainThread } from './following';
import { SteadyClient } from './steady-client';

/** 500 for the whole of it: `STREAM_LISTENERS=500 npm test -- e2e test/ai/stream-crowd`. */
const LISTENERS = Number(process.env['STREAM_LISTENERS'] ?? 60);
const WORDS = 60;
/** Streams that one person opens: all of them fit where they land on one host. */
const STREAMS_EACH = 5;
const THREADS_EACH = 50;
/** One of so many events is the last of its connection. */
const BREAKS = 25;
const TOGETHER = 20;

let arranger: RunningApi;
let ours: TestWorkspace;
let urls: string[];
let apis: Host[];
const hosts = new Hosts();
const clients: SteadyClient[] = [];

beforeAll(async () => {
  arranger = await startAtrium();
  await migrateQueue(arranger.database.ownerUrl);
  apis = [await hosts.api(), await hosts.api()];
  urls = apis.map(({ url }) => url);
  ours = await arranger.workspace();
}, 120_000);
afterEach(() => {
  for (const client of clients.splice(0)) client.leave();
});
afterAll(async () => {
  await hosts.close();
  await arranger.close();
});

/** Numbers that look random and are the same in each run. */
function draws(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function follow(member: Member, thread: string): void {
  const draw = draws(clients.length);
  const breaks = (): boolean => draw() < 1 / BREAKS;
  clients.push(new SteadyClient(urls, member.client, thread, breaks, Math.floor(draw() * 2)).start());
}

const all = (satisfies: (client: SteadyClient) => boolean): Promise<boolean> =>
  eventually(() => Promise.resolve(clients.every(satisfies)), Boolean, 120_000);

const people = async (count: number): Promise<Member[]> => {
  const found: Member[] = [];
  for (let at = 0; at < count; at++) found.push(await ours.member('viewer'));
  return found;
};

/** The last entry says that the thread is free. */
const isAtEnd = ({ heard }: SteadyClient): boolean => heard.filter(({ id }) => id !== undefined).at(-1)?.data.locked === false;

/** A client has exactly the entries of the thread, in their order, from the first that it heard. */
const expectWhole = (client: SteadyClient, entries: readonly string[]): void => {
  const ids = client.heard.flatMap(({ id }) => id ?? []);
  expect(ids).toEqual(entries.slice(entries.indexOf(ids[0] ?? '')));
  expect(client).toMatchObject({ misfits: 0, resyncs: 0 });
};

/** A thread with an entry, so that each client has an id to go on after. */
async function begunThread(by: Member): Promise<string> {
  const thread = await plainThread(arranger, ours, { user: by.user_id });
  const before = await PlayedRun.begin(arranger, ours, thread, by.user_id);
  await before.finish();
  return thread;
}

const resident = (): (number | null)[] => apis.map((host) => host.residentMib());

describe(`a thread with ${LISTENERS} listeners over two API processes, who connect again at random`, () => {
  it('sends each of them every event once and in order', async () => {
    await hosts.witness(async () => {
      const readers = await people(Math.ceil(LISTENERS / STREAMS_EACH));
      const thread = await begunThread(ours.owner);
      const users = Object.fromEntries(readers.map(({ user_id }) => [user_id, 'view']));
      await arranger.sql('UPDATE thread SET thread_acl = $3 WHERE tenant_id = $1 AND thread_id = $2', [
        ours.tenant_id,
        thread,
        JSON.stringify({ users }),
      ]);
      for (const reader of readers) {
        for (let at = 0; at < STREAMS_EACH && clients.length < LISTENERS; at++) follow(reader, thread);
        await all(({ heard }) => heard.some(({ id }) => id !== undefined));
      }
      const [before] = [resident()];
      const run = await PlayedRun.begin(arranger, ours, thread);
      for (let at = 0; at < WORDS; at++) {
        const entry = await run.say(`${at} `);
        if (at % 20 === 19) await run.checkpoint(entry);
      }
      await run.finish();
      await all((client) => client.hasDone(run.msg_id) && isAtEnd(client));
      const stored = await messageOf(ours.owner.client, thread, run.msg_id);
      const entries = await entryIds(arranger, ours.tenant_id, thread);
      for (const client of clients) {
        expectWhole(client, entries);
        expect(foldedParts(client.heard, run.msg_id)).toEqual(stored.msg_parts);
      }
      const connections = clients.reduce((sum, client) => sum + client.connections, 0);
      expect(connections).toBeGreaterThan(1.5 * LISTENERS);
      for (const [at, mib] of resident().entries()) if (mib !== null) expect(mib - (before[at] ?? 0)).toBeLessThan(100);
    });
  }, 500_000);
});

describe(`${LISTENERS} threads with one listener each`, () => {
  it('send each of them its own events alone, once and in order', async () => {
    await hosts.witness(async () => {
      const owners = await people(Math.ceil(LISTENERS / THREADS_EACH));
      const threads: { thread: string; owner: Member }[] = [];
      for (let at = 0; at < LISTENERS; at++) {
        const owner = owners[at % owners.length] ?? ours.owner;
        threads.push({ thread: await begunThread(owner), owner });
      }
      for (const [at, { thread, owner }] of threads.entries()) {
        follow(owner, thread);
        if (at % TOGETHER === 0) await all(({ heard }) => heard.some(({ id }) => id !== undefined));
      }
      await all(({ heard }) => heard.some(({ id }) => id !== undefined));
      const runs: PlayedRun[] = [];
      for (const { thread, owner } of threads) runs.push(await PlayedRun.begin(arranger, ours, thread, owner.user_id));
      for (let at = 0; at < WORDS / 4; at++) for (const run of runs) await run.say(`${at} of ${run.msg_id} `);
      for (const run of runs) await run.finish();
      await eventually(() => Promise.resolve(clients.every((client, at) => client.hasDone(runs[at]?.msg_id ?? ''))), Boolean, 120_000);
      await all(isAtEnd);
      for (const [at, client] of clients.entries()) {
        const entries = await entryIds(arranger, ours.tenant_id, client.thread_id);
        expectWhole(client, entries);
        const { msg_id = '', text = '' } = runs[at] ?? {};
        expect(foldedParts(client.heard, msg_id)).toEqual([{ kind: 'text', text }]);
        expect(client.count(({ data }) => data.thread_id !== client.thread_id)).toBe(0);
      }
    });
  }, 500_000);
});
