import { newId } from '@atrium/platform/kernel';
import type { Client, Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { applyAnew } from '../governance/retaining';
import { makeBase } from '../knowledge/bases';
import { sharedAtrium } from '../support/shared-atrium';
import { inTurn } from '../support/in-turn';
import { makeAgent } from './agents';
import { makePrompt } from './prompts';
import { branchOf, openThread, readThread, say, threadIds } from './talking';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
});
beforeEach(async () => {
  ours = await api.workspace();
});
afterAll(() => api.close());

describe('threads', () => {
  it('[ai 25] keep digits as an id of the client, refuse other owners, and have ids of their own', async () => {
    const { client } = ours.owner;
    const thread = await openThread(client, { thread_user: '12345' });
    expect(thread).toMatchObject({ thread_user: ours.owner.user_id, thread_metadata: { external_user: '12345' }, thread_access: 'owner' });
    expect((await client.post('/threads', { thread_id: newId(), thread_user: 'abc' }).expect(400)).body.errors[0].path).toBe('thread_user');
    expect((await client.post('/threads', { thread_id: thread.thread_id }).expect(409)).body.code).toBe('already_exists');
    const editor = await ours.member('editor');
    await editor.client.post('/threads', { thread_id: newId(), thread_user: ours.owner.user_id }).expect(400);
    expect(await openThread(client, { thread_user: editor.user_id })).toMatchObject({ thread_user: editor.user_id });
  });

  it('of another workspace may have the same id, and are unknown', async () => {
    const theirs = await api.workspace();
    const { thread_id } = await openThread(theirs.owner.client, { thread_title: 'Theirs' });
    const { msg_id } = await say(theirs.owner.client, thread_id, 'Harbour');
    const { client } = ours.owner;
    for (const path of ['', '/messages', `/messages/${msg_id}`, '/members', '/files'])
      await client.get(`/threads/${thread_id}${path}`).expect(404);
    await client.patch(`/threads/${thread_id}`, { thread_title: 'x' }).expect(404);
    await client.patch(`/threads/${thread_id}/messages/${msg_id}`, { msg_metadata: {} }).expect(404);
    await client.put(`/threads/${thread_id}/leaf`, { msg_id }).expect(404);
    await client.post(`/threads/${thread_id}/messages`, { msg_text: 'x', run_options: { run: false } }).expect(404);
    await client
      .post(`/threads/${thread_id}/members`, { member_type: 'user', member_id: ours.owner.user_id, member_level: 'view' })
      .expect(404);
    await client.delete(`/threads/${thread_id}/members/${ours.owner.user_id}`).expect(404);
    await client.delete(`/threads/${thread_id}`).expect(404);
    expect(await threadIds(client, `?thread_ids[a]=${thread_id}`)).toEqual([]);
    expect((await client.get('/threads/search?q=harbour').expect(200)).body.data).toEqual([]);
    await openThread(client, { thread_id });
    expect((await readThread(theirs.owner.client, thread_id)).thread_title).toBe('Theirs');
  });

  it('[ai 19] about a subject are found or created once, however many ask', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const body = { thread_ref: { type: 'ds', id: ds_id } };
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post('/threads/find-or-create', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
    expect((await client.post('/threads/find-or-create', body).expect(200)).headers.etag).toBeDefined();
    expect(new Set(answers.map((answer) => answer.body.thread_id)).size).toBe(1);
    // About another subject, and of somebody else, it is another thread.
    const other = (
      await client.post('/threads/find-or-create', { thread_ref: { type: 'ds', id: (await makeBase(client)).ds_id } }).expect(201)
    ).body;
    const theirs = (await (await ours.member('editor')).client.post('/threads/find-or-create', body).expect(201)).body;
    expect(new Set([answers[0]?.body.thread_id, other.thread_id, theirs.thread_id]).size).toBe(3);
    await client.post('/threads/find-or-create', { thread_ref: { type: 'ds', id: newId() } }).expect(400);
    await client.post('/threads/find-or-create', { thread_ref: { type: 'design', id: newId() } }).expect(400);
    expect(await threadIds(client)).toEqual([]);
    expect((await threadIds(client, '?thread_type=context')).sort()).toEqual([answers[0]?.body.thread_id, other.thread_id].sort());
  });

  it('are read and written by those they are shared with, and by no role', async () => {
    const [ann, ben, eve] = [await ours.member('editor'), await ours.member('editor'), await ours.member('editor')];
    const { thread_id } = await openThread(ann.client);
    const levels = (client: typeof ann.client) =>
      Promise.all([
        client.get(`/threads/${thread_id}`).then(({ status }) => status),
        client.post(`/threads/${thread_id}/messages`, { msg_text: 'x', run_options: { run: false } }).then(({ status }) => status),
        client.patch(`/threads/${thread_id}`, { thread_share_mode: 'private' }).then(({ status }) => status),
      ]);
    expect(await levels(ours.owner.client)).toEqual([404, 404, 404]);
    expect(await levels(ann.client)).toEqual([200, 201, 200]);
    const member = { member_type: 'user', member_id: ben.user_id };
    await ann.client.post(`/threads/${thread_id}/members`, { ...member, member_level: 'view' }).expect(201);
    expect(await levels(ben.client)).toEqual([200, 403, 403]);
    await ann.client.post(`/threads/${thread_id}/members`, { ...member, member_level: 'edit' }).expect(200);
    expect(await levels(ben.client)).toEqual([200, 201, 403]);
    expect(await threadIds(ben.client)).toEqual([thread_id]);
    expect(await threadIds(eve.client)).toEqual([]);
    await ann.client.post(`/threads/${thread_id}/members`, { member_type: 'user', member_id: newId(), member_level: 'view' }).expect(400);
    await ben.client.delete(`/threads/${thread_id}/members/${ann.user_id}`).expect(403);
    expect((await ann.client.delete(`/threads/${thread_id}/members/${ann.user_id}`).expect(409)).body.code).toBe('invalid_state');
    await ben.client.delete(`/threads/${thread_id}/members/${ben.user_id}`).expect(204);
    expect(await levels(ben.client)).toEqual([404, 404, 404]);
  });

  it('go to another owner, and the former one goes on writing', async () => {
    const [ann, ben] = [await ours.member('editor'), await ours.member('editor')];
    const { thread_id } = await openThread(ann.client);
    await ann.client.patch(`/threads/${thread_id}`, { thread_user: newId() }).expect(400);
    expect((await ann.client.patch(`/threads/${thread_id}`, { thread_user: ben.user_id }).expect(200)).body.thread_access).toBe('edit');
    expect(await readThread(ben.client, thread_id)).toMatchObject({ thread_user: ben.user_id, thread_access: 'owner' });
    await ann.client.delete(`/threads/${thread_id}`).expect(403);
  });

  it('that are deleted are their owner’s alone, and come back with their messages', async () => {
    const [ann, ben] = [await ours.member('editor'), await ours.member('editor')];
    const { thread_id } = await openThread(ann.client, { thread_acl: { users: { [ben.user_id]: 'edit' } } });
    await say(ann.client, thread_id, 'Kept');
    await ann.client.delete(`/threads/${thread_id}`).expect(204);
    await ben.client.get(`/threads/${thread_id}`).expect(404);
    await ann.client.get(`/threads/${thread_id}/messages`).expect(404);
    expect(await threadIds(ann.client)).toEqual([]);
    expect(await threadIds(ann.client, '?thread_active=false')).toEqual([thread_id]);
    await ann.client.patch(`/threads/${thread_id}`, { thread_active: true }).expect(200);
    expect(await branchOf(ben.client, thread_id)).toEqual(['Kept']);
  });

  it('that are closed take no messages, and are opened by an owner; archived ones open with the next message', async () => {
    const [ann, ben] = [await ours.member('editor'), await ours.member('editor')];
    const { thread_id } = await openThread(ann.client, { thread_acl: { users: { [ben.user_id]: 'edit' } } });
    await ben.client.patch(`/threads/${thread_id}`, { thread_status: 'closed' }).expect(200);
    await ann.client.post(`/threads/${thread_id}/messages`, { msg_text: 'x', run_options: { run: false } }).expect(409);
    await ben.client.patch(`/threads/${thread_id}`, { thread_status: 'open' }).expect(403);
    await ann.client.patch(`/threads/${thread_id}`, { thread_status: 'archived' }).expect(200);
    await say(ben.client, thread_id, 'Hello');
    expect((await readThread(ann.client, thread_id)).thread_status).toBe('open');
  });

  it('[ai 26] are listed once each while others are made', async () => {
    const { client } = ours.owner;
    const before = await Promise.all(Array.from({ length: 25 }, () => openThread(client)));
    const seen: string[] = [];
    const made = Promise.all(Array.from({ length: 500 }, () => openThread(client)));
    for (let cursor = ''; ;) {
      const page = (await client.get(`/threads?limit=10${cursor}`).expect(200)).body as {
        data: { thread_id: string }[];
        has_more: boolean;
        next_cursor: string;
      };
      seen.push(...page.data.map(({ thread_id }) => thread_id));
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    await made;
    expect(before.map(({ thread_id }) => seen.filter((id) => id === thread_id).length)).toEqual(before.map(() => 1));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('are found by their titles and messages, best first, with the words in a snippet', async () => {
    const { client } = ours.owner;
    const talk = await openThread(client);
    await say(client, talk.thread_id, 'How do I change the toner?');
    const named = await openThread(client, { thread_title: 'Toner' });
    const { data } = (await client.get('/threads/search?q=toner').expect(200)).body as {
      data: { thread: { thread_id: string }; snippet: { text: string; matches: { start: number; end: number }[] } }[];
    };
    expect(data.map(({ thread }) => thread.thread_id).sort()).toEqual([talk.thread_id, named.thread_id].sort());
    for (const { snippet } of data)
      expect(snippet.matches.map(({ start, end }) => snippet.text.slice(start, end).toLowerCase())).toEqual(['toner']);
    expect((await threadIds(client, '?full_text_search=toner')).length).toBe(2);
    const stranger = await ours.member('editor');
    expect((await stranger.client.get('/threads/search?q=toner').expect(200)).body.data).toEqual([]);
  });
});

/** The list that names each member with the level of its name. */
const aclOf = (levels: Readonly<Record<string, Member>>): object =>
  Object.fromEntries(Object.entries(levels).map(([level, { user_id }]) => [user_id, level]));

describe('sharing a thread', () => {
  it('[ai 15] gives each exactly what mode, space and list give: read, post, share', async () => {
    const person = () => ours.member('editor');
    const [ann, editor, viewer, reader, stranger] = [
      await ours.member('admin'),
      await person(),
      await person(),
      await person(),
      await person(),
    ];
    const { space_id } = (await ann.client.post('/spaces', { space_name: `Space ${newId()}` }).expect(201)).body as { space_id: string };
    for (const [who, sm_role] of [
      [editor, 'editor'],
      [viewer, 'viewer'],
    ] as const)
      await ann.client.post(`/spaces/${space_id}/members`, { sm_principal_type: 'user', sm_principal: who.user_id, sm_role }).expect(201);
    const { thread_id } = await openThread(ann.client, { thread_space: space_id, thread_acl: { users: { [reader.user_id]: 'view' } } });
    const table: Record<string, string> = {};
    for (const thread_share_mode of ['private', 'space', 'collab']) {
      await ann.client.patch(`/threads/${thread_id}`, { thread_share_mode }).expect(200);
      for (const [name, { client }] of Object.entries({ ann, editor, viewer, reader, stranger, owner: ours.owner })) {
        const answers = [
          await client.get(`/threads/${thread_id}`),
          await client.post(`/threads/${thread_id}/messages`, { msg_text: 'x', run_options: { run: false } }),
          await client.patch(`/threads/${thread_id}`, { thread_share_mode }),
        ];
        table[`${thread_share_mode} ${name}`] = [
          ...answers.map(({ status }) => status),
          (await threadIds(client)).includes(thread_id),
        ].join(' ');
      }
    }
    const [all, edits, views, none] = ['200 201 200 true', '200 201 403 true', '200 403 403 true', '404 404 404 false'];
    expect(table).toEqual({
      'private ann': all,
      'private editor': none,
      'private viewer': none,
      'private reader': views,
      'private stranger': none,
      'private owner': none,
      'space ann': all,
      'space editor': views,
      'space viewer': views,
      'space reader': views,
      'space stranger': none,
      'space owner': none,
      'collab ann': all,
      'collab editor': edits,
      'collab viewer': views,
      'collab reader': views,
      'collab stranger': none,
      'collab owner': none,
    });
    await viewer.client.post('/threads', { thread_id: newId(), thread_space: space_id }).expect(403);
    await stranger.client.post('/threads', { thread_id: newId(), thread_space: space_id }).expect(400);
    await ann.client.delete(`/spaces/${space_id}`).expect(204);
    expect(
      await Promise.all([ann, editor, reader].map(({ client }) => client.get(`/threads/${thread_id}`).then(({ status }) => status))),
    ).toEqual([200, 404, 200]);
  });

  it('[ai 15] gives each level exactly its operations', async () => {
    const levels = { view: await ours.member('editor'), edit: await ours.member('editor'), owner: await ours.member('editor') };
    const { client } = ours.owner;
    const { thread_id } = await openThread(client, {
      thread_acl: { users: aclOf(levels) },
    });
    const message = await say(client, thread_id, 'One');
    const at = `/threads/${thread_id}`;
    // No worker is there: the question waits for its answer.
    await new Crediting(api).grant(ours, { grant_credits: 100 });
    const asked = (await client.post(`${at}/messages`, { msg_text: 'Two' }).expect(202)).body as {
      readonly run: { readonly run_id: string };
      readonly assistant_message: { readonly msg_id: string };
    };
    const [{ run_id }, stranger] = [asked.run, await ours.member('editor')];
    const operations: Readonly<Record<string, (by: Client) => PromiseLike<{ readonly status: number }>>> = {
      'read it': (by) => by.get(at),
      'read messages': (by) => by.get(`${at}/messages`),
      'read a message': (by) => by.get(`${at}/messages/${message.msg_id}`),
      'check citations': (by) => by.get(`${at}/messages/${message.msg_id}/citations/check`),
      'list members': (by) => by.get(`${at}/members`),
      'list files': (by) => by.get(`${at}/files`),
      'show presence': (by) => by.post(`${at}/presence`, { state: 'viewing' }),
      'read a run': (by) => by.get(`${at}/runs/${run_id}`),
      post: (by) => by.post(`${at}/messages`, { msg_text: 'x', run_options: { run: false } }),
      'answer again': (by) => by.post(`${at}/messages/${asked.assistant_message.msg_id}/regenerate`, {}),
      stop: (by) => by.post(`${at}/stop`, {}),
      'answer a tool': (by) => by.post(`${at}/runs/${run_id}/tool-results`, { results: [{ call_id: 'c', output: {} }] }),
      'select a branch': (by) => by.put(`${at}/leaf`, { msg_id: message.msg_id }),
      'change a message of others': (by) => by.patch(`${at}/messages/${message.msg_id}`, { msg_metadata: {} }),
      'change its title': (by) => by.patch(at, { thread_title: 'x' }),
      'change its memory': (by) => by.patch(at, { thread_memory: false }),
      'change its list': (by) => by.patch(at, { thread_acl: { users: aclOf(levels) } }),
      'add a member': (by) => by.post(`${at}/members`, { member_type: 'user', member_id: stranger.user_id, member_level: 'view' }),
      'remove a member': (by) => by.delete(`${at}/members/${stranger.user_id}`),
      'remove its owner': (by) => by.delete(`${at}/members/${ours.owner.user_id}`),
      'delete it by a change': (by) => by.patch(at, { thread_active: false }),
      'delete it': async (by) => {
        await client.patch(at, { thread_active: true }).expect(200);
        return by.delete(at);
      },
    };
    const table: Record<string, string> = {};
    for (const [name, operation] of Object.entries(operations)) {
      const statuses: number[] = [];
      for (const by of [stranger, levels.view, levels.edit, levels.owner]) statuses.push((await operation(by.client)).status);
      table[name] = statuses.join(' ');
    }
    expect(table).toEqual({
      'read it': '404 200 200 200',
      'read messages': '404 200 200 200',
      'read a message': '404 200 200 200',
      'check citations': '404 200 200 200',
      'list members': '404 200 200 200',
      'list files': '404 200 200 200',
      'show presence': '404 204 204 204',
      'read a run': '404 200 200 200',
      post: '404 403 201 201',
      'answer again': '404 403 409 409',
      stop: '404 403 200 200',
      'answer a tool': '404 403 400 400',
      'select a branch': '404 403 200 200',
      'change a message of others': '404 403 403 200',
      'change its title': '404 403 200 200',
      'change its memory': '404 403 403 200',
      'change its list': '404 403 403 200',
      'add a member': '404 403 403 201',
      'remove a member': '204 403 403 404',
      'remove its owner': '404 403 403 403',
      'delete it by a change': '404 403 403 200',
      'delete it': '404 403 403 204',
    });
    expect((await readThread(client, thread_id)).thread_access).toBe('owner');
  }, 60_000);

  it('in a space is for those who may write there: not for a former member, by no change and by no restoring', async () => {
    const [ann, left] = [ours.owner, await ours.member('editor')];
    const { space_id } = (await ann.client.post('/spaces', { space_name: `Space ${newId()}` }).expect(201)).body as { space_id: string };
    await ann.client
      .post(`/spaces/${space_id}/members`, { sm_principal_type: 'user', sm_principal: left.user_id, sm_role: 'editor' })
      .expect(201);
    const [hidden, shown, deleted] = [
      await openThread(left.client, { thread_space: space_id }),
      await openThread(left.client, { thread_space: space_id, thread_share_mode: 'space' }),
      await openThread(left.client, { thread_space: space_id, thread_share_mode: 'collab' }),
    ];
    await left.client.delete(`/threads/${deleted.thread_id}`).expect(204);
    await ann.client.delete(`/spaces/${space_id}/members/${left.user_id}`).expect(204);
    for (const thread_share_mode of ['space', 'collab']) {
      const refused = await left.client.patch(`/threads/${hidden.thread_id}`, { thread_share_mode }).expect(400);
      expect(refused.body.errors[0].path).toBe('thread_space');
    }
    await left.client.patch(`/threads/${shown.thread_id}`, { thread_share_mode: 'collab' }).expect(400);
    await left.client.patch(`/threads/${deleted.thread_id}`, { thread_active: true }).expect(400);
    expect(await threadIds(ann.client)).toEqual([shown.thread_id]);
    await left.client.patch(`/threads/${shown.thread_id}`, { thread_title: 'Mine' }).expect(200);
    await left.client.patch(`/threads/${shown.thread_id}`, { thread_share_mode: 'private', thread_space: null }).expect(200);
    await left.client
      .patch(`/threads/${deleted.thread_id}`, { thread_active: true, thread_share_mode: 'private', thread_space: null })
      .expect(200);
    expect(await threadIds(ann.client)).toEqual([]);
  });

  it('keeps its owner: other owners remove nobody but each other, and an heir with a thread about the same is named as the reason', async () => {
    const [ann, ben] = [await ours.member('editor'), await ours.member('editor')];
    const { ds_id } = await makeBase(ours.owner.client);
    const about = async (by: Client): Promise<string> =>
      ((await by.post('/threads/find-or-create', { thread_ref: { type: 'ds', id: ds_id } })).body as { thread_id: string }).thread_id;
    const [anns] = [await about(ann.client), await about(ben.client)];
    await ann.client.post(`/threads/${anns}/members`, { member_type: 'user', member_id: ben.user_id, member_level: 'owner' }).expect(201);
    const refused = await ben.client.delete(`/threads/${anns}/members/${ann.user_id}`).expect(403);
    expect(refused.body.detail).toContain('The owner can leave the thread or transfer it');
    const taken = await ann.client.delete(`/threads/${anns}/members/${ann.user_id}`).expect(409);
    expect(taken.body).toMatchObject({ code: 'already_exists', detail: expect.stringContaining('about this subject') });
    expect((await ann.client.patch(`/threads/${anns}`, { thread_user: ben.user_id }).expect(409)).body.detail).toContain(
      'about this subject',
    );
  });

  it('shows agents and prompts to those alone who may see them', async () => {
    const reader = await ours.member('editor');
    const { client, user_id } = ours.owner;
    const closed = { users: { [user_id]: 'owner' } };
    const { agent_id } = await makeAgent(client, { agent_name: 'Merger desk', agent_acl: closed });
    const { prompt_id } = await makePrompt(client, 'Draft a letter', { prompt_name: 'Layoff letter', prompt_acl: closed });
    const { thread_id } = await openThread(client, { thread_agent: agent_id, thread_acl: { users: { [reader.user_id]: 'edit' } } });
    await client.post(`/threads/${thread_id}/messages`, { prompt: { prompt_id }, run_options: { run: false } }).expect(201);
    const shown = { agent_id, agent_name: 'Merger desk', agent_active: true, prompt_id, prompt_name: 'Layoff letter' };
    const hidden = {
      thread_agent: agent_id,
      agent_id: null,
      agent_name: null,
      agent_icon: null,
      agent_active: null,
      prompt_id: null,
      prompt_name: null,
    };
    for (const [by, expected] of [
      [client, shown],
      [reader.client, hidden],
    ] as const) {
      expect((await by.get(`/threads/${thread_id}`).expect(200)).body).toMatchObject(expected);
      expect((await by.get('/threads').expect(200)).body.data).toMatchObject([expected]);
      expect((await by.get('/threads/search?q=letter').expect(200)).body.data).toMatchObject([{ thread: expected }]);
    }
    const everything = await Promise.all(
      ['', '/messages', '/members'].map((path) => reader.client.get(`/threads/${thread_id}${path}`).expect(200)),
    );
    expect(JSON.stringify(everything.map(({ body }) => body as object))).not.toMatch(/Merger desk|Layoff letter/);
  });

  it('needs the permissions of threads besides', async () => {
    const { thread_id } = await openThread(ours.owner.client);
    const without = await ours.member('viewer');
    await ours.owner.client
      .post(`/threads/${thread_id}/members`, { member_type: 'user', member_id: without.user_id, member_level: 'owner' })
      .expect(201);
    const { client } = without;
    await client.get(`/threads/${thread_id}`).expect(200);
    await client.post('/threads', { thread_id: newId() }).expect(403);
    await client.post('/threads/find-or-create', { thread_ref: { type: 'ds', id: newId() } }).expect(403);
    await client.patch(`/threads/${thread_id}`, { thread_title: 'x' }).expect(403);
    await client.put(`/threads/${thread_id}/leaf`, { msg_id: newId() }).expect(403);
    await client.patch(`/threads/${thread_id}/messages/${newId()}`, { msg_metadata: {} }).expect(403);
    await client
      .post(`/threads/${thread_id}/members`, { member_type: 'user', member_id: without.user_id, member_level: 'view' })
      .expect(403);
    await client.delete(`/threads/${thread_id}`).expect(403);
  });

  it('shows who takes part, with names', async () => {
    const ben = await ours.member('editor');
    const { thread_id } = await openThread(ours.owner.client, { thread_acl: { users: { [ben.user_id]: 'edit' } } });
    const { data } = (await ben.client.get(`/threads/${thread_id}/members`).expect(200)).body as {
      data: { member_id: string; member_name: string }[];
    };
    expect(data).toMatchObject([
      { member_type: 'user', member_id: ours.owner.user_id, member_level: 'owner', member_state: null },
      { member_type: 'user', member_id: ben.user_id, member_level: 'edit' },
    ]);
    expect(data.every(({ member_name }) => typeof member_name === 'string')).toBe(true);
  });
});

describe('deleted threads', () => {
  it('go for good when their time is over; what a hold keeps is found no more than what is gone', async () => {
    const { client } = ours.owner;
    const [gone, held] = [await openThread(client), await openThread(client)];
    for (const { thread_id } of [gone, held]) {
      await say(client, thread_id, 'Old');
      await client.delete(`/threads/${thread_id}`).expect(204);
    }
    await client
      .post('/admin/legal-holds', { lh_name: 'Matter', lh_target_type: 'thread', lh_target_id: held.thread_id, lh_reason: 'Letter' })
      .expect(201);
    await api.sql(`UPDATE thread SET thread_deleted = now() - interval '366 days' WHERE tenant_id = $1`, [ours.tenant_id]);
    await applyAnew(api, ours);
    expect(await threadIds(client, '?thread_active=false')).toEqual([]);
    for (const { thread_id } of [gone, held]) {
      await client.get(`/threads/${thread_id}`).expect(404);
      await client.patch(`/threads/${thread_id}`, { thread_active: true }).expect(404);
      await client.delete(`/threads/${thread_id}`).expect(404);
    }
    expect(await api.sql('SELECT msg_thread FROM message WHERE tenant_id = $1', [ours.tenant_id])).toEqual([
      { msg_thread: held.thread_id },
    ]);
  });
});

describe('messages', () => {
  it('branch where one follows an earlier one, and the branch that is shown is chosen', async () => {
    const { client } = ours.owner;
    const { thread_id } = await openThread(client);
    const first = await say(client, thread_id, 'One');
    const second = await say(client, thread_id, 'Two');
    const other = await say(client, thread_id, 'Two, edited', { msg_parent: first.msg_id });
    expect(other.msg_siblings).toEqual({ index: 1, ids: [second.msg_id, other.msg_id] });
    expect(await branchOf(client, thread_id)).toEqual(['One', 'Two, edited']);
    expect(await branchOf(client, thread_id, '?branch=all')).toEqual(['One', 'Two', 'Two, edited']);
    expect(await branchOf(client, thread_id, '?sort=-msg_id&limit=1')).toEqual(['Two, edited']);
    await client.put(`/threads/${thread_id}/leaf`, { msg_id: second.msg_id }).expect(200);
    expect(await branchOf(client, thread_id)).toEqual(['One', 'Two']);
    await client.put(`/threads/${thread_id}/leaf`, { msg_id: newId() }).expect(400);
  });

  it('go with all that follows them, and the branch goes on beside them', async () => {
    const { client } = ours.owner;
    const { thread_id } = await openThread(client);
    const first = await say(client, thread_id, 'One');
    await say(client, thread_id, 'Two');
    const other = await say(client, thread_id, 'Other', { msg_parent: first.msg_id });
    await say(client, thread_id, 'After it');
    const path = `/threads/${thread_id}/messages/${other.msg_id}`;
    expect((await client.patch(path, { msg_active: false }).expect(200)).body.msg_active).toBe(false);
    await client.get(path).expect(404);
    expect(await branchOf(client, thread_id)).toEqual(['One', 'Two']);
    expect(await branchOf(client, thread_id, '?branch=all')).toEqual(['One', 'Two']);
    await client
      .post(`/threads/${thread_id}/messages`, { msg_text: 'x', msg_parent: other.msg_id, run_options: { run: false } })
      .expect(400);
  });

  it('are changed by who wrote them and by owners of the thread', async () => {
    const [ann, ben] = [await ours.member('editor'), await ours.member('editor')];
    const { thread_id } = await openThread(ann.client, { thread_acl: { users: { [ben.user_id]: 'edit' } } });
    const { msg_id } = await say(ann.client, thread_id, 'Mine');
    const path = `/threads/${thread_id}/messages/${msg_id}`;
    await ben.client.patch(path, { msg_metadata: { a: 1 } }).expect(403);
    expect((await ann.client.patch(path, { msg_metadata: { a: 1 } }).expect(200)).body.msg_metadata).toEqual({ a: 1 });
    await ann.client.patch(path, { msg_text: 'New' }).expect(400);
  });

  it('refuse what is not valid', () =>
    inTurn(
      [
        [{ msg_text: '' }, 400],
        [{ msg_text: '  ' }, 400],
        [{}, 400],
        [{ msg_text: 'x'.repeat(100_001) }, 400],
        [{ msg_text: 'a\u0000b' }, 400],
        [{ msg_text: '\ud800' }, 400],
        [{ msg_text: 'x', msg_files: [newId()] }, 400],
        [{ msg_text: 'x', msg_files: Array.from({ length: 21 }, () => newId()) }, 400],
        [{ msg_text: 'x', msg_parent: newId() }, 400],
        [{ msg_parts: [{ kind: 'tool', text: 'x' }] }, 400],
        [{ msg_parts: [{ kind: 'text', text: 'x', file_id: newId() }] }, 400],
      ],
      async (body, status) => {
        const { client } = ours.owner;
        const { thread_id } = await openThread(client);
        await client.post(`/threads/${thread_id}/messages`, { ...body, run_options: { run: false } }).expect(status);
        expect(await branchOf(client, thread_id)).toEqual([]);
      },
    ));

  it('bring files that their author may read, and the thread lists them', async () => {
    const { client } = ours.owner;
    const { thread_id } = await openThread(client);
    const file = (await client.post('/files', { file_repo: { thread: thread_id }, file_name: 'note.md' }).expect(201)).body as {
      file_id: string;
    };
    await say(client, thread_id, 'See', { msg_files: [file.file_id] });
    expect((await client.get(`/threads/${thread_id}/files`).expect(200)).body.data.map((one: { file_id: string }) => one.file_id)).toEqual([
      file.file_id,
    ]);
    const stranger = await ours.member('editor');
    await stranger.client.get(`/files/${file.file_id}`).expect(404);
    const own = await openThread(stranger.client);
    await stranger.client
      .post(`/threads/${own.thread_id}/messages`, { msg_text: 'x', msg_files: [file.file_id], run_options: { run: false } })
      .expect(400);
    await client.delete(`/threads/${thread_id}`).expect(204);
    await client.get(`/files/${file.file_id}`).expect(404);
  });
});
