import { createHash, createPublicKey, verify as verifySignature, type JsonWebKey } from 'node:crypto';
import { Audit, changesBetween, defineAuditTypes } from '@atrium/platform/access';
import { Database, inWorkspace, type Actor } from '@atrium/platform/database';
import { newId, type JsonObject } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';
import canonicalize from 'canonicalize';
import { startAtrium, startWorker } from '../support/api';

interface Event {
  readonly aud_id: string;
  readonly aud_type: string;
  readonly aud_seal: string | null;
  readonly [field: string]: unknown;
}

interface Seal {
  readonly seal_id: string;
  readonly seal_seq: number;
  readonly seal_count: number;
  readonly seal_root: string;
  readonly seal_prev: string | null;
  readonly seal_signature: string;
  readonly [field: string]: unknown;
}

interface Page<T> {
  readonly data: T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

interface Verdict {
  readonly seals: number;
  readonly events: number;
  readonly valid: boolean;
  readonly first_break?: { readonly seal_seq: number; readonly kind: string };
}

const TYPES = defineAuditTypes({ 'lantern.lit': 'A lantern was lit.', 'lantern.moved': 'A lantern was moved.' });
const EVENTS = '/admin/audit-events';

let api: RunningApi;
let worker: INestApplicationContext;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  worker = await startWorker(api);
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

const actor = (workspace: TestWorkspace): Actor => ({ kind: 'person', user_id: workspace.owner.user_id, key_id: workspace.owner.key_id });
const record = (workspace: TestWorkspace, names: readonly string[], type: keyof typeof TYPES = 'lantern.lit'): Promise<void> =>
  inWorkspace(
    workspace.tenant_id,
    () =>
      api.app.get(Database).write(async () => {
        for (const name of names)
          api.app
            .get(Audit, { strict: false })
            .record({ type: TYPES[type], target: { type: 'lantern', id: name, name }, ...changesBetween(null, { name }) });
      }),
    actor(workspace),
  );
const seal = (): Promise<void> => worker.get(ScheduleHost).runNow('governance.seal');
const verify = async (workspace: TestWorkspace, range: object = {}): Promise<Verdict> =>
  (await workspace.owner.client.post(`${EVENTS}/verify`, range).expect(200)).body as Verdict;
const events = async (query: string, workspace = ours): Promise<Page<Event>> =>
  (await workspace.owner.client.get(`${EVENTS}?${query}`).expect(200)).body as Page<Event>;
const seals = async (workspace: TestWorkspace, query = ''): Promise<Seal[]> =>
  ((await workspace.owner.client.get(`/admin/audit-seals?${query}`).expect(200)).body as Page<Seal>).data;
const names = (page: Page<Event>): unknown[] => page.data.map(({ aud_target_name }) => aud_target_name);

/** A workspace with three seals over two events each. */
async function sealed(): Promise<TestWorkspace> {
  const workspace = await api.workspace();
  await seal();
  for (const round of [1, 2, 3]) {
    await record(workspace, [`${round}a`, `${round}b`]);
    await seal();
  }
  return workspace;
}

describe('the audit trail', () => {
  it('[governance 24] shows a changed role before and after, by whom and by which request, and shows what is changed or deleted later', async () => {
    const { client, user_id, key_id } = ours.owner;
    const role = (await client.post('/admin/roles', { role_name: 'Keepers', role_permissions: ['media:view', 'media:edit'] }).expect(201))
      .body as { role_id: string };
    const change = await client
      .with({ 'X-Request-Id': 'change-role-1' })
      .patch(`/admin/roles/${role.role_id}`, { role_permissions: ['media:view'] })
      .expect(200);
    expect(change.headers['x-request-id']).toBe('change-role-1');
    const { data } = await events('aud_request_id=change-role-1');
    expect(data).toEqual([
      expect.objectContaining({
        aud_type: 'role.updated',
        aud_actor: user_id,
        aud_actor_kind: 'person',
        aud_actor_name: 'Owner',
        aud_key: key_id,
        aud_target_type: 'role',
        aud_target_id: role.role_id,
        aud_target_name: 'Keepers',
        aud_before: expect.objectContaining({ role_permissions: expect.arrayContaining(['media:edit', 'media:view']) }),
        aud_after: expect.objectContaining({ role_permissions: ['media:view'] }),
        aud_seal: null,
        aud_ip: expect.stringContaining('127.0.0.1'),
      }),
    ]);
    await seal();
    const [event] = (await events('aud_request_id=change-role-1')).data as [Event];
    const [newest] = (await seals(ours)) as [Seal];
    expect(event.aud_seal).toBe(newest.seal_id);
    expect(await verify(ours)).toMatchObject({ valid: true });

    // Somebody with every right over the database.
    await api.sql(
      `UPDATE audit_event SET aud_after = '{"role_permissions": ["media:view", "media:edit"]}' WHERE tenant_id = $1 AND aud_id = $2`,
      [ours.tenant_id, event.aud_id],
    );
    expect(await verify(ours)).toMatchObject({ valid: false, first_break: { seal_seq: newest.seal_seq, kind: 'changed' } });
    await api.sql(
      'DELETE FROM audit_event WHERE tenant_id = $1 AND aud_id = (SELECT max(aud_id::text)::uuid FROM audit_event WHERE tenant_id = $1)',
      [ours.tenant_id],
    );
    expect(await verify(ours)).toMatchObject({ valid: false, first_break: { seal_seq: newest.seal_seq, kind: 'missing' } });
  });

  it('[governance 24] shows a change of any column of a sealed event', async () => {
    const workspace = await sealed();
    const [event] = (await events('aud_target_id=2a', workspace)).data as [Event];
    const { seal_seq } = (await seals(workspace)).find(({ seal_id }) => seal_id === event.aud_seal)!;
    const columns = await api.sql<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_name = 'audit_event' AND column_name NOT IN ('tenant_id', 'aud_id', 'aud_seal') ORDER BY ordinal_position`,
    );
    expect(columns.length).toBeGreaterThan(12);
    const other: Record<string, (column: string) => string> = {
      uuid: () => 'gen_random_uuid()',
      jsonb: () => `'{"changed": true}'`,
      text: (column) => `coalesce(${column}, '') || 'x'`,
      'timestamp with time zone': (column) => `${column} + interval '1 millisecond'`,
    };
    const change = (column: string, value: string): Promise<unknown> =>
      api.sql(`UPDATE audit_event SET ${column} = ${value} WHERE tenant_id = $1 AND aud_id = $2`, [workspace.tenant_id, event.aud_id]);
    for (const { name, type } of columns) {
      const [before] = await api.sql<{ value: string | null }>(
        `SELECT ${name}::text AS value FROM audit_event WHERE tenant_id = $1 AND aud_id = $2`,
        [workspace.tenant_id, event.aud_id],
      );
      await change(name, other[type]!(name));
      expect({ name, verdict: await verify(workspace) }).toMatchObject({
        name,
        verdict: { valid: false, first_break: { seal_seq, kind: 'changed' } },
      });
      await api.sql(`UPDATE audit_event SET ${name} = $3::text::${type} WHERE tenant_id = $1 AND aud_id = $2`, [
        workspace.tenant_id,
        event.aud_id,
        before?.value ?? null,
      ]);
    }
    expect(await verify(workspace)).toMatchObject({ valid: true });
  });

  it('is listed newest first, narrowed, and read one by one', async () => {
    const workspace = await api.workspace();
    await record(workspace, ['red'], 'lantern.lit');
    await record(workspace, ['green'], 'lantern.moved');
    const all = await events('aud_type=lantern.*', workspace);
    expect(names(all)).toEqual(['green', 'red']);
    expect(names(await events('aud_type=lantern.lit', workspace))).toEqual(['red']);
    expect(names(await events('aud_type=lanter.*', workspace))).toEqual([]);
    expect(
      names(
        await events(
          `aud_target_type=lantern&aud_target_id=green&aud_actor=${workspace.owner.user_id}&aud_timestamp=${String(all.data[0]?.aud_timestamp)}`,
          workspace,
        ),
      ),
    ).toEqual(['green']);
    expect(names(await events(`aud_target_type=lantern&aud_actor=${newId()}`, workspace))).toEqual([]);
    expect(names(await events('aud_type=lantern.*&sort=aud_timestamp&limit=1', workspace))).toEqual(['red']);
    const first = await events('aud_type=lantern.*&limit=1', workspace);
    expect(first.has_more).toBe(true);
    expect(names(await events(`aud_type=lantern.*&limit=1&cursor=${first.next_cursor}`, workspace))).toEqual(['red']);
    const id = all.data[0]!.aud_id;
    expect((await workspace.owner.client.get(`${EVENTS}/${id}`).expect(200)).body).toEqual(all.data[0]);
    await theirs.owner.client.get(`${EVENTS}/${id}`).expect(404);
    await workspace.owner.client.get(`${EVENTS}/nothing`).expect(404);
    expect(names(await events('aud_type=lantern.*', theirs))).toEqual([]);
    for (const query of ['aud_type=lantern', 'aud_type=%2a', 'aud_actor=me', 'aud_target_name=red', 'aud_timestamp=today'])
      await workspace.owner.client.get(`${EVENTS}?${query}`).expect(400);
  });

  it('has a closed catalog of types, each with a sentence', async () => {
    const { data } = (await ours.owner.client.get(`${EVENTS}/types`).expect(200)).body as Page<{ aud_type: string; about: string }>;
    expect(data).toEqual(
      expect.arrayContaining([
        { aud_type: 'lantern.lit', about: 'A lantern was lit.' },
        expect.objectContaining({ aud_type: 'role.updated' }),
      ]),
    );
    expect(data.map(({ aud_type }) => aud_type)).toEqual(data.map(({ aud_type }) => aud_type).sort());
    await expect(
      inWorkspace(ours.tenant_id, () =>
        api.app
          .get(Database)
          .write(async () => api.app.get(Audit, { strict: false }).record({ type: 'lantern.sunk', target: { type: 'lantern', id: null } })),
      ),
    ).rejects.toThrow('lantern.sunk');
  });

  it('is open to those who may audit', async () => {
    const editor = await ours.member('editor');
    for (const path of [EVENTS, `${EVENTS}/types`, `${EVENTS}/${newId()}`, '/admin/audit-seals']) {
      expect((await editor.client.get(path).expect(403)).body).toMatchObject({
        code: 'permission_denied',
        detail: expect.stringContaining('admin:audit'),
      });
    }
    await editor.client.post(`${EVENTS}/verify`).expect(403);
  });

  it('keeps of a large change the sizes of its largest fields, and no secret', async () => {
    const before: JsonObject = { text: 'x'.repeat(20_000), note: 'a' };
    const after: JsonObject = { text: 'y', note: `key ${ours.owner.client.headers['X-Api-Key']}` };
    await inWorkspace(
      theirs.tenant_id,
      () =>
        api.app
          .get(Database)
          .write(async () =>
            api.app
              .get(Audit, { strict: false })
              .record({ type: TYPES['lantern.moved'], target: { type: 'lantern', id: 'large' }, ...changesBetween(before, after) }),
          ),
      actor(theirs),
    );
    expect((await events('aud_target_id=large', theirs)).data[0]).toMatchObject({
      aud_before: { text: { _truncated: true, _bytes: 20_002 }, note: 'a' },
      aud_after: { text: 'y', note: 'key [redacted]' },
    });
  });
});

describe('the seals', () => {
  it('are numbered without gaps, chained, and made only when something has happened', async () => {
    const workspace = await sealed();
    const made = await seals(workspace, 'sort=seal_seq');
    expect(made.map(({ seal_seq }) => seal_seq)).toEqual(made.map((_, index) => index + 1));
    made.forEach((one, index) => expect(one.seal_prev).toBe(made[index - 1]?.seal_root ?? null));
    expect(made.slice(-3).map(({ seal_count }) => seal_count)).toEqual([2, 2, 2]);
    await seal();
    expect(await seals(workspace)).toHaveLength(made.length);
    expect(await verify(workspace)).toEqual({
      seals: made.length,
      events: made.reduce((sum, { seal_count }) => sum + seal_count, 0),
      valid: true,
    });
  });

  it('are made once however many try, and leave no event out', async () => {
    const workspace = await api.workspace();
    const second = await startWorker(api);
    for (let round = 0; round < 5; round++) {
      await Promise.all([
        record(workspace, [`${round}`]),
        seal().catch(() => undefined),
        second
          .get(ScheduleHost)
          .runNow('governance.seal')
          .catch(() => undefined),
        record(workspace, [`${round}x`]),
      ]);
    }
    await seal();
    expect(await verify(workspace)).toMatchObject({ valid: true });
    expect((await events('aud_type=lantern.*', workspace)).data.filter(({ aud_seal }) => aud_seal === null)).toEqual([]);
  });

  it('can be proved by anybody from what the API answers: events, seals and the published keys', async () => {
    const workspace = await sealed();
    const { keys } = (await (await fetch(`${api.url}/.well-known/jwks.json`)).json()) as {
      keys: (JsonWebKey & { kid: string; alg: string; d?: string })[];
    };
    for (const one of await seals(workspace)) {
      const [header = '', payload, signature = ''] = one.seal_signature.split('.');
      const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string; kid: string };
      const key = keys.find((published) => published.kid === kid);
      expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg, use: 'sig' });
      expect(key).not.toHaveProperty('d');
      expect(payload).toBe('');
      const {
        seal_signature: _,
        seal_removed: __,
        seal_redacted: ___,
        seal_redacted_root: ____,
        seal_redacted_signature: _____,
        ...statement
      } = one;
      const text = canonicalize({ ...statement, tenant_id: workspace.tenant_id }) ?? '';
      expect(
        verifySignature(
          null,
          Buffer.from(`${header}.${Buffer.from(text).toString('base64url')}`),
          createPublicKey({ key: key as JsonWebKey, format: 'jwk' }),
          Buffer.from(signature, 'base64url'),
        ),
      ).toBe(true);

      const under = (await events('sort=aud_timestamp&limit=1000', workspace)).data
        .filter(({ aud_seal }) => aud_seal === one.seal_id)
        .sort((a, b) => (a.aud_id < b.aud_id ? -1 : 1));
      const hash = createHash('sha256');
      for (const { aud_seal: ___, ...event } of under) hash.update(`${canonicalize({ ...event, tenant_id: workspace.tenant_id })}\n`);
      expect(hash.digest('hex')).toBe(one.seal_root);
    }
  });

  it('keep the private part of their key sealed at rest', async () => {
    const [row] = await api.sql<{ row: string }>('SELECT seal_key::text AS row FROM seal_key');
    expect(row?.row).not.toContain('PRIVATE KEY');
    await expect(api.sqlAsService('SELECT * FROM seal_key')).rejects.toThrow('permission denied');
  });
});

describe('a trail that was tampered with', () => {
  /** The verdict after a statement that somebody with every right has run; `$1` is the workspace. */
  async function after(statement: string): Promise<Verdict & { readonly count: number }> {
    const workspace = await sealed();
    const count = (await seals(workspace)).length;
    await api.sql(statement, [workspace.tenant_id]);
    return { ...(await verify(workspace)), count };
  }
  const EVENT = `(SELECT aud_id FROM audit_event WHERE tenant_id = $1 AND aud_target_id = '2a')`;
  const SEAL = `(SELECT aud_seal FROM audit_event WHERE tenant_id = $1 AND aud_target_id = '2a')`;

  it.each([
    ['changed', 'a changed event', `UPDATE audit_event SET aud_actor_name = 'Somebody' WHERE tenant_id = $1 AND aud_id = ${EVENT}`, -1],
    [
      'changed',
      'an event of another day',
      `UPDATE audit_event SET aud_timestamp = aud_timestamp - interval '1 day' WHERE tenant_id = $1 AND aud_id = ${EVENT}`,
      -1,
    ],
    ['missing', 'an event that is gone', `DELETE FROM audit_event WHERE tenant_id = $1 AND aud_id = ${EVENT}`, -1],
    ['missing', 'an event taken from its seal', `UPDATE audit_event SET aud_seal = NULL WHERE tenant_id = $1 AND aud_id = ${EVENT}`, -1],
    ['missing', 'the newest event gone', `DELETE FROM audit_event WHERE tenant_id = $1 AND aud_target_id = '3b'`, 0],
    [
      'inserted',
      'an event put in',
      `INSERT INTO audit_event (tenant_id, aud_id, aud_type, aud_actor_kind, aud_target_type, aud_seal) SELECT $1, gen_random_uuid(), 'lantern.lit', 'person', 'lantern', ${SEAL}`,
      -1,
    ],
    ['chain', 'a seal that is gone', `DELETE FROM audit_seal WHERE tenant_id = $1 AND seal_id = ${SEAL}`, -1],
    [
      'chain',
      'the newest seal gone',
      `DELETE FROM audit_seal WHERE tenant_id = $1 AND seal_seq = (SELECT max(seal_seq) FROM audit_seal WHERE tenant_id = $1)`,
      0,
    ],
    ['chain', 'the first seal gone', `DELETE FROM audit_seal WHERE tenant_id = $1 AND seal_seq = 1`, 'first'],
    ['signature', 'another count', `UPDATE audit_seal SET seal_count = seal_count + 1 WHERE tenant_id = $1 AND seal_id = ${SEAL}`, -1],
    ['signature', 'another root', `UPDATE audit_seal SET seal_root = repeat('0', 64) WHERE tenant_id = $1 AND seal_id = ${SEAL}`, -1],
    [
      'signature',
      'the signature of another seal',
      `UPDATE audit_seal SET seal_signature = (SELECT s.seal_signature FROM audit_seal s WHERE s.tenant_id = $1 AND s.seal_seq = 1) WHERE tenant_id = $1 AND seal_id = ${SEAL}`,
      -1,
    ],
    [
      'missing',
      'an event gone, and a seal that says so too early',
      `WITH gone AS (DELETE FROM audit_event WHERE tenant_id = $1 AND aud_id = ${EVENT}) UPDATE audit_seal SET seal_removed = now() WHERE tenant_id = $1 AND seal_id = ${SEAL}`,
      -1,
    ],
  ] as const)('shows its first break, %s, for %s', async (kind, _what, statement, place) => {
    const { valid, first_break, count } = await after(statement);
    expect({ valid, first_break }).toEqual({ valid: false, first_break: { seal_seq: place === 'first' ? 1 : count + place, kind } });
  });

  it('is verified in a range of time as well', async () => {
    const workspace = await sealed();
    const made = await seals(workspace, 'sort=seal_seq');
    await api.sql(`DELETE FROM audit_event WHERE tenant_id = $1 AND aud_target_id = '1a'`, [workspace.tenant_id]);
    const last = made.at(-1)!;
    expect(await verify(workspace, { from: last.seal_from })).toEqual({ seals: 1, events: 2, valid: true });
    expect(await verify(workspace, { to: last.seal_to })).toMatchObject({ valid: false, first_break: { kind: 'missing' } });
    expect(await verify(workspace, { from: '2099-01-01T00:00:00Z' })).toEqual({ seals: 0, events: 0, valid: true });
    for (const body of [{ from: 'yesterday' }, { until: last.seal_to }])
      await workspace.owner.client.post(`${EVENTS}/verify`, body).expect(400);
  });

  it('is not one whose old events went by retention: whole seals say so', async () => {
    const workspace = await api.workspace();
    await record(workspace, ['old', 'older']);
    await api.sql(`UPDATE audit_event SET aud_timestamp = aud_timestamp - interval '800 days' WHERE tenant_id = $1`, [workspace.tenant_id]);
    await seal();
    await record(workspace, ['new']);
    await seal();
    const purge = async (): Promise<unknown> =>
      (
        await api.sqlAsService<{ removed: number }>(`SELECT audit_purge($1, now() - interval '700 days', 1000) AS removed`, [
          workspace.tenant_id,
        ])
      )[0]?.removed;
    const before = (await events('', workspace)).data.length;
    expect(await purge()).toBe(before - 1);
    expect(await purge()).toBe(0);
    expect(names(await events('', workspace))).toEqual(['new']);
    expect(await verify(workspace)).toEqual({ seals: 2, events: 1, valid: true });
    expect((await seals(workspace)).map(({ seal_removed }) => seal_removed)).toEqual([null, expect.any(String)]);
  });

  it('of very many events is verified by a job', async () => {
    const workspace = await sealed();
    // A million events are too many for a test: the seal says there are, so that the job is asked for and finds them missing.
    await api.sql('UPDATE audit_seal SET seal_count = 1000001 WHERE tenant_id = $1 AND seal_seq = 1', [workspace.tenant_id]);
    const answer = await workspace.owner.client.post(`${EVENTS}/verify`).expect(202);
    const { job_id } = answer.body as { job_id: string };
    expect(answer.headers.location).toBe(`/api/v1/jobs/${job_id}`);
    const done = await eventually(
      async () => (await workspace.owner.client.get(`/jobs/${job_id}`).expect(200)).body as { status: string; result: Verdict },
      ({ status }) => status === 'completed' || status === 'failed',
    );
    expect(done).toMatchObject({ status: 'completed', result: { valid: false, first_break: { seal_seq: 1, kind: 'signature' } } });
  });
});

describe('the tables of the trail', () => {
  it('[governance 25] cannot be changed by the service', async () => {
    for (const statement of [
      'UPDATE audit_event SET aud_type = aud_type',
      'DELETE FROM audit_event',
      'UPDATE audit_seal SET seal_root = seal_root',
      'DELETE FROM audit_seal',
      'INSERT INTO audit_seal DEFAULT VALUES',
      'UPDATE access_log SET log_status = 200',
      'DELETE FROM access_log',
      'UPDATE usage_entry SET usage_details = usage_details',
      'DELETE FROM usage_entry',
      'UPDATE credit_ledger SET led_note = led_note',
      'DELETE FROM credit_ledger',
      'TRUNCATE access_log',
      'TRUNCATE audit_event',
      'SELECT FROM audit_event_default',
      'SELECT FROM usage_entry_default',
    ]) {
      await expect(api.sqlAsService(statement)).rejects.toThrow(/permission denied/);
    }
    const changeable = await api.sql(
      `SELECT part::text AS part FROM unnest($1::text[]) name, LATERAL (SELECT name::regclass UNION SELECT relid FROM pg_partition_tree(name::regclass)) AS parts(part)
       WHERE has_any_column_privilege('atrium_app', part, 'UPDATE') OR has_table_privilege('atrium_app', part, 'DELETE, TRUNCATE')`,
      [['audit_event', 'audit_seal', 'access_log', 'usage_entry', 'credit_ledger']],
    );
    expect(changeable).toEqual([]);
  });
});
