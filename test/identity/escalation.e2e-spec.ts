import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { bearing, signedInMember, signIn } from './signing-in';

let api: RunningApi;

beforeAll(async () => {
  api = await sharedAtrium();
});
afterAll(() => api.close());

const roleId = async (workspace: TestWorkspace, key: string): Promise<string> =>
  (await api.sql<{ role_id: string }>('SELECT role_id FROM role WHERE tenant_id = $1 AND role_key = $2', [workspace.tenant_id, key]))[0]!
    .role_id;

const ownersOf = async (workspace: TestWorkspace): Promise<string[]> =>
  (
    await api.sql<{ user_id: string }>(
      `SELECT l.user_id FROM user_role_link l JOIN role r USING (tenant_id, role_id) JOIN workspace_user u USING (tenant_id, user_id) WHERE l.tenant_id = $1 AND r.role_key = 'owner' AND u.user_status = 'active' ORDER BY 1`,
      [workspace.tenant_id],
    )
  ).map(({ user_id }) => user_id);

describe('nobody rises by what they may change', () => {
  it('[identity 14] an administrator grants no *, edits no owner, gives nobody the role owner; and two owners who demote each other leave one', async () => {
    const workspace = await api.workspace();
    const admin = await signedInMember(api, workspace, 'admin');
    const viewer = await workspace.member('viewer');
    const owner = await roleId(workspace, 'owner');
    const denied = async (answer: Promise<{ status: number; body: { code?: string; detail?: string } }>, naming: string): Promise<void> => {
      const { status, body } = await answer;
      expect({ status, code: body.code, detail: body.detail }).toEqual({
        status: 403,
        code: 'permission_denied',
        detail: expect.stringContaining(naming),
      });
    };
    await denied(admin.client.post('/admin/roles', { role_name: 'All', role_permissions: ['*'] }).then(), '*');
    await denied(admin.client.patch(`/admin/roles/${await roleId(workspace, 'editor')}`, { role_permissions: ['*'] }).then(), '*');
    await denied(admin.client.post(`/admin/roles/${owner}/copy`, { role_name: 'Second owner' }).then(), '*');
    await denied(admin.client.patch(`/admin/users/${workspace.owner.user_id}`, { user_title: 'Former owner' }).then(), '*');
    await denied(admin.client.post(`/admin/users/${workspace.owner.user_id}/suspend`).then(), '*');
    await denied(admin.client.delete(`/admin/users/${workspace.owner.user_id}`).then(), '*');
    await denied(admin.client.patch(`/admin/users/${viewer.user_id}`, { user_roles: [owner] }).then(), '*');
    await denied(admin.client.post(`/admin/roles/${owner}/users`, { user_ids: [viewer.user_id] }).then(), '*');
    await denied(admin.client.delete(`/admin/roles/${owner}/users`, { user_ids: [workspace.owner.user_id] }).then(), '*');
    await denied(
      admin.client.post(`/admin/roles/${await roleId(workspace, 'viewer')}/users`, { user_ids: [workspace.owner.user_id] }).then(),
      '*',
    );
    await demoteEachOther(20);
  }, 60_000);

  it('a key grants no more than it carries, whatever its owner holds', async () => {
    const workspace = await api.workspace();
    const narrow = await api.memberWithKey(workspace.tenant_id, workspace.owner.user_id, workspace.owner.email, [
      'admin:roles',
      'admin:users',
      'media:view',
    ]);
    const refused = await narrow.client
      .post('/admin/roles', { role_name: 'x', role_permissions: ['media:view', 'media:edit', 'document:view'] })
      .expect(403);
    expect(refused.body.detail).toContain('document:view, media:edit');
    await narrow.client.post('/admin/roles', { role_name: 'x', role_permissions: ['*'] }).expect(403);
    await narrow.client.post('/admin/roles', { role_name: 'x', role_permissions: ['media:*'] }).expect(403);
    await narrow.client.post('/admin/roles', { role_name: 'x', role_permissions: ['media:view'] }).expect(201);
    await narrow.client.delete(`/admin/roles/${await roleId(workspace, 'contributor')}`).expect(403);
    const everything = await api.memberWithKey(workspace.tenant_id, workspace.owner.user_id, workspace.owner.email, ['*']);
    await everything.client.post('/admin/roles', { role_name: 'y', role_permissions: ['*'] }).expect(201);
  });

  it('a role that allows more than one holds is out of reach, also for taking from it', async () => {
    const workspace = await api.workspace();
    const { role_id } = (
      await workspace.owner.client
        .post('/admin/roles', { role_name: 'Keeper of roles', role_permissions: ['admin:roles', 'media:view'] })
        .expect(201)
    ).body as { role_id: string };
    const keeper = await workspace.member('viewer');
    await workspace.owner.client.post(`/admin/roles/${role_id}/users`, { user_ids: [keeper.user_id] }).expect(200);
    const editor = await roleId(workspace, 'editor');
    expect((await keeper.client.patch(`/admin/roles/${editor}`, { role_permissions: ['media:view'] }).expect(403)).body.detail).toContain(
      'media:edit',
    );
    await keeper.client.delete(`/admin/roles/${editor}?replace_with=${await roleId(workspace, 'viewer')}`).expect(403);
    await keeper.client.patch(`/admin/roles/${editor}`, { role_default: true }).expect(403);
    await keeper.client.patch(`/admin/roles/${editor}`, { role_description: 'Edits.' }).expect(200);
  });
});

describe('an owner remains', () => {
  it('when the last one gives the role away', async () => {
    const workspace = await api.workspace();
    const owner = await roleId(workspace, 'owner');
    expect(
      (await workspace.owner.client.delete(`/admin/roles/${owner}/users`, { user_ids: [workspace.owner.user_id] }).expect(409)).body.code,
    ).toBe('invalid_state');
    expect((await workspace.owner.client.patch(`/admin/users/${workspace.owner.user_id}`, { user_roles: [] }).expect(409)).body.code).toBe(
      'invalid_state',
    );
    expect(await ownersOf(workspace)).toEqual([workspace.owner.user_id]);
  });

  it('when a service or a suspended person is all that would', async () => {
    const workspace = await api.workspace();
    const owner = await roleId(workspace, 'owner');
    const second = await workspace.member('owner');
    await workspace.owner.client.post(`/admin/users/${second.user_id}/suspend`).expect(200);
    await workspace.owner.client.delete(`/admin/roles/${owner}/users`, { user_ids: [workspace.owner.user_id] }).expect(409);
  });
});

/** Two owners take the role from each other at once, round after round; the loser gets it back for the next. */
async function demoteEachOther(rounds: number): Promise<void> {
  const workspace = await api.workspace();
  const owner = await roleId(workspace, 'owner');
  const viewer = await roleId(workspace, 'viewer');
  const second = await signedInMember(api, workspace, 'owner');
  const first = {
    user_id: workspace.owner.user_id,
    client: bearing(api, (await signIn(api, workspace.owner.email)).access_token, workspace.tenant_id),
  };
  for (let round = 0; round < rounds; round++) {
    const demote = (by: { client: Client }, whom: { user_id: string }): Promise<{ status: number }> =>
      (round % 2 === 0
        ? by.client.patch(`/admin/users/${whom.user_id}`, { user_roles: [viewer] })
        : by.client.delete(`/admin/roles/${owner}/users`, { user_ids: [whom.user_id] })
      ).then();
    const statuses = (await Promise.all([demote(first, second), demote(second, first)])).map(({ status }) => status).sort();
    // A caller who comes completely after the other is no longer an owner and is refused by the guard.
    expect([
      [200, 403],
      [200, 409],
    ]).toContainEqual(statuses);
    const left = await ownersOf(workspace);
    expect(left).toHaveLength(1);
    const [remaining, lost] = left[0] === first.user_id ? [first, second] : [second, first];
    await remaining.client.post(`/admin/roles/${owner}/users`, { user_ids: [lost.user_id] }).expect(200, { changed: 1 });
  }
}
