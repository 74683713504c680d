import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { startAtrium, startWorker } from '../support/api';
import { MailServer } from './mail-server';
import { operatorOf, OPERATOR_TOKENS, type OperatorClient } from '../support/operating';
import { bearing, signIn } from './signing-in';

jest.setTimeout(60_000);

const server = new MailServer();

let api: RunningApi;
let worker: INestApplicationContext;
let operator: OperatorClient;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium({ OPERATOR_TOKENS, SMTP_URL: await server.start(), MAIL_FROM: 'Atrium <atrium@mail.example>' });
  worker = await startWorker(api);
  operator = operatorOf(api);
  workspace = await api.workspace();
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const sweep = (): Promise<void> => worker.get(ScheduleHost, { strict: false }).runNow('identity.sweep');
const told = (name: string, of: string): Promise<{ name: string; days: number }[]> =>
  api.sql(
    `SELECT ev_name AS name, (ev_payload ->> 'days')::int AS days FROM outbox WHERE tenant_id = $1 AND ev_kind = 'event' AND ev_name LIKE $2 AND ($3 IN (ev_subject::text, ev_payload ->> 'lic_module')) ORDER BY ev_created, days DESC`,
    [workspace.tenant_id, name, of],
  );

describe('the sweep', () => {
  it('reports a key that expires, 7 days before, a day before and when it has, each once and by mail while it can be renewed; a new end is reported again', async () => {
    const { key_id, email } = await workspace.member('viewer');
    const ends = async (when: string): Promise<void> => {
      await api.sql(`UPDATE api_key SET key_expires_at = now() + $2::interval WHERE tenant_id = $1 AND key_id = $3`, [
        workspace.tenant_id,
        when,
        key_id,
      ]);
      await Promise.all([sweep(), sweep()]);
      await sweep();
    };
    const seen = (): Promise<object[]> => told('api_key.expir%', key_id);
    await ends('8 days');
    expect(await seen()).toEqual([]);
    const announced: object[] = [];
    for (const [when, name, days] of [
      ['6 days', 'api_key.expiring', 7],
      ['20 hours', 'api_key.expiring', 1],
      ['-1 second', 'api_key.expired', 0],
    ] as const) {
      await ends(when);
      announced.push({ name, days });
      expect(await seen()).toEqual(announced);
    }
    await ends('5 days');
    expect((await seen()).length).toBe(4);
    const mails = await eventually(
      () => Promise.resolve(server.to(email)),
      ({ length }) => length >= 1,
    );
    expect(mails.at(-1)?.mail.text).toContain('The key test (atk_');
  });

  it('reports a licence that has expired, once; one that was ended by hand was reported then', async () => {
    const path = `/workspaces/${workspace.tenant_id}/modules`;
    await operator.put(`${path}/module-design`, { lic_expires_at: new Date(Date.now() + 6 * 86_400_000).toISOString() }).expect(200);
    await operator.put(`${path}/module-ppt`).expect(200);
    await operator.delete(`${path}/module-ppt`).expect(204);
    await sweep();
    await api.sql(`UPDATE licence SET lic_expires_at = now() - interval '1 second' WHERE tenant_id = $1 AND lic_module = 'module-design'`, [
      workspace.tenant_id,
    ]);
    await Promise.all([sweep(), sweep()]);
    await sweep();
    expect((await told('license.expir%', 'module-design')).map(({ name }) => name)).toEqual(['license.expiring', 'license.expired']);
    expect(await told('license.expir%', 'module-ppt')).toEqual([]);
    expect((await told('license.revoked', 'module-ppt')).length).toBe(1);
  });

  it('ends sessions whose time is over, forgets old ones, spent overlaps of rotations and retired signing keys', async () => {
    const tokens = await signIn(api, workspace.owner.email);
    const client = bearing(api, tokens.access_token, workspace.tenant_id);
    await client.get('/me').expect(200);
    await sweep();
    await client.get('/me').expect(200);
    await api.sql(`UPDATE account_session SET ses_expires_at = now() - interval '1 second' WHERE acc_id = $1`, [tokens.user.user_id]);
    await sweep();
    const sessions = () =>
      api.sql<{ ended: boolean }>('SELECT ses_ended_at IS NOT NULL AS ended FROM account_session WHERE acc_id = $1', [tokens.user.user_id]);
    expect(await sessions()).toEqual([{ ended: true }]);
    await client.get('/me').expect(401);
    await api.sql(`UPDATE account_session SET ses_ended_at = now() - interval '31 days' WHERE acc_id = $1`, [tokens.user.user_id]);
    await api.sql(`UPDATE api_key SET key_prev_hash = 'x', key_prev_expires_at = now() - interval '1 second' WHERE tenant_id = $1`, [
      workspace.tenant_id,
    ]);
    await operator.post('/signing-keys/rotate').expect(200);
    await sweep();
    expect(await api.sql(`SELECT 1 FROM signing_key WHERE sk_state = 'retired'`)).toHaveLength(1);
    await api.sql(`UPDATE signing_key SET sk_retired_at = now() - interval '26 hours' WHERE sk_state = 'retired'`);
    await sweep();
    expect(await sessions()).toEqual([]);
    expect(await api.sql('SELECT 1 FROM api_key WHERE key_prev_hash IS NOT NULL')).toEqual([]);
    expect(await api.sql(`SELECT 1 FROM signing_key WHERE sk_state = 'retired'`)).toEqual([]);
  });
});
