import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { signedInMember } from './signing-in';

let api: RunningApi;
let ours: TestWorkspace;
let admin: Client;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  admin = ours.owner.client;
});
afterAll(() => api.close());

interface Explanation {
  readonly allowed: boolean;
  readonly steps: readonly { readonly step: string; readonly passed: boolean; readonly because: string }[];
}

const ALL = ['tenant', 'status', 'mfa', 'ip', 'license', 'permission'];

const explain = async (question: object, client = admin): Promise<Explanation> =>
  (await client.post('/admin/access/explain', question).expect(200)).body as Explanation;

/** The steps passed, and the one that refused. */
const outline = ({ steps }: Explanation): { passed: string[]; refused: string | undefined } => ({
  passed: steps.filter(({ passed }) => passed).map(({ step }) => step),
  refused: steps.find(({ passed }) => !passed)?.step,
});

const setSecurity = (workspace: TestWorkspace, rules: object): Promise<object[]> =>
  api.sql('UPDATE workspace SET ws_security = ws_security || $2 WHERE tenant_id = $1', [workspace.tenant_id, JSON.stringify(rules)]);

describe('explaining access', () => {
  it('[identity 24] names the access list of an album as what refuses, and all before it as passed', async () => {
    const editor = await ours.member('editor');
    const contributor = await ours.member('contributor');
    const { role_id } = (await admin.get('/admin/roles?role_key=contributor').expect(200)).body.data[0] as { role_id: string };
    const album_acl = { users: { [ours.owner.user_id]: 'owner' }, roles: { [role_id]: 'view' } };
    const { album_id } = (await admin.post('/albums', { album_name: 'Harbour', album_acl }).expect(201)).body as { album_id: string };
    const resource = { type: 'album', id: album_id };
    await editor.client.get(`/albums/${album_id}`).expect(404);
    const refused = await explain({ user_id: editor.user_id, operation: 'getAlbum', resource });
    expect(refused.allowed).toBe(false);
    expect(outline(refused)).toEqual({ passed: ALL, refused: 'acl' });
    expect(refused.steps.at(-1)?.because).toBe('The access list of the album Harbour names neither editor 1 nor any of their roles.');
    await contributor.client.get(`/albums/${album_id}`).expect(200);
    const viewing = await explain({ user_id: contributor.user_id, operation: 'getAlbum', resource });
    expect(viewing.allowed).toBe(true);
    expect(viewing.steps.at(-1)?.because).toContain('the role Contributor view');
    const owning = await explain({ key_id: ours.owner.key_id, operation: 'deleteAlbum', resource });
    expect(owning.allowed).toBe(true);
    expect(owning.steps.at(-1)?.because).toContain('Owner owner');
    const open = (await admin.post('/albums', { album_name: 'Open' }).expect(201)).body as { album_id: string };
    expect(
      (await explain({ user_id: editor.user_id, permission: 'media:edit', resource: { type: 'album', id: open.album_id } })).steps.at(-1)
        ?.because,
    ).toContain('has no access list');
  });

  it('names the role and the scope that decide about a permission', async () => {
    const editor = await ours.member('editor', ['media:view', 'document:*']);
    const byRole = await explain({ user_id: editor.user_id, permission: 'media:edit' });
    expect(byRole.allowed).toBe(true);
    expect(byRole.steps.at(-1)?.because).toBe('The role Editor grants media:edit.');
    const byScope = await explain({ key_id: editor.key_id, permission: 'document:edit' });
    expect(byScope.steps.at(-1)?.because).toBe(
      'The role Editor grants document:edit, and the scope document:* of the key test includes it.',
    );
    const narrowed = await explain({ key_id: editor.key_id, operation: 'createAlbum' });
    expect(outline(narrowed).refused).toBe('permission');
    expect(narrowed.steps.at(-1)?.because).toBe('The role Editor grants media:edit, but no scope of the key test includes it.');
    await editor.client.post('/albums', { album_name: 'x' }).expect(403);
    const lacking = await explain({ user_id: editor.user_id, permission: 'admin:users' });
    expect(lacking.steps.at(-1)?.because).toMatch(/^None of the roles of editor \d+ \(Editor\) grants admin:users\.$/);
    expect((await explain({ user_id: editor.user_id, operation: 'getMe' })).allowed).toBe(true);
  });

  it('reports who is no longer a member, suspended, or has a key that ended', async () => {
    const member = await ours.member('viewer');
    await api.sql('UPDATE api_key SET key_revoked_at = now() WHERE key_id = $1', [member.key_id]);
    expect(outline(await explain({ key_id: member.key_id, permission: 'media:view' }))).toEqual({ passed: ['tenant'], refused: 'status' });
    await api.sql(`UPDATE workspace_user SET user_status = 'suspended' WHERE tenant_id = $1 AND user_id = $2`, [
      ours.tenant_id,
      member.user_id,
    ]);
    const suspended = await explain({ user_id: member.user_id, permission: 'media:view' });
    expect(suspended.steps.at(-1)?.because).toContain('is suspended');
    await api.sql(`UPDATE workspace_user SET user_status = 'removed' WHERE tenant_id = $1 AND user_id = $2`, [
      ours.tenant_id,
      member.user_id,
    ]);
    expect(outline(await explain({ user_id: member.user_id, permission: 'media:view' }))).toEqual({ passed: [], refused: 'tenant' });
  });

  it('reports a missing second factor and addresses that are not allowed', async () => {
    const workspace = await api.workspace();
    const client = workspace.owner.client;
    const person = await signedInMember(api, workspace, 'viewer');
    await setSecurity(workspace, { require_mfa: true });
    await person.client.get('/albums').expect(403);
    const unproven = await explain({ user_id: person.user_id, permission: 'media:view' }, client);
    expect(outline(unproven)).toEqual({ passed: ['tenant', 'status'], refused: 'mfa' });
    expect(unproven.steps.at(-1)?.because).toContain('second factor');
    const reader = await workspace.member('viewer');
    await reader.client.get('/albums').expect(200);
    await api.sql(`UPDATE api_key SET key_ip_allow = '{203.0.113.0/24}', key_last_used_ip = '127.0.0.1' WHERE key_id = $1`, [
      reader.key_id,
    ]);
    await reader.client.get('/albums').expect(403);
    const elsewhere = await explain({ key_id: reader.key_id, permission: 'media:view' }, client);
    expect(outline(elsewhere)).toEqual({ passed: ['tenant', 'status', 'mfa'], refused: 'ip' });
    expect(elsewhere.steps.at(-1)?.because).toContain('203.0.113.0/24');
  });

  it('refuses questions that name nothing, too much, or what is not here', async () => {
    const theirs = await api.workspace();
    const user_id = ours.owner.user_id;
    const questions: [object, string][] = [
      [{ user_id }, 'operation'],
      [{ user_id, operation: 'getAlbum', permission: 'media:view' }, 'operation'],
      [{ permission: 'media:view' }, 'user_id'],
      [{ user_id, key_id: ours.owner.key_id, permission: 'media:view' }, 'user_id'],
      [{ user_id, permission: 'media:' }, 'permission'],
      [{ user_id, operation: 'login' }, 'operation'],
      [{ user_id: theirs.owner.user_id, permission: 'media:view' }, 'user_id'],
      [{ key_id: theirs.owner.key_id, permission: 'media:view' }, 'key_id'],
      [{ user_id, permission: 'media:view', resource: { type: 'castle', id: newId() } }, 'resource.type'],
      [{ user_id, permission: 'media:view', resource: { type: 'album', id: newId() } }, 'resource.id'],
    ];
    for (const [question, path] of questions)
      expect((await admin.post('/admin/access/explain', question).expect(400)).body.errors[0].path).toBe(path);
    const foreign = (await theirs.owner.client.post('/albums', { album_name: 'Theirs' }).expect(201)).body as { album_id: string };
    await admin
      .post('/admin/access/explain', { user_id, permission: 'media:view', resource: { type: 'album', id: foreign.album_id } })
      .expect(400);
    const denied = await (
      await ours.member('editor')
    ).client
      .post('/admin/access/explain', { user_id, permission: 'media:view' })
      .expect(403);
    expect(denied.body.detail).toContain('admin:roles');
  });
});
