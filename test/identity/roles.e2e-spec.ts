import { PERMISSIONS } from '@atrium/platform/access';
import { newId } from '@atrium/platform/kernel';
import { eventually, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

interface RoleBody {
  readonly role_id: string;
  readonly role_name: string;
  readonly role_permissions: string[];
  readonly role_default: boolean;
  readonly role_user_count: number;
}

let count = 0;
const createRole = async (workspace: TestWorkspace, body: object = {}): Promise<RoleBody> =>
  (
    await workspace.owner.client
      .post('/admin/roles', { role_name: `Role ${++count}`, role_permissions: ['media:view'], ...body })
      .expect(201)
  ).body as RoleBody;

const builtIn = async (workspace: TestWorkspace, key: string): Promise<RoleBody> =>
  (await workspace.owner.client.get(`/admin/roles?role_key=${key}`).expect(200)).body.data[0] as RoleBody;

const rolesOf = async (workspace: TestWorkspace, { user_id }: Pick<Member, 'user_id'>): Promise<string[]> =>
  (
    await api.sql<{ role_id: string }>('SELECT role_id FROM user_role_link WHERE tenant_id = $1 AND user_id = $2 ORDER BY role_id', [
      workspace.tenant_id,
      user_id,
    ])
  ).map(({ role_id }) => role_id);

const audited = (type: string, id: string): Promise<{ aud_before: object | null; aud_after: object | null }[]> =>
  api.sql('SELECT aud_before, aud_after FROM audit_event WHERE tenant_id = $1 AND aud_type = $2 AND aud_target_id = $3', [
    ours.tenant_id,
    type,
    id,
  ]);

const emitted = async (name: string, id: string): Promise<number> =>
  (await api.sql('SELECT 1 FROM outbox WHERE ev_name = $1 AND ev_subject = $2', [name, id])).length;

describe('the catalog of permissions', () => {
  it('is shown to every member, with the operations that ask for each', async () => {
    const viewer = await ours.member('viewer');
    const { body } = await viewer.client.get('/permissions').expect(200);
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
    expect(body.data.map(({ perm }: { perm: string }) => perm)).toEqual(PERMISSIONS);
    const roles = body.data.find(({ perm }: { perm: string }) => perm === 'admin:roles');
    expect(roles).toMatchObject({
      perm_area: 'admin',
      perm_action: 'roles',
      perm_operations: expect.arrayContaining(['listRoles', 'createRole']),
    });
    expect(body.data.every(({ perm_description }: { perm_description: string }) => perm_description.endsWith('.'))).toBe(true);
    const media = await viewer.client.get('/permissions?perm_area=media').expect(200);
    expect(new Set(media.body.data.map(({ perm_area }: { perm_area: string }) => perm_area))).toEqual(new Set(['media']));
    await viewer.client.get('/permissions?perm_area=nothing').expect(400);
    await api.stranger.get('/permissions').expect(401);
  });
});

describe('the directory of roles', () => {
  it('names roles to every member and shows nothing else', async () => {
    const viewer = await ours.member('viewer');
    const { body } = await viewer.client.get('/roles?sort=role_name&role_name=ED').expect(200);
    expect(body.data).toEqual([{ role_id: expect.any(String), role_key: 'editor', role_name: 'Editor' }]);
    const all = await viewer.client.get('/roles').expect(200);
    for (const line of all.body.data) expect(Object.keys(line).sort()).toEqual(['role_id', 'role_key', 'role_name']);
    const foreign = await theirs.owner.client.get('/roles').expect(200);
    const ids = new Set(all.body.data.map(({ role_id }: { role_id: string }) => role_id));
    expect(foreign.body.data.some(({ role_id }: { role_id: string }) => ids.has(role_id))).toBe(false);
  });
});

describe('listing roles', () => {
  it('shows permissions and how many users have each, to members who administer roles or users', async () => {
    const workspace = await api.workspace();
    await workspace.member('editor');
    await workspace.member('editor');
    const { body } = await workspace.owner.client.get('/admin/roles?sort=role_name&limit=2').expect(200);
    expect(body.data.map(({ role_name, role_user_count }: RoleBody) => [role_name, role_user_count])).toEqual([
      ['Administrator', 0],
      ['Contributor', 0],
    ]);
    const next = await workspace.owner.client.get(`/admin/roles?sort=role_name&limit=2&cursor=${body.next_cursor}`).expect(200);
    expect(next.body.data.map(({ role_name, role_user_count }: RoleBody) => [role_name, role_user_count])).toEqual([
      ['Editor', 2],
      ['Owner', 1],
    ]);
    await (await workspace.member('admin', ['admin:users'])).client.get('/admin/roles').expect(200);
    const denied = await (await workspace.member('editor')).client.get('/admin/roles').expect(403);
    expect(denied.body.detail).toContain('admin:roles');
  });
});

describe('creating a role', () => {
  it('answers it with sorted permissions, its location and version, and reports it', async () => {
    const answer = await ours.owner.client
      .post('/admin/roles', {
        role_name: ' Picture desk ',
        role_description: 'Chooses.',
        role_permissions: ['media:view', 'document:*', 'media:view'],
      })
      .expect(201);
    expect(answer.body).toMatchObject({
      role_name: 'Picture desk',
      role_key: null,
      role_permissions: ['document:*', 'media:view'],
      role_default: false,
      role_user_count: 0,
    });
    expect(answer.headers).toMatchObject({ location: `/api/v1/admin/roles/${answer.body.role_id}`, etag: '"1"' });
    expect((await ours.owner.client.get(`/admin/roles/${answer.body.role_id}`).expect(200)).body).toEqual(answer.body);
    expect(await audited('role.created', answer.body.role_id)).toEqual([
      { aud_before: null, aud_after: expect.objectContaining({ role_permissions: ['document:*', 'media:view'] }) },
    ]);
    expect(await emitted('role.created', answer.body.role_id)).toBe(1);
  });

  it('refuses unknown permissions by their place, too many, and a name that is taken whatever its case', async () => {
    const wrong = await ours.owner.client
      .post('/admin/roles', { role_name: 'x', role_permissions: ['media:view', 'media:', '*:view', 'nothing:view'] })
      .expect(400);
    expect(wrong.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'role_permissions[1]',
      'role_permissions[2]',
      'role_permissions[3]',
    ]);
    const many = await ours.owner.client
      .post('/admin/roles', {
        role_name: 'x',
        role_permissions: Array.from({ length: 301 }, (_, i) => PERMISSIONS[i % PERMISSIONS.length]),
      })
      .expect(400);
    expect(many.body.errors[0].path).toBe('role_permissions[300]');
    await ours.owner.client.post('/admin/roles', { role_name: 'x'.repeat(81), role_permissions: [] }).expect(400);
    await ours.owner.client.post('/admin/roles', { role_name: 'x' }).expect(400);
    await ours.owner.client.post('/admin/roles', { role_name: 'x', role_permissions: [], role_key: 'owner' }).expect(400);
    expect((await ours.owner.client.post('/admin/roles', { role_name: 'EDITOR', role_permissions: [] }).expect(409)).body.code).toBe(
      'already_exists',
    );
    await theirs.owner.client.post('/admin/roles', { role_name: 'Only once', role_permissions: [] }).expect(201);
    await ours.owner.client.post('/admin/roles', { role_name: 'Only once', role_permissions: [] }).expect(201);
  });

  it('of one name in two cases at once makes one', async () => {
    for (let round = 0; round < 5; round++) {
      const made = await Promise.all(
        [`Twice ${round}`, `TWICE ${round}`].map((role_name) =>
          ours.owner.client.post('/admin/roles', { role_name, role_permissions: [] }),
        ),
      );
      expect(made.map(({ status }) => status).sort()).toEqual([201, 409]);
    }
  });

  it('is for members who may administer roles', async () => {
    const denied = await (
      await ours.member('admin', ['admin:users'])
    ).client
      .post('/admin/roles', { role_name: 'x', role_permissions: [] })
      .expect(403);
    expect(denied.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('admin:roles') });
  });
});

describe('changing a role', () => {
  it('applies what is given, and its users have it from the next request on', async () => {
    const role = await createRole(ours, { role_permissions: ['admin:roles'] });
    const member = await ours.member('viewer');
    await ours.owner.client.post(`/admin/roles/${role.role_id}/users`, { user_ids: [member.user_id] }).expect(200, { changed: 1 });
    await member.client.get('/admin/roles').expect(200);
    const answer = await ours.owner.client
      .with({ 'If-Match': '"1"' })
      .patch(`/admin/roles/${role.role_id}`, { role_permissions: ['media:edit'], role_description: null })
      .expect(200);
    expect(answer.body).toMatchObject({ role_name: role.role_name, role_permissions: ['media:edit'], role_user_count: 1 });
    expect(answer.headers.etag).toBe('"2"');
    await member.client.get('/admin/roles').expect(403);
    await member.client.post('/albums', { album_name: 'x' }).expect(201);
    await ours.owner.client.with({ 'If-Match': '"1"' }).patch(`/admin/roles/${role.role_id}`, { role_name: 'stale' }).expect(412);
    expect(await audited('role.updated', role.role_id)).toEqual([
      { aud_before: { role_permissions: ['admin:roles'] }, aud_after: { role_permissions: ['media:edit'] } },
    ]);
    expect(await emitted('role.updated', role.role_id)).toBe(1);
  });

  it('leaves alone what is the same, and reports nothing', async () => {
    const role = await createRole(ours);
    const same = await ours.owner.client
      .patch(`/admin/roles/${role.role_id}`, { role_permissions: ['media:view', 'media:view'], role_name: role.role_name })
      .expect(200);
    expect(same.headers.etag).toBe('"1"');
    expect(await audited('role.updated', role.role_id)).toEqual([]);
  });

  it('never touches the permissions of the owner, whose name may change', async () => {
    const workspace = await api.workspace();
    const owner = await builtIn(workspace, 'owner');
    expect(
      (await workspace.owner.client.patch(`/admin/roles/${owner.role_id}`, { role_permissions: ['media:*'] }).expect(409)).body.code,
    ).toBe('invalid_state');
    expect((await workspace.owner.client.delete(`/admin/roles/${owner.role_id}`).expect(409)).body.code).toBe('invalid_state');
    const named = await workspace.owner.client
      .patch(`/admin/roles/${owner.role_id}`, { role_name: 'Chief', role_permissions: ['*'] })
      .expect(200);
    expect(named.body).toMatchObject({ role_name: 'Chief', role_key: 'owner', role_permissions: ['*'] });
  });

  it('moves the default, of which there is one, also when two move it at once', async () => {
    const workspace = await api.workspace();
    const viewer = await builtIn(workspace, 'viewer');
    expect(viewer.role_default).toBe(true);
    expect((await workspace.owner.client.patch(`/admin/roles/${viewer.role_id}`, { role_default: false }).expect(409)).body.code).toBe(
      'invalid_state',
    );
    const made = await createRole(workspace, { role_default: true });
    expect(made.role_default).toBe(true);
    expect((await builtIn(workspace, 'viewer')).role_default).toBe(false);
    const two = [await createRole(workspace), await createRole(workspace)];
    const moved = await Promise.all(
      two.map(({ role_id }) => workspace.owner.client.patch(`/admin/roles/${role_id}`, { role_default: true })),
    );
    expect(moved.map(({ status }) => status)).toEqual([200, 200]);
    const all = (await workspace.owner.client.get('/admin/roles').expect(200)).body.data as RoleBody[];
    expect(all.filter(({ role_default }) => role_default)).toHaveLength(1);
  });
});

describe('deleting a role', () => {
  it('that nobody has is done at once', async () => {
    const role = await createRole(ours);
    await ours.owner.client.delete(`/admin/roles/${role.role_id}`).expect(204);
    await ours.owner.client.get(`/admin/roles/${role.role_id}`).expect(404);
    expect(await audited('role.deleted', role.role_id)).toHaveLength(1);
    expect(await emitted('role.deleted', role.role_id)).toBe(1);
  });

  it('that users have needs a replacement, which they get', async () => {
    const [role, other] = [await createRole(ours), await createRole(ours)];
    const members = [await ours.member('viewer'), await ours.member('viewer')];
    await ours.owner.client.post(`/admin/roles/${role.role_id}/users`, { user_ids: members.map(({ user_id }) => user_id) }).expect(200);
    await ours.owner.client.post(`/admin/roles/${other.role_id}/users`, { user_ids: [members[0]!.user_id] }).expect(200);
    expect((await ours.owner.client.delete(`/admin/roles/${role.role_id}`).expect(409)).body.code).toBe('in_use');
    for (const replace_with of [role.role_id, newId(), (await builtIn(theirs, 'viewer')).role_id]) {
      expect(
        (await ours.owner.client.delete(`/admin/roles/${role.role_id}?replace_with=${replace_with}`).expect(400)).body.errors[0],
      ).toMatchObject({ path: 'replace_with', code: 'reference' });
    }
    await ours.owner.client.delete(`/admin/roles/${role.role_id}?replace_with=nonsense`).expect(400);
    await ours.owner.client.delete(`/admin/roles/${role.role_id}?replace_with=${other.role_id}`).expect(204);
    const viewer = (await builtIn(ours, 'viewer')).role_id;
    for (const member of members) expect(await rolesOf(ours, member)).toEqual([viewer, other.role_id].sort());
  });

  it('that is the default hands that on', async () => {
    const workspace = await api.workspace();
    const [viewer, next] = [await builtIn(workspace, 'viewer'), await createRole(workspace)];
    expect((await workspace.owner.client.delete(`/admin/roles/${viewer.role_id}`).expect(409)).body.code).toBe('in_use');
    await workspace.owner.client.delete(`/admin/roles/${viewer.role_id}?replace_with=${next.role_id}`).expect(204);
    expect((await workspace.owner.client.get(`/admin/roles/${next.role_id}`).expect(200)).body.role_default).toBe(true);
  });
});

describe('copying a role', () => {
  it('makes another with the same permissions', async () => {
    const role = await createRole(ours, { role_permissions: ['media:*'], role_description: 'Original.' });
    const copy = await ours.owner.client.post(`/admin/roles/${role.role_id}/copy`, { role_name: `${role.role_name} copied` }).expect(201);
    expect(copy.body).toMatchObject({ role_permissions: ['media:*'], role_description: 'Original.', role_default: false, role_key: null });
    await ours.owner.client.post(`/admin/roles/${role.role_id}/copy`, { role_name: role.role_name.toUpperCase() }).expect(409);
    await ours.owner.client.post(`/admin/roles/${newId()}/copy`, { role_name: 'x' }).expect(404);
  });
});

describe('giving and taking a role', () => {
  it('counts those it changed and skips everybody else', async () => {
    const role = await createRole(ours);
    const members = [await ours.member('viewer'), await ours.member('viewer')];
    const gone = await ours.member('viewer');
    await api.sql(`UPDATE workspace_user SET user_status = 'removed' WHERE tenant_id = $1 AND user_id = $2`, [
      ours.tenant_id,
      gone.user_id,
    ]);
    const user_ids = [
      ...members.map(({ user_id }) => user_id),
      members[0]!.user_id.toUpperCase(),
      newId(),
      theirs.owner.user_id,
      gone.user_id,
    ];
    await ours.owner.client.post(`/admin/roles/${role.role_id}/users`, { user_ids }).expect(200, { changed: 2 });
    await ours.owner.client.post(`/admin/roles/${role.role_id}/users`, { user_ids }).expect(200, { changed: 0 });
    expect((await ours.owner.client.get(`/admin/roles/${role.role_id}`).expect(200)).body.role_user_count).toBe(2);
    expect(await emitted('user.updated', members[0]!.user_id)).toBe(1);
    await ours.owner.client
      .delete(`/admin/roles/${role.role_id}/users`, { user_ids: [members[1]!.user_id, theirs.owner.user_id] })
      .expect(200, { changed: 1 });
    expect(await audited('role.given', role.role_id)).toHaveLength(1);
    expect(await audited('role.taken', role.role_id)).toEqual([{ aud_before: null, aud_after: { user_ids: [members[1]!.user_id] } }]);
    await ours.owner.client.post(`/admin/roles/${role.role_id}/users`, { user_ids: [] }).expect(400);
    await ours.owner.client.post(`/admin/roles/${role.role_id}/users`, { user_ids: Array.from({ length: 501 }, newId) }).expect(400);
  });

  it('shows who has it, to members who administer roles or users', async () => {
    const role = await createRole(ours);
    const members = await Promise.all([1, 2, 3].map(() => ours.member('viewer')));
    await ours.owner.client.post(`/admin/roles/${role.role_id}/users`, { user_ids: members.map(({ user_id }) => user_id) }).expect(200);
    const path = `/admin/roles/${role.role_id}/users`;
    const first = await (await ours.member('admin', ['admin:users'])).client.get(`${path}?limit=2`).expect(200);
    expect(first.body.has_more).toBe(true);
    const rest = await ours.owner.client.get(`${path}?limit=2&cursor=${first.body.next_cursor}`).expect(200);
    const shown = [...first.body.data, ...rest.body.data] as { user_id: string; roles: { role_id: string }[] }[];
    expect(shown.map(({ user_id }) => user_id).sort()).toEqual(members.map(({ user_id }) => user_id).sort());
    expect(shown[0]!.roles.map(({ role_id }) => role_id)).toContain(role.role_id);
    expect((await members[0]!.client.get(path).expect(403)).body.detail).toContain('admin:roles');
  });

  it('stops at twenty roles of one user', async () => {
    const member = await ours.member('viewer');
    const roles = await Promise.all(Array.from({ length: 19 }, () => createRole(ours)));
    for (const { role_id } of roles)
      await ours.owner.client.post(`/admin/roles/${role_id}/users`, { user_ids: [member.user_id] }).expect(200, { changed: 1 });
    const more = await createRole(ours);
    expect((await ours.owner.client.post(`/admin/roles/${more.role_id}/users`, { user_ids: [member.user_id] }).expect(409)).body.code).toBe(
      'limit_reached',
    );
  });

  it('raises the version of the workspace once for many', async () => {
    const role = await createRole(ours);
    const members = await Promise.all(Array.from({ length: 5 }, () => ours.member('viewer')));
    const version = async (): Promise<number> =>
      Number((await api.sql<{ v: string }>('SELECT ws_authz_version AS v FROM workspace WHERE tenant_id = $1', [ours.tenant_id]))[0]!.v);
    const before = await version();
    await ours.owner.client
      .post(`/admin/roles/${role.role_id}/users`, { user_ids: members.map(({ user_id }) => user_id) })
      .expect(200, { changed: 5 });
    expect(await version()).toBe(before + 1);
  });
});

describe('rehearsing a change of a role', () => {
  it('[identity 23] names exactly the users who lose a permission, and stores nothing', async () => {
    const workspace = await api.workspace();
    const editors = [await workspace.member('editor'), await workspace.member('editor'), await workspace.member('editor', ['media:view'])];
    const keeping = editors[1]!;
    const designer = await createRole(workspace, { role_permissions: ['design:edit'] });
    await workspace.owner.client.post(`/admin/roles/${designer.role_id}/users`, { user_ids: [keeping.user_id] }).expect(200);
    const editor = await builtIn(workspace, 'editor');
    const without = PERMISSIONS.filter((permission) => permission.startsWith('design:') && permission !== 'design:edit');
    const role_permissions = [...editor.role_permissions.filter((grant) => grant !== 'design:*'), ...without, 'admin:audit'];
    const { body } = await workspace.owner.client.post('/admin/roles/preview', { role_id: editor.role_id, role_permissions }).expect(200);
    const losing = [editors[0]!.user_id, editors[2]!.user_id].sort();
    expect(body.lost).toEqual(losing.map((user_id) => ({ user_id, permissions: ['design:edit'] })));
    expect(body.gained).toEqual(
      editors
        .map(({ user_id }) => user_id)
        .sort()
        .map((user_id) => ({ user_id, permissions: ['admin:audit'] })),
    );
    // The key narrowed to media:view carries neither.
    expect(body.keys_affected).toBe(2);
    expect((await workspace.owner.client.get(`/admin/roles/${editor.role_id}`).expect(200)).body).toMatchObject({
      role_permissions: editor.role_permissions,
    });
  });

  it('reports which operations open and close', async () => {
    const workspace = await api.workspace();
    const role = await createRole(workspace, { role_permissions: ['media:view', 'media:edit'] });
    const alone = await workspace.owner.client
      .post('/admin/roles/preview', { role_id: role.role_id, role_permissions: ['media:view', 'admin:roles'] })
      .expect(200);
    expect(alone.body.operations_closed).toEqual(expect.arrayContaining(['createAlbum']));
    expect(alone.body.operations_opened).toEqual(expect.arrayContaining(['createRole']));
    const editor = await workspace.member('editor');
    await workspace.owner.client.post(`/admin/roles/${role.role_id}/users`, { user_ids: [editor.user_id] }).expect(200);
    const kept = await workspace.owner.client
      .post('/admin/roles/preview', { role_id: role.role_id, role_permissions: ['media:view'] })
      .expect(200);
    expect(kept.body).toEqual({ gained: [], lost: [], keys_affected: 0, operations_opened: [], operations_closed: [] });
  });

  it('refuses what a change would be refused for', async () => {
    const role = await createRole(ours);
    await ours.owner.client.post('/admin/roles/preview', { role_id: role.role_id, role_permissions: ['media:'] }).expect(400);
    expect(
      (
        await ours.owner.client
          .post('/admin/roles/preview', { role_id: (await builtIn(theirs, 'editor')).role_id, role_permissions: [] })
          .expect(400)
      ).body.errors[0].path,
    ).toBe('role_id');
    await ours.owner.client
      .post('/admin/roles/preview', { role_id: (await builtIn(ours, 'owner')).role_id, role_permissions: ['media:*'] })
      .expect(409);
    await (await ours.member('editor')).client.post('/admin/roles/preview', { role_id: role.role_id, role_permissions: [] }).expect(403);
  });
});

describe('unused permissions of a role', () => {
  it('are those none of its users asked for lately', async () => {
    const workspace = await api.workspace();
    const role = await createRole(workspace, { role_permissions: ['media:edit', 'media:view', 'document:view', 'admin:roles'] });
    const members = [await workspace.member('viewer'), await workspace.member('viewer')];
    await workspace.owner.client
      .post(`/admin/roles/${role.role_id}/users`, { user_ids: members.map(({ user_id }) => user_id) })
      .expect(200);
    const unused = async (days = ''): Promise<string[]> =>
      (await workspace.owner.client.get(`/admin/roles/${role.role_id}/unused${days}`).expect(200)).body.data.map(
        ({ perm }: { perm: string }) => perm,
      );
    expect(await unused()).toEqual(['admin:roles', 'document:view', 'media:edit', 'media:view']);
    await members[0]!.client.get('/albums').expect(200);
    await members[1]!.client.post('/albums', { album_name: 'x' }).expect(201);
    await workspace.owner.client.get('/admin/roles').expect(200);
    await eventually(unused, (left) => left.length === 2);
    expect(await unused()).toEqual(['admin:roles', 'document:view']);
    await api.sql(`UPDATE access_log SET log_timestamp = log_timestamp - interval '20 days' WHERE tenant_id = $1`, [workspace.tenant_id]);
    expect(await unused('?days=30')).toEqual(['admin:roles', 'document:view']);
    expect(await unused('?days=10')).toHaveLength(4);
    await workspace.owner.client.get(`/admin/roles/${role.role_id}/unused?days=0`).expect(400);
  });
});

describe('from another workspace', () => {
  it('a role does not exist for any operation', async () => {
    const role = await createRole(ours);
    const stranger = theirs.owner.client;
    const path = `/admin/roles/${role.role_id}`;
    for (const answer of [
      await stranger.get(path),
      await stranger.patch(path, { role_name: 'x' }),
      await stranger.delete(path),
      await stranger.post(`${path}/copy`, { role_name: 'x' }),
      await stranger.get(`${path}/users`),
      await stranger.post(`${path}/users`, { user_ids: [theirs.owner.user_id] }),
      await stranger.delete(`${path}/users`, { user_ids: [theirs.owner.user_id] }),
      await stranger.get(`${path}/unused`),
    ]) {
      expect({ url: answer.request.url, status: answer.status }).toEqual({ url: answer.request.url, status: 404 });
    }
    expect(
      (await stranger.get(`/admin/roles?role_name=${encodeURIComponent(role.role_name)}`).expect(200)).body.data.map(
        ({ role_id }: RoleBody) => role_id,
      ),
    ).not.toContain(role.role_id);
    await ours.owner.client.get(path).expect(200);
  });
});
