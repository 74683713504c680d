import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApi } from '@atrium/platform/http';
import { eventually, freePort, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { ApiModule } from '../../apps/api/src/api.module';
import { startAtrium } from '../support/api';
import { foldedParts, messageOf } from './answering';
import { Follower, PlayedRun, plainThread } from './following';

const PEOPLE = 50;
const STREAMS_EACH = 10;

interface PresenceList {
  readonly users: readonly { readonly since: string }[];
  readonly at: string;
}

let first: RunningApi;
let second: NestExpressApplication;
let secondUrl: string;
let ours: TestWorkspace;

beforeAll(async () => {
  first = await startAtrium();
  const port = await freePort();
  second = await createApi(ApiModule);
  await second.listen(port, '127.0.0.1');
  secondUrl = `http://127.0.0.1:${port}`;
  ours = await first.workspace();
});
afterAll(async () => {
  await second.close();
  await first.close();
});

describe('a thread that is followed over two replicas', () => {
  it('goes on at the other one for a client whose replica is gone, with no gap and no repeat', async () => {
    const thread = await plainThread(first, ours);
    const run = await PlayedRun.begin(first, ours, thread);
    const words = Array.from({ length: 60 }, (_, at) => `${at} `);
    const before = await Follower.connect({ url: secondUrl }, ours.owner.client, thread);
    for (const word of words.slice(0, 20)) await run.say(word);
    await before.until((heard) => heard.filter(({ data }) => data.op === 'delta').length >= 5);
    (second.getHttpServer() as { closeAllConnections(): void }).closeAllConnections();
    await before.untilEnd();
    const last = before.heard.filter(({ id }) => id !== undefined).at(-1)?.id ?? '';
    for (const word of words.slice(20, 40)) await run.say(word);
    const after = await Follower.connect(first, ours.owner.client, thread, { 'Last-Event-ID': last });
    for (const word of words.slice(40)) await run.say(word);
    await run.finish();
    await after.until((heard) => heard.some(({ data }) => data.op === 'done'));
    const said = [...before.heard, ...after.heard].filter(({ data }) => data.op === 'delta').map(({ data }) => data.text);
    expect(said).toEqual(words);
    after.leave();
  });

  it('[ai 27] is the same for a thousand clients, who see each other come, and go within 31 seconds', async () => {
    const people: Member[] = [];
    for (let at = 0; at < PEOPLE; at++) people.push(await ours.member('viewer'));
    const thread = await plainThread(first, ours);
    const users = Object.fromEntries(people.map(({ user_id }) => [user_id, 'view']));
    await first.sql('UPDATE thread SET thread_acl = $3 WHERE tenant_id = $1 AND thread_id = $2', [
      ours.tenant_id,
      thread,
      JSON.stringify({ users }),
    ]);
    const followers: Follower[] = [];
    for (const { client } of people)
      for (const url of [first.url, secondUrl])
        followers.push(...(await Promise.all(Array.from({ length: STREAMS_EACH }, () => Follower.connect({ url }, client, thread)))));
    expect(followers.map(({ response }) => response.status).every((status) => status === 200)).toBe(true);
    await Promise.all(followers.map((one) => one.until((heard) => heard.length >= 2)));

    await people[0]?.client.post(`/threads/${thread}/presence`, { state: 'viewing' }).expect(204);
    const there = (one: Follower): number => (one.heard.filter(({ event }) => event === 'presence').at(-1)?.data.users as object[]).length;
    await eventually(() => Promise.resolve(followers.every((one) => there(one) === 1)), Boolean);

    const run = await PlayedRun.begin(first, ours, thread);
    const words = Array.from({ length: 20 }, (_, at) => `word ${at} `);
    for (const word of words) await run.say(word);
    await run.finish();
    await Promise.all(followers.map((one) => one.until((heard) => heard.some(({ data }) => data.op === 'done'))));
    const stored = await messageOf(ours.owner.client, thread, run.msg_id);
    expect(stored.msg_parts).toEqual([{ kind: 'text', text: words.join('') }]);
    for (const { heard } of followers) {
      expect(foldedParts(heard, run.msg_id)).toEqual(stored.msg_parts);
      expect(heard.filter(({ data }) => data.op === 'done')).toHaveLength(1);
    }

    await eventually(() => Promise.resolve(followers.every((one) => there(one) === 0)), Boolean, 40_000);
    for (const one of followers) {
      const lists = one.heard.filter(({ event }) => event === 'presence').map(({ data }) => data as unknown as PresenceList);
      const since = lists.find(({ users }) => users.length === 1)?.users[0]?.since ?? '';
      const went = Date.parse(lists.at(-1)?.at ?? '') - Date.parse(since);
      expect(went).toBeGreaterThanOrEqual(30_000);
      expect(went).toBeLessThanOrEqual(31_000);
    }
    for (const one of followers) one.leave();
  }, 240_000);
});
