import { newId } from '@atrium/platform/kernel';
import { eventually, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeAgent } from './agents';
import { answerOf, heardOf, messageOf, newThread, post, type Cited, type Said } from './answering';
import { Follower, PlayedRun, plainThread } from './following';
import { readThread, say, threadIds } from './talking';

const FACT = 'The harbour master keeps the key of the crane in a red box.';
const QUESTION = 'Where does the harbour master keep the key of the crane?';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
const open: Follower[] = [];

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
});
afterEach(() => {
  for (const follower of open.splice(0)) follower.leave();
});
afterAll(() => api.close());

async function follow(member: Member, thread: string): Promise<Follower> {
  const follower = await Follower.connect(api, member.client, thread);
  open.push(follower);
  if (follower.response.status === 200) await follower.until((heard) => heard.length >= 2);
  return follower;
}
const share = (thread: string, thread_acl: object) => client.patch(`/threads/${thread}`, { thread_acl }).expect(200);
const makeSpace = async (): Promise<string> =>
  ((await client.post('/spaces', { space_name: `Space ${newId()}` }).expect(201)).body as { space_id: string }).space_id;
const roleOf = async (member: Member): Promise<string> => {
  const [row] = await api.sql<{ role_id: string }>('SELECT role_id FROM user_role_link WHERE tenant_id = $1 AND user_id = $2', [
    ours.tenant_id,
    member.user_id,
  ]);
  return row?.role_id ?? '';
};

describe('citations', () => {
  it('[ai 18] are shown to each reader as far as they may read the source, in the stream, in its snapshot, and in messages', async () => {
    await new Crediting(api).grant(ours, { grant_credits: 10_000 });
    const [reader, other] = [await ours.member('viewer'), await ours.member('viewer')];
    const { file_id } = await upload(client, 'crane.md', Buffer.from(`# Crane\n\n${FACT}`), { file_repo: { library: ['docs'] } });
    const folder = { album_name: 'Closed', album_acl: { users: { [ours.owner.user_id]: 'owner', [reader.user_id]: 'view' } } };
    const { album_id } = (await client.post('/document-folders', folder).expect(201)).body as { album_id: string };
    await client.post(`/document-folders/${album_id}/files`, { file_ids: [file_id] }).expect(200);
    await eventually(
      async () => (await client.post('/retrieval/search', { query: QUESTION })).body as { data?: unknown[] },
      ({ data = [] }) => data.length > 0,
      60_000,
    );
    const { agent_id } = await makeAgent(client, { agent_files: [file_id], agent_tools: [{ tool: 'search_knowledge' }] });
    const thread = await newThread(client, { thread_agent: agent_id });
    await share(thread, { users: { [reader.user_id]: 'view', [other.user_id]: 'view' } });
    const [asker, may, mayNot] = [await follow(ours.owner, thread), await follow(reader, thread), await follow(other, thread)];
    const { assistant_message } = await post(client, thread, QUESTION);
    const stored = await answerOf(client, thread, assistant_message.msg_id);
    expect(stored.msg_text).toBe(`${FACT} [1]`);
    const shown = [{ n: 1, source_kind: 'file', source_id: file_id, quote: FACT }];
    const hidden = [{ n: 1, source_kind: 'file', redacted: true }];
    for (const [follower, member, expected] of [
      [asker, ours.owner, shown],
      [may, reader, shown],
      [mayNot, other, hidden],
    ] as const) {
      const heard = await heardOf(follower, stored.msg_id);
      const cited = heard.find(({ data }) => data.op === 'citations')?.data.citations;
      const done = heard.find(({ data }) => data.op === 'done')?.data.message as Said;
      const listed = (await member.client.get(`/threads/${thread}/messages`).expect(200)).body as { data: Said[] };
      const seen: readonly unknown[] = [
        cited,
        done.msg_citations,
        (await messageOf(member.client, thread, stored.msg_id)).msg_citations,
        listed.data.find(({ msg_id }) => msg_id === stored.msg_id)?.msg_citations,
      ];
      if (expected === hidden) expect(seen).toEqual(seen.map(() => hidden));
      else expect(seen).toMatchObject(seen.map(() => shown));
      const results = [...heard.map(({ data }) => data), ...listed.data];
      if (member !== ours.owner) expect(JSON.stringify(results)).not.toContain('"passages"');
      if (expected === hidden) expect(JSON.stringify(results.filter((data) => !('op' in data)))).not.toContain(file_id);
    }

    const run = await PlayedRun.begin(api, ours, thread);
    await api.sql('UPDATE message SET msg_citations = $3 WHERE tenant_id = $1 AND msg_id = $2', [
      ours.tenant_id,
      run.msg_id,
      JSON.stringify(stored.msg_citations),
    ]);
    for (const [member, expected] of [
      [reader, shown],
      [other, hidden],
    ] as const) {
      const late = await follow(member, thread);
      await late.until((heard) => heard.some(({ data }) => data.op === 'snapshot'));
      const snapshot = late.heard.find(({ data }) => data.op === 'snapshot')?.data.message as { msg_citations: Cited[] };
      expect(snapshot.msg_citations).toMatchObject(expected);
    }
    await run.finish();
  }, 180_000);
});

describe('roles and spaces that take part in a thread', () => {
  it('give what their level gives to each who is in them, are listed by name, and take it away', async () => {
    const [editor, viewer, stranger] = [await ours.member('editor'), await ours.member('contributor'), await ours.member('contributor')];
    const space = await makeSpace();
    await client
      .post(`/spaces/${space}/members`, { sm_principal_type: 'user', sm_principal: viewer.user_id, sm_role: 'viewer' })
      .expect(201);
    const thread = await newThread(client);
    const role = await roleOf(editor);
    const invite = (member_type: string, member_id: string, level: string) =>
      client.post(`/threads/${thread}/members`, { member_type, member_id, member_level: level });
    await invite('role', role, 'edit').expect(201);
    await invite('space', space, 'view').expect(201);
    await invite('role', newId(), 'view').expect(400);
    await invite('space', newId(), 'view').expect(400);
    const may = async ({ client: by }: Member): Promise<unknown[]> => [
      (await by.get(`/threads/${thread}`)).status,
      (await by.post(`/threads/${thread}/messages`, { msg_text: 'x', run_options: { run: false } })).status,
      (await threadIds(by)).includes(thread),
      (await follow({ ...viewer, client: by }, thread)).response.status,
    ];
    expect(await may(editor)).toEqual([200, 201, true, 200]);
    expect(await may(viewer)).toEqual([200, 403, true, 200]);
    expect(await may(stranger)).toEqual([404, 404, false, 404]);
    const { data } = (await client.get(`/threads/${thread}/members`).expect(200)).body as {
      data: { member_type: string; member_id: string; member_level: string; member_name: string }[];
    };
    expect(data.map(({ member_type, member_id, member_level }) => [member_type, member_id, member_level])).toEqual([
      ['user', ours.owner.user_id, 'owner'],
      ['role', role, 'edit'],
      ['space', space, 'view'],
    ]);
    expect(data.every(({ member_name }) => member_name.length > 0)).toBe(true);
    await invite('role', role, 'view').expect(200);
    expect((await may(editor)).slice(0, 2)).toEqual([200, 403]);
    await client.delete(`/threads/${thread}/members/${role}`).expect(204);
    await client.delete(`/threads/${thread}/members/${space}`).expect(204);
    expect(await may(editor)).toEqual([404, 404, false, 404]);
    expect(await may(viewer)).toEqual([404, 404, false, 404]);
  }, 90_000);
});

/** Each way to lose what a list of access, a role or a space gives; `thread` is shared by it before. */
const WITHDRAWN: readonly (readonly [string, (member: Member, thread: string) => Promise<() => PromiseLike<unknown>>])[] = [
  [
    'who is removed from the thread',
    async ({ user_id }, thread) => {
      await share(thread, { users: { [user_id]: 'view' } });
      return () => client.delete(`/threads/${thread}/members/${user_id}`).expect(204);
    },
  ],
  [
    'whose level is taken from the list of access',
    async ({ user_id }, thread) => {
      await share(thread, { users: { [user_id]: 'view' } });
      return () => share(thread, {});
    },
  ],
  [
    'whose role is removed from the thread',
    async (member, thread) => {
      const role = await roleOf(member);
      await share(thread, { roles: { [role]: 'view' } });
      return () => client.delete(`/threads/${thread}/members/${role}`).expect(204);
    },
  ],
  [
    'whose space is removed from the thread',
    async ({ user_id }, thread) => {
      const space = await makeSpace();
      await client.post(`/spaces/${space}/members`, { sm_principal_type: 'user', sm_principal: user_id, sm_role: 'viewer' }).expect(201);
      await share(thread, { spaces: { [space]: 'view' } });
      return () => client.delete(`/threads/${thread}/members/${space}`).expect(204);
    },
  ],
  [
    'whose space is deleted',
    async ({ user_id }, thread) => {
      const space = await makeSpace();
      await client.post(`/spaces/${space}/members`, { sm_principal_type: 'user', sm_principal: user_id, sm_role: 'viewer' }).expect(201);
      await client.patch(`/threads/${thread}`, { thread_space: space, thread_share_mode: 'space' }).expect(200);
      return () => client.delete(`/spaces/${space}`).expect(204);
    },
  ],
  [
    'whose thread becomes private',
    async ({ user_id }, thread) => {
      const space = await makeSpace();
      await client.post(`/spaces/${space}/members`, { sm_principal_type: 'user', sm_principal: user_id, sm_role: 'viewer' }).expect(201);
      await client.patch(`/threads/${thread}`, { thread_space: space, thread_share_mode: 'space' }).expect(200);
      return () => client.patch(`/threads/${thread}`, { thread_share_mode: 'private' }).expect(200);
    },
  ],
];

/** Each way to lose rights in the workspace itself. */
const REFUSED: readonly (readonly [string, (member: Member) => PromiseLike<unknown>])[] = [
  ['whose key is revoked', ({ key_id }) => api.sql('UPDATE api_key SET key_revoked_at = now() WHERE key_id = $1', [key_id])],
  ['who is suspended', ({ user_id }) => api.sql(`UPDATE workspace_user SET user_status = 'suspended' WHERE user_id = $1`, [user_id])],
  ['whose role is taken away', ({ user_id }) => api.sql('DELETE FROM user_role_link WHERE user_id = $1', [user_id])],
];

describe('the stream of somebody', () => {
  it.each(WITHDRAWN)('%s ends within five seconds, and those of others go on', async (_, prepare) => {
    const member = await ours.member('viewer');
    const thread = await newThread(client);
    const withdraw = await prepare(member, thread);
    const [theirs, own] = [await follow(member, thread), await follow(ours.owner, thread)];
    expect(theirs.response.status).toBe(200);
    await withdraw();
    expect(await theirs.untilEnd(5_000)).toMatchObject({ event: 'lock', data: { closed: 'access_revoked' } });
    await say(client, thread, 'Afterwards');
    await own.until((heard) => heard.some(({ event }) => event === 'user_message'));
    expect(JSON.stringify(theirs.heard)).not.toContain('Afterwards');
    expect((await Follower.connect(api, member.client, thread)).response.status).toBe(404);
    await readThread(client, thread);
  });

  it.each(REFUSED)('%s is sent nothing that is said from then on', async (_, refuse) => {
    const member = await ours.member('viewer');
    const thread = await plainThread(api, ours);
    await share(thread, { users: { [member.user_id]: 'view' } });
    const theirs = await follow(member, thread);
    expect(theirs.response.status).toBe(200);
    await refuse(member);
    await say(client, thread, 'A secret');
    expect(await theirs.untilEnd()).toMatchObject({ event: 'lock', data: { closed: 'access_revoked' } });
    expect(JSON.stringify(theirs.heard)).not.toContain('A secret');
  });

  it.each(REFUSED)('%s ends within five seconds, also where nobody says a word', async (_, refuse) => {
    const member = await ours.member('viewer');
    const thread = await plainThread(api, ours);
    await share(thread, { users: { [member.user_id]: 'view' } });
    const [theirs, own] = [await follow(member, thread), await follow(ours.owner, thread)];
    const run = await PlayedRun.begin(api, ours, thread);
    await run.say('Before. ');
    await theirs.until((heard) => heard.some(({ data }) => data.op === 'delta'));
    await refuse(member);
    expect(await theirs.untilEnd(5_000)).toMatchObject({ event: 'lock', data: { closed: 'access_revoked', locked: true } });
    await run.say('Afterwards.');
    await own.until((heard) => heard.filter(({ data }) => data.op === 'delta').length === 2);
    expect(JSON.stringify(theirs.heard)).not.toContain('Afterwards');
    await run.finish();
  });
});
