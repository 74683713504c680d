import type { RunningApi } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { ask, asAdmin } from './asking';
import { makeUpRow } from './made-up-rows';

let api: RunningApi;

beforeAll(async () => {
  api = await sharedAtrium();
});
afterAll(() => api.close());

/** A statement of a host of the previous release, as its role and in its workspace. */
const askFormerly = (tenant: string, text: string, values: readonly unknown[]): Promise<object[]> =>
  ask<object>(api.database.appUrl, text, { values, tenant });

describe('a host of the previous release', () => {
  it('takes what is to be reported of its workspace under the former name of the table', async () => {
    const [ours, theirs] = [await api.workspace(), await api.workspace()];
    for (const { tenant_id } of [ours, theirs]) {
      await makeUpRow(asAdmin(api.database), 'usage_unreported', { tenant_id });
      await api.sql('UPDATE usage_unreported SET usage_entries = 3, usage_consumed_credits = 2 WHERE tenant_id = $1', [tenant_id]);
    }
    const takenBy = (host: string, tenant_id: string): Promise<object[]> =>
      askFormerly(
        host,
        `WITH mine AS MATERIALIZED (SELECT usage_param FROM usage_untold WHERE tenant_id = $1 ORDER BY usage_param FOR UPDATE),
              taken AS (DELETE FROM usage_untold u USING mine WHERE u.tenant_id = $1 AND u.usage_param = mine.usage_param RETURNING u.*)
         SELECT unt_from IS NOT NULL AS has_from, unt_to IS NOT NULL AS has_to, usage_entries::integer, (sum(usage_consumed_credits) OVER ())::integer AS all_credits
         FROM taken ORDER BY usage_param`,
        [tenant_id],
      );
    expect(await takenBy(ours.tenant_id, theirs.tenant_id)).toEqual([]);
    expect(await takenBy(ours.tenant_id, ours.tenant_id)).toEqual([{ has_from: true, has_to: true, usage_entries: 3, all_credits: 2 }]);
    const left = await api.sql('SELECT tenant_id FROM usage_unreported WHERE tenant_id = ANY ($1)', [[ours.tenant_id, theirs.tenant_id]]);
    expect(left).toEqual([{ tenant_id: theirs.tenant_id }]);
  });

  it('remembers retention checks under the former name of the table', async () => {
    const [ours, theirs] = [await api.workspace(), await api.workspace()];
    const foundNothing = (host: string, [tenant_id, date, key]: readonly [string, string, string]): Promise<object[]> =>
      askFormerly(
        host,
        `INSERT INTO retention_look AS l (tenant_id, look_date, look_keys) VALUES ($1, $2::date, ARRAY[$3])
         ON CONFLICT (tenant_id) DO UPDATE SET look_keys = CASE WHEN l.look_date = excluded.look_date THEN l.look_keys ELSE '{}' END || excluded.look_keys, look_date = excluded.look_date`,
        [tenant_id, date, key],
      );
    await foundNothing(theirs.tenant_id, [theirs.tenant_id, '2000-01-01', 'trash']);
    for (const key of ['trash', 'access_log']) await foundNothing(ours.tenant_id, [ours.tenant_id, '2000-01-01', key]);
    await expect(foundNothing(ours.tenant_id, [theirs.tenant_id, '2000-01-02', 'trash'])).rejects.toThrow('row-level security');
    expect(await askFormerly(ours.tenant_id, 'SELECT tenant_id, look_keys FROM retention_look', [])).toEqual([
      { tenant_id: ours.tenant_id, look_keys: ['trash', 'access_log'] },
    ]);
    expect(await api.sql('SELECT check_keys FROM retention_check WHERE tenant_id = $1', [theirs.tenant_id])).toEqual([
      { check_keys: ['trash'] },
    ]);
  });

  it('remembers how far consents have expired under the former name of the table, and never goes back', async () => {
    const [ours, theirs] = [await api.workspace(), await api.workspace()];
    const source = 'faces';
    const remember = (tenant_id: string, at: string): Promise<object[]> =>
      askFormerly(
        tenant_id,
        `INSERT INTO consent_look (tenant_id, cl_source, cl_at, cl_id, cl_file) VALUES ($1::uuid, $2, $3, $4::uuid, $5::uuid)
         ON CONFLICT (tenant_id, cl_source) DO UPDATE SET cl_at = excluded.cl_at, cl_id = excluded.cl_id, cl_file = excluded.cl_file
         WHERE (consent_look.cl_at, consent_look.cl_id, consent_look.cl_file) < (excluded.cl_at, excluded.cl_id, excluded.cl_file)`,
        [tenant_id, source, at, '0190a8c4-0000-7000-8000-000000000001', '0190a8c4-0000-7000-8000-000000000002'],
      );
    await remember(theirs.tenant_id, '2021-01-01T00:00:00Z');
    for (const at of ['2022-01-01T00:00:00Z', '2023-01-01T00:00:00Z', '2020-01-01T00:00:00Z']) await remember(ours.tenant_id, at);
    expect(await askFormerly(ours.tenant_id, `SELECT cl_at FROM consent_look WHERE cl_source = $1`, [source])).toEqual([
      { cl_at: new Date('2023-01-01T00:00:00Z') },
    ]);
    expect(await api.sql('SELECT cl_at FROM consent_expiry_position WHERE tenant_id = $1', [theirs.tenant_id])).toEqual([
      { cl_at: new Date('2021-01-01T00:00:00Z') },
    ]);
  });
});
