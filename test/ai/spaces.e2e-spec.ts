import { newId } from '@atrium/platform/kernel';
import type { Client, Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { makeBase } from '../knowledge/bases';
import { sharedAtrium } from '../support/shared-atrium';
import { inTurn } from '../support/in-turn';
import { plainThread } from './following';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
});
beforeEach(async () => {
  ours = await api.workspace();
});
afterAll(() => api.close());

interface MadeSpace {
  readonly space_id: string;
}

const make = async (client: Client, facts: object = {}): Promise<string> =>
  ((await client.post('/spaces', { space_name: `Space ${newId()}`, ...facts }).expect(201)).body as MadeSpace).space_id;
const add = (client: Client, space: string, who: string, sm_role: string, sm_principal_type = 'user') =>
  client.post(`/spaces/${space}/members`, { sm_principal_type, sm_principal: who, sm_role });
const names = async (client: Client, query = ''): Promise<string[]> =>
  ((await client.get(`/spaces${query}`).expect(200)).body as { data: { space_name: string }[] }).data.map(({ space_name }) => space_name);
const roleId = async (role_key: string): Promise<string> =>
  (await api.sql<{ role_id: string }>('SELECT role_id FROM role WHERE tenant_id = $1 AND role_key = $2', [ours.tenant_id, role_key]))[0]
    ?.role_id ?? '';

describe('spaces', () => {
  it('are made by their first owner, read, changed and deleted', async () => {
    const { client, user_id } = ours.owner;
    const made = await client
      .post('/spaces', { space_name: 'Launch', space_color: '#3366cc', space_instructions: 'Be brief.', space_metadata: { a: 1 } })
      .expect(201);
    const { space_id } = made.body as MadeSpace;
    expect(made.headers.location).toBe(`/api/v1/spaces/${space_id}`);
    expect(made.body).toMatchObject({
      space_name: 'Launch',
      space_user: user_id,
      space_role: 'owner',
      space_member_count: 1,
      space_thread_count: 0,
    });
    const { etag } = (await client.get(`/spaces/${space_id}`).expect(200)).headers;
    await client
      .with({ 'If-Match': String(etag) })
      .patch(`/spaces/${space_id}`, { space_name: 'Spring' })
      .expect(200);
    expect(
      (
        await client
          .with({ 'If-Match': String(etag) })
          .patch(`/spaces/${space_id}`, { space_name: 'X' })
          .expect(412)
      ).body.code,
    ).toBe('precondition_failed');
    expect((await client.get(`/spaces/${space_id}`).expect(200)).body).toMatchObject({
      space_name: 'Spring',
      space_instructions: 'Be brief.',
    });
    await client.delete(`/spaces/${space_id}`).expect(204);
    expect((await client.get(`/spaces/${space_id}`).expect(200)).body).toMatchObject({ space_active: false });
    expect((await client.patch(`/spaces/${space_id}`, { space_name: 'X' }).expect(409)).body.code).toBe('invalid_state');
    await client.get(`/spaces/${space_id}/members`).expect(200);
    await (await ours.member('viewer')).client.get(`/spaces/${space_id}`).expect(404);
    expect(await names(client)).toEqual([]);
  });

  it('have names of their own in any case, until they are deleted; of two made at once there is one', async () => {
    const { client } = ours.owner;
    const first = await make(client, { space_name: 'Launch' });
    expect((await client.post('/spaces', { space_name: 'LAUNCH' }).expect(409)).body.code).toBe('already_exists');
    await client.delete(`/spaces/${first}`).expect(204);
    const answers = await Promise.all([1, 2].map(() => client.post('/spaces', { space_name: 'launch' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('refuse what is not valid, naming it', () =>
    inTurn(
      [
        [{ space_name: '' }, 'space_name'],
        [{ space_name: 'x', space_agent: newId() }, 'space_agent'],
        [{ space_name: 'x', space_icon: `file:${newId()}` }, 'space_icon'],
        [{ space_name: 'x', space_knowledge: [newId()] }, 'space_knowledge[0]'],
      ],
      async (facts, path) => {
        const answer = await ours.owner.client.post('/spaces', facts).expect(400);
        expect((answer.body as { errors: { path: string }[] }).errors[0]?.path).toBe(path);
      },
    ));

  it('name agents and bases of the workspace that the caller may see', async () => {
    const theirs = await api.workspace();
    const agent = async ({ tenant_id }: TestWorkspace, acl: object = {}): Promise<string> => {
      const id = newId();
      await api.sql('INSERT INTO agent (tenant_id, agent_id, agent_name, agent_acl) VALUES ($1, $2, $3, $4)', [
        tenant_id,
        id,
        id,
        JSON.stringify(acl),
      ]);
      return id;
    };
    const base = async ({ owner }: TestWorkspace): Promise<string> =>
      ((await owner.client.post('/knowledge-bases', { ds_name: newId() }).expect(201)).body as { ds_id: string }).ds_id;
    const [own, foreign, hidden] = [await agent(ours), await agent(theirs), await agent(ours, { users: { [newId()]: 'owner' } })];
    const [ownBase, foreignBase] = [await base(ours), await base(theirs)];
    await make(ours.owner.client, { space_agent: own, space_knowledge: [ownBase] });
    for (const facts of [{ space_agent: foreign }, { space_agent: hidden }, { space_knowledge: [ownBase, foreignBase] }])
      await ours.owner.client.post('/spaces', { space_name: newId(), ...facts }).expect(400);
  });

  it('name each base once, in lower case, and keep what was named before', async () => {
    const { client, user_id } = ours.owner;
    const { ds_id } = await makeBase(client);
    const agent = ((await client.get('/agents').expect(200)).body as { data: { agent_id: string }[] }).data[0]?.agent_id ?? '';
    const space = await make(client, { space_knowledge: [ds_id, ds_id.toUpperCase()], space_agent: agent.toUpperCase() });
    const kept = { space_knowledge: [ds_id], space_agent: agent };
    expect((await client.get(`/spaces/${space}`).expect(200)).body).toMatchObject(kept);
    const editor = await ours.member('admin');
    await add(client, space, editor.user_id, 'editor').expect(201);
    await client.put(`/knowledge-bases/${ds_id}/access`, { ds_acl: { users: { [user_id]: 'owner' } } }).expect(200);
    const refused = await editor.client.patch(`/spaces/${space}`, { space_knowledge: [ds_id, newId()] }).expect(400);
    expect(refused.body.errors).toEqual([expect.objectContaining({ path: 'space_knowledge[1]', code: 'reference' })]);
    expect((await editor.client.patch(`/spaces/${space}`, { ...kept, space_agent: agent.toUpperCase() }).expect(200)).body).toMatchObject(
      kept,
    );
  });

  it('show a picture that the person who names it can read', async () => {
    const { client } = (await api.workspace(['module-documents'])).owner;
    const stored = await client.post('/files', { file_repo: { library: ['docs'] }, file_name: 'Logo.png' }).expect(201);
    const space_icon = `file:${stored.body.file_id as string}`;
    const space = await make(client, { space_icon });
    expect((await client.get(`/spaces/${space}`).expect(200)).body.space_icon).toBe(space_icon);
    const refused = await ours.owner.client.post('/spaces', { space_name: 'x', space_icon }).expect(400);
    expect(refused.body.errors[0].path).toBe('space_icon');
  });

  it('are seen by their members, directly or by a role, and listed in the order asked for', async () => {
    const viewer = await ours.member('viewer');
    const { client } = ours.owner;
    for (const space_name of ['Gamma', 'alpha', 'Beta']) await make(client, { space_name });
    const spaces = (await client.get('/spaces?sort=space_name').expect(200)).body as { data: MadeSpace[] };
    expect(await names(client, '?sort=space_name')).toEqual(['alpha', 'Beta', 'Gamma']);
    expect(await names(client)).toEqual(['Beta', 'alpha', 'Gamma']);
    expect(await names(client, '?space_name=ET')).toEqual(['Beta']);
    const page = (await client.get('/spaces?sort=space_name&limit=2').expect(200)).body as { next_cursor: string };
    expect(await names(client, `?sort=space_name&limit=2&cursor=${page.next_cursor}`)).toEqual(['Gamma']);
    expect(await names(viewer.client)).toEqual([]);
    await add(client, spaces.data[0]?.space_id ?? '', viewer.user_id, 'viewer').expect(201);
    await add(client, spaces.data[1]?.space_id ?? '', await roleId('viewer'), 'editor', 'role').expect(201);
    expect(await names(viewer.client, '?sort=space_name')).toEqual(['alpha', 'Beta']);
    const [direct, byRole] = spaces.data;
    expect((await viewer.client.get(`/spaces/${direct?.space_id}`).expect(200)).body.space_role).toBe('viewer');
    expect((await viewer.client.get(`/spaces/${byRole?.space_id}`).expect(200)).body.space_role).toBe('editor');
    await viewer.client.get(`/spaces/${spaces.data[2]?.space_id}`).expect(404);
  });

  describe('once they are deleted', () => {
    const deletedOf = (client: Client) => names(client, '?space_active=false&sort=space_name');

    it('are listed for their members, directly or by a role, and for nobody else', async () => {
      const { client } = ours.owner;
      const [viewer, stranger] = [await ours.member('viewer'), await ours.member('editor')];
      const [direct, byRole, other] = [
        await make(client, { space_name: 'A' }),
        await make(client, { space_name: 'B' }),
        await make(client, { space_name: 'C' }),
      ];
      await add(client, direct, viewer.user_id, 'viewer').expect(201);
      await add(client, byRole, await roleId('viewer'), 'viewer', 'role').expect(201);
      await add(client, byRole, viewer.user_id, 'editor').expect(201);
      for (const space of [direct, byRole, other]) await client.delete(`/spaces/${space}`).expect(204);
      expect(await deletedOf(client)).toEqual(['A', 'B', 'C']);
      expect(await deletedOf(viewer.client)).toEqual(['A', 'B']);
      expect(await deletedOf(stranger.client)).toEqual([]);
    });

    it('are left by their members, the last owner too, who then read them no more', async () => {
      const { client, user_id } = ours.owner;
      const [leaving, removed, stranger] = [await ours.member('editor'), await ours.member('viewer'), await ours.member('viewer')];
      const space = await make(client);
      await add(client, space, leaving.user_id, 'editor').expect(201);
      await add(client, space, removed.user_id, 'viewer').expect(201);
      await client.delete(`/spaces/${space}`).expect(204);
      const member = (id: string): string => `/spaces/${space}/members/${id}`;
      await leaving.client.delete(member(removed.user_id)).expect(403);
      await stranger.client.delete(member(stranger.user_id)).expect(404);
      await leaving.client.delete(member(leaving.user_id)).expect(204);
      await leaving.client.get(`/spaces/${space}`).expect(404);
      await removed.client.get(`/spaces/${space}`).expect(200);
      await client.delete(member(removed.user_id)).expect(204);
      await removed.client.get(`/spaces/${space}`).expect(404);
      await add(client, space, leaving.user_id, 'owner').expect(404);
      await client.delete(member(user_id)).expect(204);
      await client.get(`/spaces/${space}`).expect(404);
      expect(await deletedOf(client)).toEqual([]);
    });
  });

  describe('of others', () => {
    const SECRETS = {
      space_description: 'Hidden.',
      space_icon: 'rocket',
      space_instructions: 'Hush.',
      space_color: '#3366cc',
      space_metadata: { a: 1 },
    };
    let space: string;

    beforeEach(async () => {
      const { client } = ours.owner;
      const { data } = (await client.get('/agents').expect(200)).body as { data: { agent_id: string }[] };
      const [agent] = data;
      space = await make(client, {
        space_name: 'Secret',
        ...SECRETS,
        space_agent: agent?.agent_id,
        space_knowledge: [(await makeBase(client)).ds_id],
      });
      await plainThread(api, ours, { space, mode: 'space' });
    });

    const nameOnly = (space_role: string | null, space_member_count: number) => ({
      space_id: space,
      space_name: 'Secret',
      space_active: true,
      space_role,
      space_member_count,
      space_description: null,
      space_icon: null,
      space_instructions: null,
      space_agent: null,
      space_knowledge: [],
      space_color: null,
      space_user: null,
      space_metadata: {},
      space_created: null,
      space_updated: null,
      space_thread_count: null,
    });
    const all = async (client: Client): Promise<unknown> => (await client.get('/spaces?all=true').expect(200)).body.data;

    it('are seen by administrators of people who ask for it, by name and members alone', async () => {
      const [admin, editor] = [await ours.member('admin'), await ours.member('editor')];
      expect(await names(admin.client)).toEqual([]);
      expect(await all(admin.client)).toEqual([nameOnly(null, 1)]);
      await admin.client.get(`/spaces/${space}`).expect(404);
      await admin.client.get(`/spaces/${space}/members`).expect(200);
      await editor.client.get('/spaces?all=true').expect(403);
      await editor.client.get(`/spaces/${space}/members`).expect(404);
      await add(ours.owner.client, space, admin.user_id, 'viewer').expect(201);
      expect(await all(admin.client)).toEqual([expect.objectContaining({ ...SECRETS, space_role: 'viewer', space_thread_count: 1 })]);
    });

    it('and their own are seen alike by administrators who may not view spaces', async () => {
      const admin = await ours.member('admin', ['admin:users']);
      await add(ours.owner.client, space, admin.user_id, 'editor').expect(201);
      expect((await admin.client.get('/spaces').expect(403)).body.detail).toContain('space:view');
      expect(await all(admin.client)).toEqual([nameOnly('editor', 2)]);
      await admin.client.get(`/spaces/${space}`).expect(403);
    });
  });

  it('count the threads that are shared in them, not private and deleted ones', async () => {
    const { client } = ours.owner;
    const space = await make(client);
    for (const mode of ['space', 'collab', 'private'] as const) await plainThread(api, ours, { space, mode });
    const deleted = await plainThread(api, ours, { space, mode: 'space' });
    const count = async (): Promise<unknown> => [
      (await client.get(`/spaces/${space}`).expect(200)).body.space_thread_count,
      (await client.get('/spaces').expect(200)).body.data[0].space_thread_count,
    ];
    expect(await count()).toEqual([3, 3]);
    await client.delete(`/threads/${deleted}`).expect(204);
    expect(await count()).toEqual([2, 2]);
  });

  it('make their threads private when they are deleted', async () => {
    const space = await make(ours.owner.client);
    const thread = await plainThread(api, ours, { space, mode: 'collab' });
    expect((await ours.owner.client.get(`/spaces/${space}`).expect(200)).body.space_thread_count).toBe(1);
    await ours.owner.client.delete(`/spaces/${space}`).expect(204);
    const [row] = await api.sql('SELECT thread_share_mode, thread_space FROM thread WHERE tenant_id = $1 AND thread_id = $2', [
      ours.tenant_id,
      thread,
    ]);
    expect(row).toEqual({ thread_share_mode: 'private', thread_space: null });
  });

  it('of another workspace do not exist', async () => {
    const theirs = await api.workspace();
    const space = await make(theirs.owner.client);
    const { client } = ours.owner;
    await client.get(`/spaces/${space}`).expect(404);
    await client.patch(`/spaces/${space}`, { space_name: 'x' }).expect(404);
    await client.delete(`/spaces/${space}`).expect(404);
    await client.get(`/spaces/${space}/members`).expect(404);
    await add(client, space, ours.owner.user_id, 'owner').expect(404);
    await client.patch(`/spaces/${space}/members/${theirs.owner.user_id}`, { sm_role: 'viewer' }).expect(404);
    await client.delete(`/spaces/${space}/members/${theirs.owner.user_id}`).expect(404);
    expect(await names(client, `?all=true&space_id=${space}`)).toEqual([]);
  });

  it('need their permissions', async () => {
    const space = await make(ours.owner.client);
    const { client } = await api.memberWithKey(ours.tenant_id, ours.owner.user_id, ours.owner.email, ['media:view']);
    await client.get('/spaces').expect(403);
    await client.post('/spaces', { space_name: 'x' }).expect(403);
    await client.get(`/spaces/${space}`).expect(403);
    await client.patch(`/spaces/${space}`, { space_name: 'x' }).expect(403);
    await client.delete(`/spaces/${space}`).expect(403);
    await client.get(`/spaces/${space}/members`).expect(403);
    await add(client, space, newId(), 'viewer').expect(403);
    await client.patch(`/spaces/${space}/members/${newId()}`, { sm_role: 'viewer' }).expect(403);
    await client.delete(`/spaces/${space}/members/${newId()}`).expect(403);
  });

  it('need the permission for each change, also by their owners', async () => {
    const { client } = ours.owner;
    const space = await make(client);
    const other = await ours.member('viewer');
    await add(client, space, other.user_id, 'viewer').expect(201);
    const owning = async (...permissions: readonly string[]): Promise<Member> => {
      const member = await ours.member('admin', ['space:view', ...permissions]);
      await add(client, space, member.user_id, 'owner').expect(201);
      return member;
    };
    const missing = async (answer: Promise<{ status: number; body: { code: string; detail: string } }>): Promise<unknown> => {
      const { status, body } = await answer;
      return [status, body.code, /space:\w+/.exec(body.detail)?.[0]];
    };
    const refused = (permission: string): unknown => [403, 'permission_denied', permission];
    const [reading, creating, editing, deleting] = [
      await owning(),
      await owning('space:create'),
      await owning('space:edit'),
      await owning('space:delete'),
    ];
    const members = `/spaces/${space}/members`;
    for (const { client: by } of [reading, editing, deleting])
      expect(await missing(by.post('/spaces', { space_name: newId() }))).toEqual(refused('space:create'));
    for (const { client: by } of [reading, creating, deleting]) {
      expect(await missing(by.patch(`/spaces/${space}`, { space_description: 'x' }))).toEqual(refused('space:edit'));
      expect(await missing(add(by, space, ours.owner.user_id, 'viewer'))).toEqual(refused('space:edit'));
      expect(await missing(by.patch(`${members}/${other.user_id}`, { sm_role: 'editor' }))).toEqual(refused('space:edit'));
      expect(await missing(by.delete(`${members}/${other.user_id}`))).toEqual(refused('space:edit'));
    }
    for (const { client: by } of [reading, creating, editing])
      expect(await missing(by.delete(`/spaces/${space}`))).toEqual(refused('space:delete'));
    const plain = await ours.member('admin', ['admin:users', 'space:view']);
    await add(client, space, plain.user_id, 'owner').expect(201);
    expect(await missing(plain.client.patch(`${members}/${other.user_id}`, { sm_role: 'editor' }))).toEqual(refused('space:edit'));
    await creating.client.post('/spaces', { space_name: newId() }).expect(201);
    await editing.client.patch(`${members}/${other.user_id}`, { sm_role: 'editor' }).expect(200);
    await reading.client.delete(`${members}/${reading.user_id}`).expect(204);
    await deleting.client.delete(`/spaces/${space}`).expect(204);
  });
});

describe('members of a space', () => {
  let space: string;
  let editor: Member;
  let viewer: Member;

  beforeEach(async () => {
    [editor, viewer] = [await ours.member('admin'), await ours.member('editor')];
    space = await make(ours.owner.client);
    await add(ours.owner.client, space, editor.user_id, 'editor').expect(201);
    await add(ours.owner.client, space, viewer.user_id, 'viewer').expect(201);
  });

  it('do what their role in it allows', async () => {
    const { client } = ours.owner;
    await editor.client.patch(`/spaces/${space}`, { space_description: 'x' }).expect(200);
    await viewer.client.patch(`/spaces/${space}`, { space_description: 'x' }).expect(403);
    await editor.client.delete(`/spaces/${space}`).expect(403);
    await add(editor.client, space, await roleId('viewer'), 'viewer', 'role').expect(403);
    await editor.client.patch(`/spaces/${space}/members/${viewer.user_id}`, { sm_role: 'editor' }).expect(403);
    await editor.client.delete(`/spaces/${space}/members/${viewer.user_id}`).expect(403);
    expect((await client.patch(`/spaces/${space}/members/${viewer.user_id}`, { sm_role: 'editor' }).expect(200)).body).toMatchObject({
      sm_space: space,
      sm_principal: viewer.user_id,
      sm_role: 'editor',
      sm_created_by: ours.owner.user_id,
    });
    await viewer.client.patch(`/spaces/${space}`, { space_description: 'y' }).expect(200);
    const { data } = (await viewer.client.get(`/spaces/${space}/members`).expect(200)).body as { data: { sm_role: string }[] };
    expect(data.map(({ sm_role }) => sm_role)).toEqual(['owner', 'editor', 'editor']);
  });

  it('may leave, are removed by owners, and see nothing of it from then on', async () => {
    await viewer.client.delete(`/spaces/${space}/members/${viewer.user_id}`).expect(204);
    await viewer.client.get(`/spaces/${space}`).expect(404);
    await ours.owner.client.delete(`/spaces/${space}/members/${editor.user_id}`).expect(204);
    await editor.client.get(`/spaces/${space}`).expect(404);
    await ours.owner.client.delete(`/spaces/${space}/members/${editor.user_id}`).expect(404);
  });

  it('are found in the list that the answer to a new one names', async () => {
    const added = await add(ours.owner.client, space, (await ours.member('viewer')).user_id, 'viewer').expect(201);
    expect(added.headers.location).toBe(`/api/v1/spaces/${space}/members`);
  });

  it('are named in any case', async () => {
    const other = await ours.member('viewer');
    expect((await add(ours.owner.client, space, other.user_id.toUpperCase(), 'viewer').expect(201)).body.sm_principal).toBe(other.user_id);
    await add(ours.owner.client, space, other.user_id.toUpperCase(), 'editor').expect(409);
    const role = await roleId('viewer');
    expect((await add(ours.owner.client, space, role.toUpperCase(), 'viewer', 'role').expect(201)).body.sm_principal).toBe(role);
  });

  it('are people and roles of the workspace, each once', async () => {
    const { client } = ours.owner;
    const theirs = await api.workspace();
    for (const [who, type] of [
      [newId(), 'user'],
      [theirs.owner.user_id, 'user'],
      [await roleId('viewer'), 'user'],
      [viewer.user_id, 'role'],
    ])
      expect((await add(client, space, String(who), 'viewer', type).expect(400)).body.errors[0]).toMatchObject({
        path: 'sm_principal',
        code: 'reference',
      });
    expect((await add(client, space, viewer.user_id, 'editor').expect(409)).body.code).toBe('already_exists');
    await client.post(`/spaces/${space}/members`, { sm_principal_type: 'space', sm_principal: newId(), sm_role: 'viewer' }).expect(400);
    await client.patch(`/spaces/${space}/members/${viewer.user_id}`, { sm_role: 'king' }).expect(400);
  });

  it('keep an owner, also when two owners go at once', async () => {
    const { client, user_id } = ours.owner;
    for (const answer of [
      await client.delete(`/spaces/${space}/members/${user_id}`),
      await client.patch(`/spaces/${space}/members/${user_id}`, { sm_role: 'editor' }),
    ])
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([409, 'invalid_state']);
    await client.patch(`/spaces/${space}/members/${editor.user_id}`, { sm_role: 'owner' }).expect(200);
    const answers = await Promise.all([
      client.delete(`/spaces/${space}/members/${user_id}`),
      editor.client.delete(`/spaces/${space}/members/${editor.user_id}`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  const leaves = (user_id: string): Promise<unknown> =>
    api.sql(`UPDATE workspace_user SET user_status = 'removed' WHERE tenant_id = $1 AND user_id = $2`, [ours.tenant_id, user_id]);

  it('who have left the workspace are not counted, and are no owners that the last one could leave it to', async () => {
    const { client, user_id } = ours.owner;
    await client.patch(`/spaces/${space}/members/${editor.user_id}`, { sm_role: 'owner' }).expect(200);
    await leaves(editor.user_id);
    expect((await client.get(`/spaces/${space}`).expect(200)).body.space_member_count).toBe(2);
    const { data } = (await client.get(`/spaces/${space}/members`).expect(200)).body as { data: { sm_principal: string }[] };
    expect(data.map(({ sm_principal }) => sm_principal)).toEqual([user_id, viewer.user_id]);
    for (const answer of [
      await client.delete(`/spaces/${space}/members/${user_id}`),
      await client.patch(`/spaces/${space}/members/${user_id}`, { sm_role: 'editor' }),
    ])
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([409, 'invalid_state']);
    await client.patch(`/spaces/${space}/members/${editor.user_id}`, { sm_role: 'owner' }).expect(404);
    await add(client, space, await roleId('admin'), 'owner', 'role').expect(201);
    await client.delete(`/spaces/${space}/members/${user_id}`).expect(204);
  });

  it('get an owner by an administrator of people when none is left, and not before', async () => {
    const admin = await ours.member('admin');
    expect((await add(admin.client, space, admin.user_id, 'owner').expect(403)).body.code).toBe('permission_denied');
    await leaves(ours.owner.user_id);
    await add(admin.client, space, admin.user_id, 'viewer').expect(403);
    await add(admin.client, space, admin.user_id, 'owner').expect(201);
    await admin.client.patch(`/spaces/${space}`, { space_description: 'Ours again.' }).expect(200);
    await add(editor.client, space, newId(), 'owner').expect(403);
  });

  it('may be made that owner, the administrator among them too', async () => {
    const admin = await ours.member('admin', ['admin:users']);
    const promoted = (who: string, sm_role = 'owner') => admin.client.patch(`/spaces/${space}/members/${who}`, { sm_role });
    await add(ours.owner.client, space, admin.user_id, 'viewer').expect(201);
    await promoted(viewer.user_id).expect(403);
    await leaves(ours.owner.user_id);
    await promoted(viewer.user_id, 'editor').expect(403);
    await viewer.client.patch(`/spaces/${space}/members/${viewer.user_id}`, { sm_role: 'owner' }).expect(403);
    await promoted(ours.owner.user_id).expect(404);
    expect((await promoted(viewer.user_id).expect(200)).body).toMatchObject({ sm_principal: viewer.user_id, sm_role: 'owner' });
    await promoted(admin.user_id).expect(403);
    await leaves(viewer.user_id);
    await promoted(admin.user_id).expect(200);
  });

  it('are who a list of access means by the space', async () => {
    const base = ((await ours.owner.client.post('/knowledge-bases', { ds_name: newId() }).expect(201)).body as { ds_id: string }).ds_id;
    await ours.owner.client
      .put(`/knowledge-bases/${base}/access`, { ds_acl: { users: { [ours.owner.user_id]: 'owner' }, spaces: { [space]: 'view' } } })
      .expect(200);
    const outsider = await ours.member('editor');
    await outsider.client.get(`/knowledge-bases/${base}`).expect(404);
    await viewer.client.get(`/knowledge-bases/${base}`).expect(200);
    await ours.owner.client.delete(`/spaces/${space}/members/${viewer.user_id}`).expect(204);
    await viewer.client.get(`/knowledge-bases/${base}`).expect(404);
    await ours.owner.client.delete(`/spaces/${space}`).expect(204);
    await editor.client.get(`/knowledge-bases/${base}`).expect(404);
  });
});
