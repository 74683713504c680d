import { WorkspaceOptions, type WorkspaceOption } from '@atrium/identity';
import { inWorkspace } from '@atrium/platform/database';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { storedFile } from './named-files';
import { signedInMember } from './signing-in';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace(['module-design']);
  theirs = await api.workspace();
});
afterAll(() => api.close());

const audited = (type: string, tenant = ours.tenant_id) =>
  api.sql<{ before: object; after: object; actor: string }>(
    `SELECT aud_before AS before, aud_after AS after, aud_actor AS actor FROM audit_event WHERE tenant_id = $1 AND aud_type = $2 ORDER BY aud_timestamp, aud_id`,
    [tenant, type],
  );
const emitted = (name: string, tenant = ours.tenant_id) =>
  api.sql<{ ev_payload: Record<string, unknown> }>(`SELECT ev_payload FROM outbox WHERE tenant_id = $1 AND ev_name = $2 ORDER BY ev_id`, [
    tenant,
    name,
  ]);

describe('reading the workspace', () => {
  it('shows every member what is open to them, and administrators the whole', async () => {
    const viewer = await ours.member('viewer');
    const open = await viewer.client.get('/workspace').expect(200);
    expect(open.body).toMatchObject({
      ws_id: ours.tenant_id,
      ws_slug: ours.slug,
      ws_status: 'active',
      ws_modules: ['module-design'],
      ws_options: { trash_retention_days: 30 },
      ws_brand: { colors: [] },
      ws_delete_after: null,
    });
    for (const hidden of ['ws_security', 'ws_seat_limit', 'ws_external_id', 'ws_authz_version', 'tenant_id', 'row_version'])
      expect(open.body).not.toHaveProperty(hidden);
    const whole = await ours.owner.client.get('/admin/settings').expect(200);
    expect(whole.body).toMatchObject({
      ws_seat_limit: null,
      ws_external_id: null,
      ws_security: {
        require_mfa: false,
        password_login: true,
        allowed_email_domains: [],
        ip_allow: [],
        session_idle_minutes: 1440,
        session_max_days: 30,
        key_max_days: null,
        personal_keys: true,
      },
    });
    expect(whole.headers.etag).toMatch(/^"\d+"$/);
    const [{ seats }] = (await api.sql<{ seats: number }>(
      `SELECT count(*)::int AS seats FROM workspace_user WHERE tenant_id = $1 AND user_kind = 'person'`,
      [ours.tenant_id],
    )) as [{ seats: number }];
    expect(whole.body.ws_seats_used).toBe(seats);
  });

  it('is denied to viewers where it is for administrators, naming the permission', async () => {
    const viewer = await ours.member('viewer');
    for (const path of ['/admin/settings', '/admin/settings/options', '/admin/settings/modules']) {
      const denied = await viewer.client.get(path).expect(403);
      expect(denied.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('admin:settings') });
    }
    for (const change of [
      viewer.client.patch('/admin/settings', { ws_name: 'Mine' }),
      viewer.client.put('/admin/settings/brand', {}),
      viewer.client.patch('/admin/settings/brand', {}),
    ]) {
      expect((await change.expect(403)).body.detail).toContain('admin:settings');
    }
  });

  it('is refused to members of other workspaces', async () => {
    const stranger = theirs.owner.client.with({ 'X-Tenant-Id': ours.tenant_id });
    for (const path of ['/workspace', '/workspace/brand', '/admin/settings', '/admin/settings/options', '/admin/settings/modules']) {
      expect((await stranger.get(path).expect(403)).body.code).toBe('tenant_forbidden');
    }
    for (const change of [
      stranger.patch('/admin/settings', { ws_name: 'Taken' }),
      stranger.put('/admin/settings/brand', { name: 'Taken' }),
      stranger.patch('/admin/settings/brand', { name: 'Taken' }),
    ]) {
      expect((await change.expect(403)).body.code).toBe('tenant_forbidden');
    }
  });

  it('shows all seven modules, granted or not', async () => {
    const { body } = await ours.owner.client.get('/admin/settings/modules').expect(200);
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
    expect(body.data).toHaveLength(7);
    expect(body.data.filter((row: { lic_active: boolean }) => row.lic_active)).toEqual([
      expect.objectContaining({ lic_module: 'module-design', lic_expires_at: null }),
    ]);
    await api.sql(`UPDATE licence SET lic_expires_at = now() - interval '1 second' WHERE tenant_id = $1`, [ours.tenant_id]);
    const later = await ours.owner.client.get('/admin/settings/modules').expect(200);
    expect(later.body.data.filter((row: { lic_active: boolean }) => row.lic_active)).toEqual([]);
  });
});

describe('changing the workspace', () => {
  it('applies the fields present, raises the version, and is reported to the trail and to events', async () => {
    const before = await ours.owner.client.get('/admin/settings').expect(200);
    const answer = await ours.owner.client
      .with({ 'If-Match': before.headers.etag! })
      .patch('/admin/settings', {
        ws_name: '  Harbour Media ',
        ws_locale: 'pt-br',
        ws_timezone: 'Asia/Kathmandu',
        ws_contact_email: 'Office@Example.COM',
        ws_metadata: { plan: 'team' },
        ws_description: null,
      })
      .expect(200);
    expect(answer.body).toMatchObject({
      ws_name: 'Harbour Media',
      ws_locale: 'pt-BR',
      ws_timezone: 'Asia/Kathmandu',
      ws_contact_email: 'office@example.com',
      ws_metadata: { plan: 'team' },
    });
    expect(answer.body).toEqual((await ours.owner.client.get('/admin/settings').expect(200)).body);
    expect(
      (await ours.owner.client.with({ 'If-Match': before.headers.etag! }).patch('/admin/settings', { ws_name: 'Late' }).expect(412)).body
        .code,
    ).toBe('precondition_failed');
    const [entry] = (await audited('workspace.updated')).slice(-1);
    expect(entry).toMatchObject({
      actor: ours.owner.user_id,
      before: { ws_timezone: 'UTC' },
      after: { ws_name: 'Harbour Media', ws_timezone: 'Asia/Kathmandu' },
    });
    expect(entry!.after).not.toHaveProperty('ws_description');
    expect((await emitted('workspace.updated')).at(-1)?.ev_payload).toEqual({
      changed: ['ws_name', 'ws_locale', 'ws_timezone', 'ws_contact_email', 'ws_metadata'],
    });
    expect((await theirs.owner.client.get('/admin/settings').expect(200)).body).toMatchObject({ ws_timezone: 'UTC', ws_metadata: {} });
  });

  it('that changes nothing leaves version, trail and events alone', async () => {
    const before = await ours.owner.client.get('/admin/settings').expect(200);
    const told = (await audited('workspace.updated')).length;
    const answer = await ours.owner.client
      .patch('/admin/settings', { ws_name: before.body.ws_name, ws_security: {}, ws_options: {} })
      .expect(200);
    expect(answer.headers.etag).toBe(before.headers.etag);
    expect(await audited('workspace.updated')).toHaveLength(told);
  });

  it('refuses what is not in form, one entry a fault', async () => {
    const bad: [object, string][] = [
      [{ ws_name: '' }, 'ws_name'],
      [{ ws_timezone: 'Mars/Olympus' }, 'ws_timezone'],
      [{ ws_timezone: 'Factory' }, 'ws_timezone'],
      [{ ws_timezone: 'EST5EDT4,M3.2.0,M11.1.0' }, 'ws_timezone'],
      [{ ws_locale: 'english please' }, 'ws_locale'],
      [{ ws_contact_email: 'a@b\r\nBcc: c@d.example' }, 'ws_contact_email'],
      [{ ws_contact_email: 'nobody' }, 'ws_contact_email'],
      [{ ws_security: { ip_allow: ['127.0.0.0/8', '300.1.1.0/24'] } }, 'ws_security.ip_allow[1]'],
      [{ ws_security: { allowed_email_domains: ['exa mple.com'] } }, 'ws_security.allowed_email_domains[0]'],
      [{ ws_options: { no_such_option: true } }, 'ws_options.no_such_option'],
      [{ ws_options: { trash_retention_days: 366 } }, 'ws_options.trash_retention_days'],
      [{ ws_options: { trash_retention_days: 'long' } }, 'ws_options.trash_retention_days'],
    ];
    for (const [body, path] of bad) {
      const refused = await ours.owner.client.patch('/admin/settings', body);
      expect({ path, code: refused.body.code, paths: refused.body.errors?.map((entry: { path: string }) => entry.path) }).toEqual({
        path,
        code: 'validation_failed',
        paths: [path],
      });
    }
  });

  it('merges the rules member by member; null goes back to the default', async () => {
    await ours.owner.client
      .patch('/admin/settings', {
        ws_security: { session_max_days: 7, allowed_email_domains: ['Example.com', '@bücher.example', 'example.com'] },
      })
      .expect(200);
    const answer = await ours.owner.client
      .patch('/admin/settings', { ws_security: { key_max_days: 90, ip_allow: ['127.0.0.0/8', '::1'] } })
      .expect(200);
    expect(answer.body.ws_security).toMatchObject({
      session_max_days: 7,
      key_max_days: 90,
      allowed_email_domains: ['example.com', 'xn--bcher-kva.example'],
      ip_allow: ['127.0.0.0/8', '::1/128'],
    });
    const back = await ours.owner.client
      .patch('/admin/settings', {
        ws_security: { session_max_days: null, key_max_days: null, ip_allow: null, allowed_email_domains: null },
      })
      .expect(200);
    expect(back.body.ws_security).toMatchObject({ session_max_days: 30, key_max_days: null, ip_allow: [], allowed_email_domains: [] });
  });

  it('keeps both of two changes at once', async () => {
    const answers = await Promise.all([
      ours.owner.client.patch('/admin/settings', { ws_security: { session_max_days: 8 } }),
      ours.owner.client.patch('/admin/settings', { ws_security: { key_max_days: 80 } }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    expect((await ours.owner.client.get('/admin/settings').expect(200)).body.ws_security).toMatchObject({
      session_max_days: 8,
      key_max_days: 80,
    });
  });
});

describe('a rule that would shut the caller out', () => {
  it('is refused while the session lacks it', async () => {
    const workspace = await api.workspace();
    const admin = await signedInMember(api, workspace, 'owner');
    for (const ws_security of [{ require_mfa: true }, { password_login: false }, { ip_allow: ['203.0.113.0/24'] }]) {
      const refused = await admin.client.patch('/admin/settings', { ws_security }).expect(409);
      expect(refused.body).toMatchObject({ code: 'invalid_state', detail: expect.stringContaining('end your own access') });
    }
    expect((await admin.client.get('/admin/settings').expect(200)).body.ws_security).toMatchObject({
      require_mfa: false,
      password_login: true,
      ip_allow: [],
    });
    await workspace.owner.client.patch('/admin/settings', { ws_security: { ip_allow: ['203.0.113.0/24', '127.0.0.1'] } }).expect(200);
  });

  it('[identity 20] as addresses without the caller is 409; a key limited to 203.0.113.0/24 is 403', async () => {
    const refused = await ours.owner.client.patch('/admin/settings', { ws_security: { ip_allow: ['203.0.113.0/24'] } }).expect(409);
    expect(refused.body.code).toBe('invalid_state');
    const made = await ours.owner.client
      .post('/admin/api-keys', { key_name: 'Elsewhere', key_user: ours.owner.user_id, key_ip_allow: ['203.0.113.0/24'] })
      .expect(201);
    const denied = await ours.owner.client.with({ 'X-Api-Key': made.body.key_secret }).get('/me').expect(403);
    expect(denied.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('IP address') });
  });
});

describe('the options of the workspace', () => {
  it('are all listed with value, default, form and who may change them', async () => {
    const { body } = await theirs.owner.client.get('/admin/settings/options').expect(200);
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
    expect(body.data).toContainEqual({
      key: 'trash_retention_days',
      value: 30,
      default: 30,
      schema: { type: 'integer', minimum: 1, maximum: 365 },
      permission: 'admin:settings',
      description: expect.any(String),
    });
    expect(body.data.map((row: { key: string }) => row.key)).toEqual(body.data.map((row: { key: string }) => row.key).sort());
  });

  it('are changed by who has the permission of each; one that its context keeps is asked of it', async () => {
    let kept: number | null = null;
    const options = api.app.get(WorkspaceOptions, { strict: false });
    options.register({
      key: 'test_storage_hint',
      schema: { type: 'string', maxLength: 10 },
      default: 'cold',
      permission: 'admin:storage',
      description: 'For this test.',
    });
    const kept_days: WorkspaceOption<number> = {
      key: 'test_kept_days',
      schema: { type: 'integer', minimum: 1, maximum: 9 },
      default: 3,
      description: 'For this test.',
      keeper: { readOption: () => Promise.resolve(kept), writeOption: (value) => Promise.resolve(void (kept = value)) },
    };
    options.register(kept_days);
    const settler = await ours.member('owner', ['admin:settings']);
    const denied = await settler.client
      .patch('/admin/settings', { ws_options: { test_storage_hint: 'warm', test_kept_days: 5 } })
      .expect(403);
    expect(denied.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('admin:storage') });
    expect(kept).toBeNull();
    await settler.client.patch('/admin/settings', { ws_options: { test_kept_days: 5 } }).expect(200);
    const answer = await ours.owner.client.patch('/admin/settings', { ws_options: { test_storage_hint: 'warm' } }).expect(200);
    expect(answer.body.ws_options).toMatchObject({ test_storage_hint: 'warm', test_kept_days: 5 });
    expect(await inWorkspace(ours.tenant_id, () => options.readOption(kept_days))).toBe(5);
    await ours.owner.client.patch('/admin/settings', { ws_options: { test_storage_hint: 'far too long' } }).expect(400);
    const back = await ours.owner.client
      .patch('/admin/settings', { ws_options: { test_storage_hint: null, test_kept_days: null } })
      .expect(200);
    expect(back.body.ws_options).toMatchObject({ test_storage_hint: 'cold', test_kept_days: 3 });
    expect(() => options.register(kept_days)).toThrow('Two contexts');
    expect(() => options.register({ ...kept_days, key: 'test_other', default: 10 })).toThrow('whole number');
  });

  it('act: files stay in the trash as long as the workspace says', async () => {
    const days = async (workspace: TestWorkspace): Promise<number> => {
      const file_id = await storedFile(api, workspace.tenant_id, {});
      await workspace.owner.client.delete(`/files/${file_id}`).expect(204);
      const [row] = await api.sql<{ days: number }>(
        `SELECT round(extract(epoch FROM file_purge_at - file_deleted) / 86400)::int AS days FROM file WHERE tenant_id = $1 AND file_id = $2`,
        [workspace.tenant_id, file_id],
      );
      return row!.days;
    };
    expect(await days(ours)).toBe(30);
    await ours.owner.client.patch('/admin/settings', { ws_options: { trash_retention_days: 45 } }).expect(200);
    expect(await days(ours)).toBe(45);
    expect(await days(theirs)).toBe(30);
    const reset = await ours.owner.client.patch('/admin/settings', { ws_options: { trash_retention_days: null } }).expect(200);
    expect(reset.body.ws_options).toEqual((await theirs.owner.client.get('/admin/settings').expect(200)).body.ws_options);
    expect(await days(ours)).toBe(45);
    await api.sql(`UPDATE retention_policy SET ret_effective_at = now() WHERE tenant_id = $1`, [ours.tenant_id]);
    expect(await days(ours)).toBe(30);
  });
});
