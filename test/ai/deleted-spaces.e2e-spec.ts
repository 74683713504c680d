import { PersonDataSources, RetentionTargets } from '@atrium/governance';
import { ContentOwners } from '@atrium/identity';
import { Database, inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import type { Client, Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { countOf, hold } from '../governance/retaining';
import { makeBase } from '../knowledge/bases';
import { sharedAtrium } from '../support/shared-atrium';
import { plainThread } from './following';
import { openThread } from './talking';

let api: RunningApi;
let ours: TestWorkspace;
let space: string;

const make = async (client: Client): Promise<string> =>
  ((await client.post('/spaces', { space_name: `Space ${newId()}` }).expect(201)).body as { space_id: string }).space_id;
const add = (who: string, sm_role: string, sm_principal_type = 'user') =>
  ours.owner.client.post(`/spaces/${space}/members`, { sm_principal_type, sm_principal: who, sm_role }).expect(201);
const member = (who: string): string => `/spaces/${space}/members/${who}`;
const membersFor = async (client: Client): Promise<string[]> =>
  ((await client.get(`/spaces/${space}/members`).expect(200)).body as { data: { sm_principal: string }[] }).data.map(
    ({ sm_principal }) => sm_principal,
  );

beforeAll(async () => {
  api = await sharedAtrium();
});
beforeEach(async () => {
  ours = await api.workspace();
  space = await make(ours.owner.client);
});
afterAll(() => api.close());

describe('the members of a deleted space', () => {
  let viewer: Member;
  let role: string;

  beforeEach(async () => {
    viewer = await ours.member('viewer');
    const [found] = await api.sql<{ role_id: string }>(`SELECT role_id FROM role WHERE tenant_id = $1 AND role_key = 'viewer'`, [
      ours.tenant_id,
    ]);
    role = String(found?.role_id);
    await add(role, 'viewer', 'role');
  });

  const deleteSpace = (): Promise<unknown> => ours.owner.client.delete(`/spaces/${space}`).expect(204);

  it('are seen and removed by its owners, roles among them', async () => {
    await deleteSpace();
    await viewer.client.get(`/spaces/${space}`).expect(200);
    expect(await membersFor(viewer.client)).toEqual([ours.owner.user_id, role]);
    expect(await membersFor(ours.owner.client)).toEqual([ours.owner.user_id, role]);
    await viewer.client.delete(member(role)).expect(403);
    await ours.owner.client.delete(member(role)).expect(204);
    await viewer.client.get(`/spaces/${space}`).expect(404);
    expect(await membersFor(ours.owner.client)).toEqual([ours.owner.user_id]);
  });

  it('are seen and removed by administrators of people, who do not read the space, and need not be able to view any', async () => {
    const [admin, editor] = [await ours.member('admin', ['admin:users']), await ours.member('editor')];
    expect((await admin.client.delete(member(role)).expect(404)).body.code).toBe('not_found');
    await deleteSpace();
    await editor.client.get(`/spaces/${space}/members`).expect(404);
    await editor.client.delete(member(role)).expect(404);
    expect(await membersFor(admin.client)).toEqual([ours.owner.user_id, role]);
    await admin.client.get(`/spaces/${space}`).expect(403);
    await admin.client.delete(member(role)).expect(204);
    await viewer.client.get(`/spaces/${space}`).expect(404);
    await admin.client.delete(member(ours.owner.user_id)).expect(204);
    await ours.owner.client.get(`/spaces/${space}`).expect(404);
    expect(await membersFor(admin.client)).toEqual([]);
  });

  it('are removed from an active space with the permission to edit spaces alone', async () => {
    const admin = await ours.member('admin', ['admin:users', 'space:view']);
    await add(admin.user_id, 'owner');
    expect((await admin.client.delete(member(role)).expect(403)).body.code).toBe('permission_denied');
    await deleteSpace();
    await admin.client.delete(member(role)).expect(204);
  });
});

describe('the threads of a deleted space', () => {
  const THREADS = 600;
  const still = (): Promise<number> => countOf(api, 'thread', ours, `thread_space = '${space}'`);
  const withdrawing = (): Promise<number> =>
    countOf(api, 'outbox', ours, `ev_name = 'ai.withdraw' AND ev_payload ->> 'space_id' = '${space}'`);

  it('are withdrawn by the request where they are few', async () => {
    await plainThread(api, ours, { space, mode: 'collab' });
    await ours.owner.client.delete(`/spaces/${space}`).expect(204);
    expect([await still(), await withdrawing()]).toEqual([0, 0]);
  });

  it('are withdrawn in batches where they are many, and are their owners’ alone before that', async () => {
    const viewer = await ours.member('viewer');
    await add(viewer.user_id, 'viewer');
    const thread = await plainThread(api, ours, { space, mode: 'space' });
    await viewer.client.get(`/threads/${thread}`).expect(200);
    await api.sql(
      `INSERT INTO thread (tenant_id, thread_id, thread_user, thread_space, thread_share_mode) SELECT $1, gen_random_uuid(), $2, $3, 'space' FROM generate_series(1, $4)`,
      [ours.tenant_id, ours.owner.user_id, space, THREADS],
    );
    await ours.owner.client.delete(`/spaces/${space}`).expect(204);
    expect([await still(), await withdrawing()]).toEqual([THREADS + 1 - 500, 1]);
    const [left] = await api.sql<{ thread_id: string }>('SELECT thread_id FROM thread WHERE tenant_id = $1 AND thread_space = $2 LIMIT 1', [
      ours.tenant_id,
      space,
    ]);
    await viewer.client.get(`/threads/${left?.thread_id}`).expect(404);
    expect((await viewer.client.get('/threads').expect(200)).body.data).toEqual([]);
    const { client, user_id } = ours.owner;
    expect((await client.get(`/spaces/${space}`).expect(200)).body.space_thread_count).toBe(0);
    const { data } = (await client.get(`/threads/${left?.thread_id}/members`).expect(200)).body as { data: { member_id: string }[] };
    expect(data.map(({ member_id }) => member_id)).toEqual([user_id]);
    await client.patch(`/threads/${left?.thread_id}`, { thread_title: 'Still mine' }).expect(200);
  });

  it('are answered without its agent and its bases, also before they are withdrawn', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const expert = (await client.post('/agents', { agent_name: 'Expert' }).expect(201)).body as { agent_id: string };
    await client.patch(`/spaces/${space}`, { space_agent: expert.agent_id, space_knowledge: [ds_id] }).expect(200);
    await new Crediting(api).grant(ours, { grant_credits: 100 });
    const planned = async (): Promise<unknown> => {
      const thread = await plainThread(api, ours, { space, mode: 'collab' });
      await client.post(`/threads/${thread}/messages`, { msg_text: 'When does the ferry leave?' }).expect(202);
      const [run] = await api.sql<{ run_agent: string; knowledge: string[] }>(
        `SELECT run_agent, run_options -> 'knowledge' AS knowledge FROM run WHERE tenant_id = $1 AND run_thread = $2`,
        [ours.tenant_id, thread],
      );
      return [run?.run_agent === expert.agent_id, run?.knowledge];
    };
    expect(await planned()).toEqual([true, [ds_id]]);
    await client.delete(`/spaces/${space}`).expect(204);
    expect(await planned()).toEqual([false, []]);
  });
});

describe('threads that still name a deleted space, before they are withdrawn,', () => {
  let leaving: Member;
  let taker: Member;

  beforeEach(async () => {
    [leaving, taker] = [await ours.member('editor'), await ours.member('editor')];
    await add(leaving.user_id, 'editor');
  });

  /** One that is shared in the space, and one whose list names the space. */
  const shared = async (): Promise<string[]> => {
    const { thread_id } = await openThread(leaving.client, { thread_acl: { spaces: { [space]: 'view' } } });
    return [await plainThread(api, ours, { user: leaving.user_id, space, mode: 'collab' }), thread_id];
  };
  const deleteSpace = async (): Promise<void> => {
    await ours.owner.client.delete(`/spaces/${space}`).expect(204);
    // As those are that the request has left to the background.
    await api.sql(`UPDATE thread SET thread_space = $3, thread_share_mode = 'collab' WHERE tenant_id = $1 AND thread_user = $2`, [
      ours.tenant_id,
      leaving.user_id,
      space,
    ]);
  };
  const ownersOf = async (threads: readonly string[]): Promise<(string | undefined)[]> => {
    const rows = await api.sql<{ thread_id: string; thread_user: string }>(
      'SELECT thread_id, thread_user FROM thread WHERE tenant_id = $1 AND thread_id = ANY($2::uuid[])',
      [ours.tenant_id, threads],
    );
    return threads.map((id) => rows.find(({ thread_id }) => thread_id === id)?.thread_user);
  };
  const handOver = (): Promise<unknown> =>
    inWorkspace(ours.tenant_id, () => {
      const ai = api.app
        .get(ContentOwners, { strict: false })
        .listOwners()
        .find(({ context }) => context === 'ai');
      return ai!.transferContent({ from: leaving.user_id, to: taker.user_id }, { after: null, size: 100 });
    });
  const erase = (): Promise<unknown> =>
    inWorkspace(ours.tenant_id, () =>
      api.app.get(PersonDataSources, { strict: false }).getOwnTable('thread').erase!({ user_id: leaving.user_id } as never, {
        signal: new AbortController().signal,
        heartbeat: () => Promise.resolve(),
      }),
    );

  it('stay with their owner when what they share goes to another member', async () => {
    const threads = await shared();
    await deleteSpace();
    expect(await handOver()).toEqual({ moved: 0, next: null });
    expect(await ownersOf(threads)).toEqual([leaving.user_id, leaving.user_id]);
  });

  it('are erased with their owner', async () => {
    const threads = await shared();
    await deleteSpace();
    expect(await erase()).toBe(2);
    expect(await ownersOf(threads)).toEqual([undefined, undefined]);
  });

  it('are shared as long as the space is active: they go to another member, and an erasure passes over them', async () => {
    const threads = await shared();
    expect(await erase()).toBe(0);
    expect(await handOver()).toEqual({ moved: 2, next: null });
    expect(await ownersOf(threads)).toEqual([taker.user_id, taker.user_id]);
  });

  it('are restored and changed as their owner’s alone', async () => {
    const [thread] = await shared();
    await leaving.client.delete(`/threads/${thread}`).expect(204);
    await deleteSpace();
    const { body } = await leaving.client.patch(`/threads/${thread}`, { thread_active: true }).expect(200);
    expect(body).toMatchObject({ thread_active: true, thread_share_mode: 'private', thread_space: null });
    await leaving.client.patch(`/threads/${thread}`, { thread_share_mode: 'collab' }).expect(400);
    await leaving.client.patch(`/threads/${thread}`, { thread_share_mode: 'collab', thread_space: space }).expect(400);
  });
});

describe('a deleted space', () => {
  const YEAR = 366;
  const due = (id: string, days = YEAR): Promise<unknown> =>
    api.sql(`UPDATE space SET space_updated = now() - make_interval(days => $3) WHERE tenant_id = $1 AND space_id = $2`, [
      ours.tenant_id,
      id,
      days,
    ]);
  const preview = async (): Promise<unknown> =>
    (await ours.owner.client.get('/admin/retention/preview?ret_key=threads_inactive').expect(200)).body;
  const purge = (): Promise<void> =>
    inWorkspace(ours.tenant_id, async () => {
      const before = new Date(Date.now() - 365 * 86_400_000);
      for (const target of api.app.get(RetentionTargets, { strict: false }).findTargets('threads_inactive'))
        while ((await api.app.get(Database, { strict: false }).write(() => target.purgeBatch(before, 100))).left);
    });
  const known = async (): Promise<string[]> =>
    (await api.sql<{ space_id: string }>('SELECT space_id FROM space WHERE tenant_id = $1', [ours.tenant_id])).map(
      ({ space_id }) => space_id,
    );

  it('is removed with its members after the days of deleted threads, of which threads that still name it are no part', async () => {
    const { client } = ours.owner;
    const [active, young] = [await make(client), await make(client)];
    await add((await ours.member('viewer')).user_id, 'viewer');
    for (const id of [space, young]) await client.delete(`/spaces/${id}`).expect(204);
    const thread = await plainThread(api, ours, { space, mode: 'collab' });
    for (const [id, days] of [
      [space, YEAR],
      [active, YEAR],
      [young, 300],
    ] as const)
      await due(id, days);
    expect(await preview()).toMatchObject({ rows: 1, held: 0 });
    await purge();
    expect((await known()).sort()).toEqual([active, young].sort());
    expect(await countOf(api, 'space_member', ours, `sm_space = '${space}'`)).toBe(0);
    await client.get(`/spaces/${space}`).expect(404);
    expect((await client.get(`/threads/${thread}`).expect(200)).body).toMatchObject({ thread_space: null, thread_share_mode: 'private' });
  });

  it('is kept while its creator is under a legal hold, and no request shows it once its time is over', async () => {
    const { client, user_id } = ours.owner;
    const [viewer, admin] = [await ours.member('viewer'), await ours.member('admin', ['admin:users'])];
    await add(viewer.user_id, 'viewer');
    const thread = await openThread(client, { thread_acl: { spaces: { [space]: 'view' } } });
    await hold(ours, 'user', user_id);
    await client.delete(`/spaces/${space}`).expect(204);
    const listed = async (who: Client, query = ''): Promise<string[]> =>
      ((await who.get(`/spaces?space_active=false${query}`).expect(200)).body as { data: { space_id: string }[] }).data.map(
        ({ space_id }) => space_id,
      );
    const lists = async (): Promise<string[][]> => [
      await listed(client),
      await listed(viewer.client),
      await listed(admin.client, '&all=true'),
    ];
    const named = async (): Promise<unknown> =>
      (
        (await client.get(`/threads/${thread.thread_id}/members`).expect(200)).body as {
          data: { member_id: string; member_name: unknown }[];
        }
      ).data.find(({ member_id }) => member_id === space)?.member_name;
    await due(space, 300);
    for (const who of [client, viewer.client]) await who.get(`/spaces/${space}`).expect(200);
    for (const who of [client, viewer.client, admin.client]) await who.get(`/spaces/${space}/members`).expect(200);
    expect(await lists()).toEqual([[space], [space], [space]]);
    expect(await named()).toMatch(/^Space /);
    await due(space);
    expect(await preview()).toMatchObject({ rows: 0, held: 1 });
    await purge();
    expect(await known()).toEqual([space]);
    for (const who of [client, viewer.client]) await who.get(`/spaces/${space}`).expect(404);
    for (const who of [client, viewer.client, admin.client]) await who.get(`/spaces/${space}/members`).expect(404);
    expect(await lists()).toEqual([[], [], []]);
    expect(await named()).toBeNull();
    await client.patch(`/spaces/${space}`, { space_name: 'Back' }).expect(404);
    await client.delete(`/spaces/${space}`).expect(404);
    await viewer.client.delete(member(viewer.user_id)).expect(404);
    for (const who of [client, admin.client]) await who.delete(member(viewer.user_id)).expect(404);
  });
});
