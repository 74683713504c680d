import { Memories } from '@atrium/ai';
import { newId } from '@atrium/platform/kernel';
import { eventually, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { orderOf, over } from '../governance/asking-for-data';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { actingFor } from './acting';
import { makeAgent } from './agents';
import { openThread, readThread, say, threadIds } from './talking';

let api: RunningApi;
let ours: TestWorkspace;
let admin: Client;
let leaving: Member;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  admin = ours.owner.client;
  leaving = await ours.member('editor');
});
afterAll(() => api.close());

interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly result: { readonly moved: Readonly<Record<string, number>> } | null;
}

describe('what somebody leaves to another member', () => {
  const handedTo = async (to: Member): Promise<Job> => {
    const { job_id } = (await admin.post(`/admin/users/${leaving.user_id}/transfer`, { to_user: to.user_id }).expect(202)).body as Job;
    return eventually(
      async () => (await admin.get(`/jobs/${job_id}`).expect(200)).body as Job,
      ({ status }) => status === 'completed' || status === 'failed',
      30_000,
    );
  };

  it('are threads, agents and prompts; shared ones stay shared, and those of others stay theirs', async () => {
    const taker = await ours.member('editor');
    const reader = await ours.member('editor');
    const shared = await openThread(leaving.client, { thread_acl: { users: { [reader.user_id]: 'view' } } });
    await say(leaving.client, shared.thread_id, 'Mine');
    const own = await openThread(reader.client);
    const { agent_id } = await makeAgent(leaving.client);
    await leaving.client.post('/prompts', { prompt_name: `Reply ${newId()}`, prompt_text: 'x' }).expect(201);
    await admin.delete(`/admin/users/${leaving.user_id}`).expect(204);
    const { result, status } = await handedTo(taker);
    expect(status).toBe('completed');
    expect(result?.moved).toMatchObject({ ai: 1, agents: 1, prompts: 1 });
    expect(await readThread(taker.client, shared.thread_id)).toMatchObject({ thread_user: taker.user_id, thread_access: 'owner' });
    expect(await threadIds(reader.client)).toEqual(expect.arrayContaining([shared.thread_id, own.thread_id]));
    expect(await readThread(reader.client, own.thread_id)).toMatchObject({ thread_user: reader.user_id });
    expect((await admin.get(`/agents/${agent_id}`).expect(200)).body.agent_user).toBe(taker.user_id);
    expect((await handedTo(taker)).result?.moved).toMatchObject({ ai: 0, agents: 0, prompts: 0 });
  }, 60_000);

  it('are threads about a subject too, also where the other one has a thread about the same', async () => {
    const taker = await ours.member('editor');
    const { file_id } = await upload(admin, 'lease.md', Buffer.from('Three months.'), { file_repo: { library: ['docs'] } });
    const about = async (member: Member): Promise<string> =>
      ((await member.client.post('/threads/find-or-create', { thread_ref: { type: 'file', id: file_id } })).body as { thread_id: string })
        .thread_id;
    const [theirs, takers] = [await about(leaving), await about(taker)];
    await leaving.client
      .post(`/threads/${theirs}/members`, { member_type: 'user', member_id: ours.owner.user_id, member_level: 'view' })
      .expect(201);
    expect((await handedTo(taker)).status).toBe('completed');
    expect(await readThread(taker.client, theirs)).toMatchObject({ thread_user: taker.user_id, thread_ref: { type: 'file', id: file_id } });
    expect(await about(taker)).toBe(takers);
  }, 60_000);

  it('are no threads that they shared with nobody: these stay theirs, and are opened to nobody when they have left', async () => {
    const taker = await ours.member('editor');
    const { space_id } = (await leaving.client.post('/spaces', { space_name: `Space ${newId()}` }).expect(201)).body as {
      space_id: string;
    };
    const [own, inSpace] = [await openThread(leaving.client), await openThread(leaving.client, { thread_space: space_id })];
    await say(leaving.client, own.thread_id, 'I want to leave the company in May.');
    expect((await handedTo(taker)).result?.moved).toMatchObject({ ai: 0 });
    const unread = async (): Promise<void> => {
      for (const { thread_id } of [own, inSpace]) {
        await taker.client.get(`/threads/${thread_id}`).expect(404);
        await admin.get(`/threads/${thread_id}`).expect(404);
      }
    };
    await unread();
    expect(await readThread(leaving.client, own.thread_id)).toMatchObject({ thread_user: leaving.user_id, thread_access: 'owner' });
    await admin.delete(`/admin/users/${leaving.user_id}`).expect(204);
    expect((await handedTo(taker)).result?.moved).toMatchObject({ ai: 0 });
    await unread();
  }, 60_000);

  it('are shared threads that they go on writing in while they are members', async () => {
    const taker = await ours.member('editor');
    const { thread_id } = await openThread(leaving.client, { thread_acl: { users: { [taker.user_id]: 'view' } } });
    expect((await handedTo(taker)).result?.moved).toMatchObject({ ai: 1 });
    expect(await readThread(taker.client, thread_id)).toMatchObject({
      thread_user: taker.user_id,
      thread_acl: { users: { [leaving.user_id]: 'edit' } },
    });
    expect(await readThread(leaving.client, thread_id)).toMatchObject({ thread_access: 'edit' });
    expect(await threadIds(leaving.client)).toContain(thread_id);
    await say(leaving.client, thread_id, 'I am still here.');
    await leaving.client.patch(`/threads/${thread_id}`, { thread_user: leaving.user_id }).expect(403);
  }, 60_000);
});

describe('the access to a thread and to a prompt', () => {
  const allowed = async (user_id: string, permission: string, resource: object): Promise<boolean> =>
    ((await admin.post('/admin/access/explain', { user_id, permission, resource }).expect(200)).body as { allowed: boolean }).allowed;

  it('is explained by who owns it, by its list and by its space', async () => {
    const [reader, stranger, inSpace] = [await ours.member('editor'), await ours.member('editor'), await ours.member('editor')];
    const { space_id } = (await leaving.client.post('/spaces', { space_name: `Space ${newId()}` }).expect(201)).body as {
      space_id: string;
    };
    await leaving.client
      .post(`/spaces/${space_id}/members`, { sm_principal_type: 'user', sm_principal: inSpace.user_id, sm_role: 'viewer' })
      .expect(201);
    const { thread_id: id } = await openThread(leaving.client, {
      thread_acl: { users: { [reader.user_id]: 'view' } },
      thread_space: space_id,
    });
    const thread = { type: 'thread', id };
    const seen = (): Promise<boolean[]> =>
      Promise.all([leaving, reader, inSpace, stranger, ours.owner].map(({ user_id }) => allowed(user_id, 'thread:view', thread)));
    expect(await seen()).toEqual([true, true, false, false, false]);
    await leaving.client.patch(`/threads/${id}`, { thread_share_mode: 'space' }).expect(200);
    expect(await seen()).toEqual([true, true, true, false, false]);
    await leaving.client.delete(`/threads/${id}`).expect(204);
    expect(
      (await admin.post('/admin/access/explain', { user_id: reader.user_id, permission: 'thread:view', resource: thread })).status,
    ).toBe(400);

    const prompt_acl = { users: { [leaving.user_id]: 'owner' } };
    const { prompt_id } = (await leaving.client.post('/prompts', { prompt_name: 'Closed', prompt_text: 'x', prompt_acl }).expect(201))
      .body as {
      prompt_id: string;
    };
    const prompt = { type: 'prompt', id: prompt_id };
    expect(await Promise.all([leaving, reader].map(({ user_id }) => allowed(user_id, 'prompt:view', prompt)))).toEqual([true, false]);
  });
});

describe('a legal hold on a thread', () => {
  it('keeps the files that belong to it and those that its messages bring, until it is released', async () => {
    const { thread_id } = await openThread(admin);
    const file = (name: string, file_repo: object) => upload(admin, name, Buffer.from(name), { file_repo });
    const [own, attached, other] = [
      await file('own.txt', { thread: thread_id }),
      await file('attached.txt', { library: ['docs'] }),
      await file('other.txt', { library: ['docs'] }),
    ];
    await say(admin, thread_id, 'See this', { msg_files: [attached.file_id] });
    const { lh_id } = (
      await admin
        .post('/admin/legal-holds', { lh_name: 'Matter', lh_target_type: 'thread', lh_target_id: thread_id, lh_reason: 'A letter' })
        .expect(201)
    ).body as { lh_id: string };
    const file_ids = [own, attached, other].map(({ file_id }) => file_id);
    for (const file_id of file_ids) await admin.delete(`/files/${file_id}`).expect(204);
    const purged = async (): Promise<Record<string, string>> =>
      Object.fromEntries(
        (
          (await admin.post('/files/actions/purge', { file_ids }).expect(200)).body as {
            data: { file_id: string; outcome: string; code?: string }[];
          }
        ).data.map(({ file_id, outcome, code }) => [file_id, code ?? outcome]),
      );
    expect(await purged()).toEqual({ [own.file_id]: 'in_use', [attached.file_id]: 'in_use', [other.file_id]: 'purged' });
    await admin.delete(`/admin/legal-holds/${lh_id}`).expect(204);
    expect(await purged()).toMatchObject({ [own.file_id]: 'purged', [attached.file_id]: 'purged' });
  }, 60_000);
});

describe('an erasure of a person', () => {
  it('removes their memories, also from what is searched by meaning, and leaves those of others', async () => {
    const other = await ours.member('editor');
    for (const [member, mem_value] of [
      [leaving, 'My boat is called Seal'],
      [leaving, 'My berth is number seven'],
      [other, 'My boat is called Gull'],
    ] as const)
      await member.client.post('/memories', { mem_value }).expect(201);
    const vectors = (): Promise<object[]> =>
      api.sql(`SELECT ve_id FROM vector_entry WHERE tenant_id = $1 AND ve_kind = 'memory'`, [ours.tenant_id]);
    await eventually(vectors, ({ length }) => length === 3, 30_000);
    const { dsr_id } = await orderOf(admin, {
      dsr_kind: 'erasure',
      dsr_subject_type: 'user',
      dsr_subject: leaving.user_id,
      execute_after_days: 0,
    });
    const done = await over(admin, dsr_id);
    expect(done).toMatchObject({ dsr_status: 'completed', dsr_report: { ai: { memory: { deleted: 2 } } } });
    expect(await api.sql('SELECT mem_value FROM memory WHERE tenant_id = $1', [ours.tenant_id])).toEqual([
      { mem_value: 'My boat is called Gull' },
    ]);
    expect(await vectors()).toHaveLength(1);
    const known = await actingFor(api, ours, other.user_id, () =>
      api.app.get(Memories, { strict: false }).listMemoriesForRun(other.user_id, 'boat'),
    );
    expect(known.map(({ mem_value }) => mem_value)).toEqual(['My boat is called Gull']);
  }, 90_000);
});
