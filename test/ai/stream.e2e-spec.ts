import { newId } from '@atrium/platform/kernel';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { sharedAtrium } from '../support/shared-atrium';
import { foldedParts, newThread, type Said } from './answering';
import { crowdStream, entriesOf } from './crowded-stream';
import { Follower, PlayedRun, plainThread } from './following';

/** About how many entries a stream keeps. */
const LONGEST = 20_000;

let api: RunningApi;
let ours: TestWorkspace;
const open: Follower[] = [];

beforeAll(async () => {
  api = await sharedAtrium();
});
beforeEach(async () => {
  ours = await api.workspace();
});
afterEach(() => {
  for (const follower of open.splice(0)) follower.leave();
});
afterAll(() => api.close());

const follow = async (thread: string, member = ours.owner, headers: Record<string, string> = {}, on = api): Promise<Follower> => {
  const follower = await Follower.connect(on, member.client, thread, headers);
  open.push(follower);
  return follower;
};

describe('the stream of a thread', () => {
  it('begins with its state and who is there, and has the headers of a stream', async () => {
    const thread = await plainThread(api, ours);
    const follower = await follow(thread);
    expect(follower.response.status).toBe(200);
    expect(
      ['content-type', 'cache-control', 'x-accel-buffering', 'content-encoding'].map((name) => follower.response.headers.get(name)),
    ).toEqual(['text/event-stream', 'no-store', 'no', null]);
    const [lock, presence] = await follower.until((heard) => heard.length === 2);
    expect(lock).toMatchObject({ event: 'lock', data: { thread_id: thread, locked: false, run_id: null, queue: 0, resync: false } });
    expect(presence).toMatchObject({ event: 'presence', id: undefined, data: { thread_id: thread, users: [] } });
  });

  it('answers HEAD with its headers alone', async () => {
    const thread = await plainThread(api, ours);
    const head = await fetch(`${api.url}/api/v1/threads/${thread}/events`, { method: 'HEAD', headers: { ...ours.owner.client.headers } });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });

  it('sends an answer as it grows, from its start to its end', async () => {
    const thread = await plainThread(api, ours);
    const follower = await follow(thread);
    await follower.until((heard) => heard.length === 2);
    const run = await PlayedRun.begin(api, ours, thread);
    for (const word of ['The ', 'harbour ', 'opens ', 'at six.']) await run.say(word);
    await run.finish();
    await follower.until((heard) => heard.at(-1)?.event === 'lock' && heard.length > 3);
    expect(follower.kinds().slice(2)).toEqual([
      'lock',
      'assistant_message start',
      ...Array<string>(4).fill('assistant_message delta'),
      'assistant_message done',
      'lock',
    ]);
    expect(follower.text(run.msg_id)).toBe('The harbour opens at six.');
    expect(follower.heard.slice(2).every(({ id }) => id !== undefined)).toBe(true);
  });

  it('goes on after the last event that was received, with no gap and no repeat', async () => {
    const thread = await plainThread(api, ours);
    const run = await PlayedRun.begin(api, ours, thread);
    const words = Array.from({ length: 450 }, (_, at) => `${at} `);
    for (const word of words.slice(0, 10)) await run.say(word);
    const first = await follow(thread);
    await first.until((heard) => heard.filter(({ data }) => data.op === 'delta').length === 10);
    first.leave();
    const last = first.heard.at(-1)?.id ?? '';
    for (const word of words.slice(10, 440)) await run.say(word);
    const second = await follow(thread, ours.owner, { 'Last-Event-ID': last });
    for (const word of words.slice(440)) await run.say(word);
    await run.finish();
    await second.until((heard) => heard.some(({ event, data }) => event === 'lock' && data.locked === false));
    const said = [...first.heard, ...second.heard].filter(({ data }) => data.op === 'delta').map(({ data }) => data.text);
    expect(said).toEqual(words);
    expect(second.heard.some(({ data }) => data.resync === true || data.op === 'snapshot')).toBe(false);
  });

  it.each(['nonsense', '1', '99999999999999999', '1763888400000-0'])(
    '[ai 7] begins with the state and a snapshot where the last id is unknown: %s',
    async (id) => {
      const thread = await plainThread(api, ours);
      const run = await PlayedRun.begin(api, ours, thread);
      await run.say('Kept ');
      await run.checkpoint(await run.say('so far, '));
      await run.say('and more');
      const follower = await follow(thread, ours.owner, { 'Last-Event-ID': id });
      await follower.until((heard) => heard.some(({ data }) => data.op === 'delta'));
      expect(follower.heard[0]).toMatchObject({
        event: 'lock',
        data: { locked: true, resync: true, run_id: run.run_id, msg_id: run.msg_id },
      });
      expect(follower.kinds().slice(1)).toEqual(['presence', 'assistant_message snapshot', 'assistant_message delta']);
      await run.say(' to the end.');
      await run.finish();
      await follower.until((heard) => heard.some(({ data }) => data.op === 'done'));
      expect(follower.text(run.msg_id)).toBe('Kept so far, and more to the end.');
    },
  );

  it('[ai 7] begins again where so much has happened since that the last id is forgotten', async () => {
    const thread = await plainThread(api, ours);
    const run = await PlayedRun.begin(api, ours, thread);
    const first = await follow(thread);
    await run.say('Long ');
    await first.until((heard) => heard.some(({ data }) => data.op === 'delta'));
    first.leave();
    const last = first.heard.at(-1)?.id ?? '';
    await crowdStream(api, ours.tenant_id, thread, LONGEST);
    let entry = '';
    for (let at = 0; at < 600; at++) entry = await run.say(`${at} `);
    await run.checkpoint(entry);
    await run.say('and on ');
    expect(await entriesOf(api, ours.tenant_id, thread)).toBeLessThan(LONGEST + 600);
    const second = await follow(thread, ours.owner, { 'Last-Event-ID': last });
    await second.until((heard) => heard.some(({ data }) => data.op === 'delta'));
    expect(second.heard[0]).toMatchObject({ event: 'lock', data: { resync: true, run_id: run.run_id } });
    expect(second.kinds().slice(1)).toEqual(['presence', 'assistant_message snapshot', 'assistant_message delta']);
    await run.say('to the end.');
    await run.finish();
    await second.until((heard) => heard.some(({ data }) => data.op === 'done'));
    const { msg_parts } = (await ours.owner.client.get(`/threads/${thread}/messages/${run.msg_id}`).expect(200)).body as Said;
    expect(foldedParts(second.heard, run.msg_id)).toEqual(msg_parts);
    expect(msg_parts).toEqual([{ kind: 'text', text: run.text }]);
  }, 180_000);

  it('takes the last id as a parameter too', async () => {
    const thread = await plainThread(api, ours);
    const run = await PlayedRun.begin(api, ours, thread);
    const [first] = [await run.say('a'), await run.say('b')];
    const follower = await Follower.connect(api, ours.owner.client, thread, {}, `?last_event_id=${first}`);
    open.push(follower);
    await follower.until((heard) => heard.length === 2);
    expect(follower.heard.map(({ event, data }) => data.text ?? event)).toEqual(['b', 'presence']);
    expect((await fetch(`${api.url}/api/v1/threads/${thread}/events?after=1`, { headers: { ...ours.owner.client.headers } })).status).toBe(
      400,
    );
  });

  it('has the whole answer for who comes before its first checkpoint, and nothing of the answer before it', async () => {
    const thread = await plainThread(api, ours);
    const before = await PlayedRun.begin(api, ours, thread);
    await before.say('An earlier answer.');
    await before.finish();
    const run = await PlayedRun.begin(api, ours, thread);
    for (const word of ['With', 'out ', 'a checkpoint']) await run.say(word);
    const follower = await follow(thread);
    await follower.until((heard) => heard.filter(({ data }) => data.op === 'delta').length === 3);
    expect(follower.text(run.msg_id)).toBe('Without a checkpoint');
    expect(follower.heard.some(({ data }) => data.msg_id === before.msg_id)).toBe(false);
  });

  it('has no word of a worker that was replaced', async () => {
    const thread = await plainThread(api, ours);
    const follower = await follow(thread);
    const run = await PlayedRun.begin(api, ours, thread);
    await run.say('lost ');
    run.attempt = 2;
    run.text = '';
    await run.tell({ op: 'reset', parts: [], reason: 'worker_lost' });
    run.attempt = 1;
    await expect(run.say('zombie')).rejects.toThrow('later writer');
    run.attempt = 2;
    await run.say('again');
    await run.finish();
    await follower.until((heard) => heard.some(({ data }) => data.op === 'done'));
    expect(follower.heard.filter(({ data }) => data.op === 'delta').map(({ data }) => data.text)).toEqual(['lost ', 'again']);
    expect(follower.text(run.msg_id)).toBe('again');
  });

  it('shows others that a tool ran but not what it found, and of sources their numbers alone', async () => {
    const member = await ours.member('viewer');
    const thread = await plainThread(api, ours);
    await api.sql('UPDATE thread SET thread_acl = $3 WHERE tenant_id = $1 AND thread_id = $2', [
      ours.tenant_id,
      thread,
      JSON.stringify({ users: { [member.user_id]: 'view' } }),
    ]);
    const [asker, reader] = [await follow(thread), await follow(thread, member)];
    await Promise.all([asker, reader].map((one) => one.until((heard) => heard.length >= 2)));
    const run = await PlayedRun.begin(api, ours, thread);
    const value = { kind: 'tool', call_id: 'c1', tool: 'search_knowledge', input: {}, output: { found: 'a secret' }, state: 'done' };
    await run.tell({ op: 'part', part: 0, value });
    await run.tell({ op: 'citations', citations: [{ n: 1, source_kind: 'file', source_id: newId(), title: 'A secret', quote: 'secret' }] });
    await run.finish();
    await Promise.all([asker, reader].map((one) => one.until((heard) => heard.some(({ data }) => data.op === 'done'))));
    expect(JSON.stringify(asker.heard)).toContain('a secret');
    expect(JSON.stringify(reader.heard)).not.toContain('secret"');
    const part = reader.heard.find(({ data }) => data.op === 'part');
    expect(part?.data.value).toMatchObject({ tool: 'search_knowledge', state: 'done', output: null });
    const cited = reader.heard.find(({ data }) => data.op === 'citations');
    expect(cited?.data.citations).toEqual([{ n: 1, source_kind: 'file', redacted: true }]);
  });
});

describe('who may follow a thread', () => {
  it('is anyone who may read it: an unknown thread, one of others and one of another workspace are all not found', async () => {
    const [stranger, theirs] = [await ours.member('owner'), await api.workspace()];
    const thread = await plainThread(api, ours);
    const elsewhere = await plainThread(api, theirs);
    for (const [id, member] of [
      [newId(), ours.owner],
      ['nonsense', ours.owner],
      [thread, stranger],
      [elsewhere, ours.owner],
      [thread, theirs.owner],
    ] as const) {
      const answer = await Follower.connect(api, member.client, id);
      expect([answer.response.status, answer.response.headers.get('content-type')]).toEqual([
        404,
        'application/problem+json; charset=utf-8',
      ]);
      await member.client.post(`/threads/${id}/presence`, { state: 'viewing' }).expect(404);
    }
  });

  it('needs the permission', async () => {
    const thread = await plainThread(api, ours);
    const { client } = await api.memberWithKey(ours.tenant_id, ours.owner.user_id, ours.owner.email, ['media:view']);
    expect((await Follower.connect(api, client, thread)).response.status).toBe(403);
    await client.post(`/threads/${thread}/presence`, { state: 'viewing' }).expect(403);
  });

  it.each([
    ['the thread', (thread: string, user_id: string) => `/threads/${thread}/members/${user_id}`],
    ['the workspace', (_: string, user_id: string) => `/admin/users/${user_id}`],
  ])('[ai 16] ends for a member who is removed from %s, within five seconds', async (_, removed) => {
    const member = await ours.member('editor');
    const thread = await plainThread(api, ours);
    await ours.owner.client
      .post(`/threads/${thread}/members`, { member_type: 'user', member_id: member.user_id, member_level: 'view' })
      .expect(201);
    const [theirs, owners] = [await follow(thread, member), await follow(thread)];
    await Promise.all([theirs, owners].map((one) => one.until((heard) => heard.length >= 2)));
    await ours.owner.client.delete(removed(thread, member.user_id)).expect(204);
    expect(await theirs.untilEnd(5_000)).toMatchObject({ event: 'lock', data: { closed: 'access_revoked', resync: false } });
    expect(owners.hasEnded).toBe(false);
    expect([401, 404]).toContain((await Follower.connect(api, member.client, thread)).response.status);
  });

  it('[ai 16] ends for a member who is removed from its space, within five seconds', async () => {
    const member = await ours.member('editor');
    const space = (await ours.owner.client.post('/spaces', { space_name: newId() }).expect(201)).body as { space_id: string };
    await ours.owner.client
      .post(`/spaces/${space.space_id}/members`, { sm_principal_type: 'user', sm_principal: member.user_id, sm_role: 'viewer' })
      .expect(201);
    const thread = await plainThread(api, ours, { space: space.space_id, mode: 'space' });
    const [theirs, owners] = [await follow(thread, member), await follow(thread)];
    await Promise.all([theirs, owners].map((one) => one.until((heard) => heard.length >= 2)));
    await ours.owner.client.delete(`/spaces/${space.space_id}/members/${member.user_id}`).expect(204);
    const last = await theirs.untilEnd(5_000);
    expect(last).toMatchObject({ event: 'lock', data: { closed: 'access_revoked', resync: false } });
    expect(owners.hasEnded).toBe(false);
    expect((await Follower.connect(api, member.client, thread)).response.status).toBe(404);
  });

  it('ends with the thread, whose answer ends before, and goes on where the thread is brought back', async () => {
    const { client } = ours.owner;
    const thread = await plainThread(api, ours);
    const follower = await follow(thread);
    await follower.until((heard) => heard.length === 2);
    const run = await PlayedRun.begin(api, ours, thread);
    await run.say('One ');
    await follower.until((heard) => heard.some(({ data }) => data.op === 'delta'));
    const last = follower.heard.at(-1)?.id ?? '';
    await client.delete(`/threads/${thread}`).expect(204);
    expect(await follower.untilEnd()).toMatchObject({
      event: 'lock',
      data: { closed: 'deleted', locked: false, run_id: null, generating_for: null },
    });
    expect(follower.heard.filter(({ data }) => data.op === 'done')).toHaveLength(1);

    await client.patch(`/threads/${thread}`, { thread_active: true }).expect(200);
    const again = await follow(thread, ours.owner, { 'Last-Event-ID': last });
    await again.until((heard) => heard.some(({ event }) => event === 'presence'));
    expect(again.heard.filter(({ data }) => 'closed' in data)).toEqual([]);
    expect(again.heard.filter(({ data }) => data.op === 'done')).toHaveLength(1);
    expect(again.hasEnded).toBe(false);
  });

  it('names the answer that is written, also when another branch is shown while it is written', async () => {
    const { client } = ours.owner;
    const thread = await newThread(client);
    const said = (await client.post(`/threads/${thread}/messages`, { msg_text: 'x', run_options: { run: false } }).expect(201)).body as {
      user_message: { msg_id: string };
    };
    const run = await PlayedRun.begin(api, ours, thread);
    const follower = await follow(thread);
    await follower.until((heard) => heard.some(({ data }) => data.op === 'snapshot'));
    expect(follower.heard.find(({ data }) => data.op === 'snapshot')?.data).toMatchObject({ msg_id: run.msg_id, attempt: 1 });
    await client.put(`/threads/${thread}/leaf`, { msg_id: said.user_message.msg_id }).expect(200);
    await client.patch(`/threads/${thread}`, { thread_status: 'archived' }).expect(200);
    const locks = () => follower.heard.filter(({ event }) => event === 'lock').map(({ data }) => data);
    await follower.until(() => locks().at(-1)?.thread_status === 'archived');
    for (const lock of locks()) expect(lock).toMatchObject({ locked: true, run_id: run.run_id, msg_id: run.msg_id });
    expect(locks().at(-1)?.since).toEqual(expect.any(String));
    await run.finish();
  });

  it('is at most ten times at once, and again when one is closed', async () => {
    const thread = await plainThread(api, ours);
    const answers = await Promise.all(Array.from({ length: 12 }, () => follow(thread)));
    const statuses = answers.map(({ response }) => response.status).sort();
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    answers.find(({ response }) => response.status === 200)?.leave();
    await eventually(
      () => follow(thread),
      ({ response }) => response.status === 200,
    );
  });

  it('ends with the key that it was opened with', async () => {
    const thread = await plainThread(api, ours);
    const member = await ours.member('owner');
    await api.sql('UPDATE thread SET thread_user = $3 WHERE tenant_id = $1 AND thread_id = $2', [ours.tenant_id, thread, member.user_id]);
    await api.sql(`UPDATE api_key SET key_expires_at = now() + interval '3 seconds' WHERE tenant_id = $1 AND key_id = $2`, [
      ours.tenant_id,
      member.key_id,
    ]);
    const follower = await follow(thread, member);
    expect(follower.response.status).toBe(200);
    expect(await follower.untilEnd()).toMatchObject({ event: 'lock', data: { closed: 'expired' } });
  });
});

describe('presence', () => {
  it('shows who is there and types to all who follow, and that they left', async () => {
    const thread = await plainThread(api, ours);
    const follower = await follow(thread);
    const users = (): { user_id: string; state: string; name: string }[] =>
      (follower.heard.filter(({ event }) => event === 'presence').at(-1)?.data.users ?? []) as never;
    const show = (state: string) =>
      eventually(
        () => ours.owner.client.post(`/threads/${thread}/presence`, { state }),
        ({ status }) => status === 204,
      );
    await show('viewing');
    await follower.until(() => users()[0]?.state === 'viewing');
    expect(users()).toMatchObject([{ user_id: ours.owner.user_id, name: 'Owner' }]);
    await show('typing');
    await follower.until(() => users()[0]?.state === 'typing');
    const stateInList = async (): Promise<unknown> => {
      const { data } = (await ours.owner.client.get(`/threads/${thread}/members`).expect(200)).body as { data: object[] };
      return data;
    };
    expect(await stateInList()).toMatchObject([{ member_id: ours.owner.user_id, member_state: 'typing' }]);
    // Six seconds after the sign, which is shown for thirty.
    await api.sql(`UPDATE thread_presence SET tp_until = now() + interval '23 seconds' WHERE tenant_id = $1 AND thread_id = $2`, [
      ours.tenant_id,
      thread,
    ]);
    expect(await stateInList()).toMatchObject([{ member_id: ours.owner.user_id, member_state: 'viewing' }]);
    await show('left');
    await follower.until(() => users().length === 0);
  });

  it('is over when its time is, without another sign', async () => {
    const thread = await plainThread(api, ours);
    await ours.owner.client.post(`/threads/${thread}/presence`, { state: 'viewing' }).expect(204);
    await api.sql(`UPDATE thread_presence SET tp_until = now() + interval '1 second' WHERE tenant_id = $1 AND thread_id = $2`, [
      ours.tenant_id,
      thread,
    ]);
    const follower = await follow(thread);
    const lists = (): number[] =>
      follower.heard.filter(({ event }) => event === 'presence').map(({ data }) => (data.users as object[]).length);
    await follower.until(() => lists().at(-1) === 0);
    expect(lists()[0]).toBe(1);
  });

  it('refuses unknown states, and more than two signs a second', async () => {
    const thread = await plainThread(api, ours);
    await ours.owner.client.post(`/threads/${thread}/presence`, { state: 'dancing' }).expect(400);
    const statuses = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async () => (await ours.owner.client.post(`/threads/${thread}/presence`, { state: 'viewing' })).status),
    );
    expect(statuses).toContain(204);
    expect(statuses).toContain(429);
  });
});

describe('the end of the host', () => {
  it('ends its streams at once, saying so', async () => {
    const alone = await startAtrium({});
    const workspace = await alone.workspace();
    const thread = await plainThread(alone, workspace);
    const follower = await follow(thread, workspace.owner, {}, alone);
    await follower.until((heard) => heard.length === 2);
    const began = Date.now();
    await alone.close();
    expect(await follower.untilEnd()).toMatchObject({ event: 'lock', data: { closed: 'shutdown' } });
    // A stream that were left open would hold the host for its whole grace of twenty seconds.
    expect(Date.now() - began).toBeLessThan(15_000);
  });
});
