import { eventually, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { MessageCounter } from './message-counter';
import { setRoles, signedInMember } from './signing-in';

let api: RunningApi;
let workspace: TestWorkspace;
let messages: MessageCounter;

beforeAll(async () => {
  api = await sharedAtrium();
  messages = new MessageCounter(api);
  workspace = await api.workspace(['module-design']);
});
afterAll(async () => {
  await api.close();
  messages.close();
});

const album = async (client: Client): Promise<number> => (await client.post('/albums', { album_name: 'Harbour' })).status;

/** The member's cached rights are warm: some request has been answered with them. */
async function warmMember(role: 'editor' | 'viewer' | 'owner'): Promise<Member> {
  const member = await workspace.member(role);
  await member.client.get('/me').expect(200);
  return member;
}

describe('a change of rights holds from the next request on', () => {
  it('for a demoted bearer, whatever the request: read, write, or what it sees of itself', async () => {
    const editor = await signedInMember(api, workspace, 'editor');
    expect(await album(editor.client)).toBe(201);
    await setRoles(api, workspace.tenant_id, editor, ['viewer']);
    const denied = await editor.client.post('/albums', { album_name: 'x' }).expect(403);
    expect(denied.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('media:edit') });
    await setRoles(api, workspace.tenant_id, editor, ['editor']);
    expect(await album(editor.client)).toBe(201);
    await setRoles(api, workspace.tenant_id, editor, ['viewer']);
    const me = await editor.client.get('/me').expect(200);
    expect(me.body.permissions).toContain('media:view');
    expect(me.body.permissions).not.toContain('media:edit');
  });

  it('for an editor demoted while writing in a loop', async () => {
    const editor = await signedInMember(api, workspace, 'editor');
    let demoted = false;
    const outcomes: { begun: 'before' | 'after'; status: number }[] = [];
    const loop = async (): Promise<void> => {
      for (let after = 0; after < 10;) {
        const begun = demoted ? 'after' : 'before';
        outcomes.push({ begun, status: await album(editor.client) });
        if (begun === 'after') after++;
      }
    };
    const loops = Promise.all([loop(), loop(), loop()]);
    await eventually(
      async () => outcomes.length,
      (count) => count > 5,
    );
    await setRoles(api, workspace.tenant_id, editor, ['viewer']);
    demoted = true;
    await loops;
    expect(new Set(outcomes.filter(({ begun }) => begun === 'after').map(({ status }) => status))).toEqual(new Set([403]));
  });

  it('for somebody promoted after a refusal', async () => {
    const viewer = await warmMember('viewer');
    expect(await album(viewer.client)).toBe(403);
    await setRoles(api, workspace.tenant_id, viewer, ['editor']);
    expect(await album(viewer.client)).toBe(201);
  });

  it('for a role whose permissions change', async () => {
    const other = await api.workspace();
    const editor = await other.member('editor');
    expect(await album(editor.client)).toBe(201);
    await api.sql(`UPDATE role SET role_permissions = '{media:view}' WHERE tenant_id = $1 AND role_key = 'editor'`, [other.tenant_id]);
    expect(await album(editor.client)).toBe(403);
    await api.sql(`UPDATE role SET role_permissions = '{media:*}' WHERE tenant_id = $1 AND role_key = 'editor'`, [other.tenant_id]);
    expect(await album(editor.client)).toBe(201);
  });

  it('for rows that an ACL opened to a role that was taken away', async () => {
    const reader = await warmMember('viewer');
    const [role] = await api.sql<{ role_id: string }>(`SELECT role_id FROM role WHERE tenant_id = $1 AND role_key = 'contributor'`, [
      workspace.tenant_id,
    ]);
    await setRoles(api, workspace.tenant_id, reader, ['viewer', 'contributor']);
    const made = await workspace.owner.client
      .post('/albums', {
        album_name: 'Closed',
        album_acl: { users: { [workspace.owner.user_id]: 'owner' }, roles: { [role!.role_id]: 'view' } },
      })
      .expect(201);
    await reader.client.get(`/albums/${made.body.album_id}`).expect(200);
    await setRoles(api, workspace.tenant_id, reader, ['viewer']);
    await reader.client.get(`/albums/${made.body.album_id}`).expect(404);
    await setRoles(api, workspace.tenant_id, reader, ['viewer', 'contributor']);
    const list = await reader.client.get(`/albums?album_id=${made.body.album_id}`).expect(200);
    expect(list.body.data).toHaveLength(1);
    await setRoles(api, workspace.tenant_id, reader, ['viewer']);
    const emptied = await reader.client.get(`/albums?album_id=${made.body.album_id}`).expect(200);
    expect(emptied.body.data).toEqual([]);
  });

  it('for a revoked key, an expired one and a removed owner of one', async () => {
    const revoked = await warmMember('viewer');
    await api.sql('UPDATE api_key SET key_revoked_at = now() WHERE key_id = $1', [revoked.key_id]);
    expect((await revoked.client.get('/me').expect(401)).body.code).toBe('unauthenticated');
    const expired = await warmMember('viewer');
    await api.sql(`UPDATE api_key SET key_expires_at = now() - interval '1 second' WHERE key_id = $1`, [expired.key_id]);
    await expired.client.get('/me').expect(401);
    const removed = await warmMember('viewer');
    await api.sql(`UPDATE workspace_user SET user_status = 'removed' WHERE user_id = $1`, [removed.user_id]);
    await removed.client.get('/me').expect(401);
  });

  it('for a key narrowed after it was used', async () => {
    const editor = await warmMember('editor');
    expect(await album(editor.client)).toBe(201);
    await api.sql(`UPDATE api_key SET key_scopes = '{media:view}' WHERE key_id = $1`, [editor.key_id]);
    expect(await album(editor.client)).toBe(403);
  });

  it('for a suspended member: 403 with a bearer, 401 with a key, and both work again when reactivated', async () => {
    const member = await signedInMember(api, workspace, 'viewer');
    const withKey = await api.memberWithKey(workspace.tenant_id, member.user_id, member.email);
    await member.client.get('/me').expect(200);
    await withKey.client.get('/me').expect(200);
    await api.sql(`UPDATE workspace_user SET user_status = 'suspended' WHERE user_id = $1`, [member.user_id]);
    expect((await member.client.get('/me').expect(403)).body.code).toBe('tenant_forbidden');
    await withKey.client.get('/me').expect(401);
    await api.sql(`UPDATE workspace_user SET user_status = 'active' WHERE user_id = $1`, [member.user_id]);
    await member.client.get('/me').expect(200);
    await withKey.client.get('/me').expect(200);
  });

  it('for a locked account, in every workspace of it', async () => {
    const member = await signedInMember(api, workspace, 'viewer');
    await member.client.get('/me').expect(200);
    await api.sql(`UPDATE account SET acc_status = 'locked', acc_version = acc_version + 1 WHERE acc_id = $1`, [member.user_id]);
    await member.client.get('/me').expect(401);
  });

  it('for everybody in a suspended workspace, and the answer says so', async () => {
    const other = await api.workspace();
    await other.owner.client.get('/me').expect(200);
    await api.sql(`UPDATE workspace SET ws_status = 'suspended' WHERE tenant_id = $1`, [other.tenant_id]);
    expect((await other.owner.client.get('/me').expect(403)).body).toMatchObject({
      code: 'tenant_forbidden',
      detail: 'The workspace is suspended.',
    });
    await api.sql(`UPDATE workspace SET ws_status = 'active' WHERE tenant_id = $1`, [other.tenant_id]);
    await other.owner.client.get('/me').expect(200);
  });

  it('for a license that is granted and ended', async () => {
    const other = await api.workspace(['module-design', 'module-ppt']);
    expect((await other.owner.client.get('/me').expect(200)).body.modules).toEqual(['module-design', 'module-ppt']);
    await api.sql(`UPDATE licence SET lic_expires_at = now() WHERE tenant_id = $1 AND lic_module = 'module-ppt'`, [other.tenant_id]);
    expect((await other.owner.client.get('/me').expect(200)).body.modules).toEqual(['module-design']);
    await api.sql(`INSERT INTO licence (tenant_id, lic_module) VALUES ($1, 'module-objects')`, [other.tenant_id]);
    expect((await other.owner.client.get('/me').expect(200)).body.modules).toEqual(['module-design', 'module-objects']);
  });

  it('for a license that runs out by the clock alone', async () => {
    const other = await api.workspace(['module-design']);
    await api.sql(`UPDATE licence SET lic_expires_at = clock_timestamp() + interval '1500 milliseconds' WHERE tenant_id = $1`, [
      other.tenant_id,
    ]);
    const [{ until }] = (await api.sql<{ until: Date }>('SELECT lic_expires_at AS until FROM licence WHERE tenant_id = $1', [
      other.tenant_id,
    ])) as [{ until: Date }];
    for (;;) {
      const begun = Date.now();
      const me = await other.owner.client.get('/me').expect(200);
      const answered = Date.now();
      if (answered < until.getTime()) expect(me.body.modules).toEqual(['module-design']);
      if (begun >= until.getTime()) {
        expect(me.body.modules).toEqual([]);
        return;
      }
    }
  });
});

describe('freshness costs nothing', () => {
  it('an authenticated read is three messages: opening with the stamp, statement, end', async () => {
    const member = await workspace.member('viewer');
    const bearer = await signedInMember(api, workspace, 'viewer');
    for (const client of [member.client, bearer.client]) {
      await client.get('/me').expect(200);
      await messages.quiet();
      messages.reset();
      await client.get('/me').expect(200);
      expect(messages.texts).toHaveLength(3);
      expect(messages.texts[0]).toMatch(
        /^START TRANSACTION READ ONLY;SELECT set_config\('app\.tenant_id', \$1, true\), set_config\('statement_timeout', \$2, true\), set_config\('lock_timeout', \$3, true\), demand_stamp\(auth_enter\(/,
      );
      expect(messages.texts[2]).toBe('COMMIT');
    }
  });

  it('a thousand requests load the rights once', async () => {
    const member = await workspace.member('viewer');
    await messages.quiet();
    messages.reset();
    await member.client.get('/me').expect(200);
    for (let i = 1; i < 1_000; i += 37) {
      await Promise.all(Array.from({ length: Math.min(37, 1_000 - i) }, () => member.client.get('/me').expect(200)));
    }
    expect(messages.naming('auth_facts(')).toBe(1);
    expect(messages.naming('auth_enter(')).toBe(1_000);
  });

  it('a change makes each caller load its rights once more', async () => {
    const member = await warmMember('viewer');
    await messages.quiet();
    await setRoles(api, workspace.tenant_id, member, ['editor']);
    messages.reset();
    for (let i = 0; i < 5; i++) await member.client.get('/me').expect(200);
    expect(messages.naming('auth_facts(')).toBe(1);
  });

  it('a refused request begins no work', async () => {
    const viewer = await warmMember('viewer');
    await messages.quiet();
    messages.reset();
    await viewer.client.post('/albums', { album_name: 'x' }).expect(403);
    expect(messages.texts.filter((text) => /INSERT|UPDATE|DELETE/.test(text))).toEqual([]);
  });
});
