import { newId } from '@atrium/platform/kernel';
import type { RunningApi } from '@atrium/platform/testing';
import { nodesOf, rowsRead, sentDuring, type SentStatement } from '../support/sent-statements';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { orderOf, over, personIn, type PrivacyRequest } from './asking-for-data';

const ALBUMS = 10_500;
const AT_ONCE = 1_000;

let api: RunningApi;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
afterAll(() => api.close());

describe('what stays of a person in a table', () => {
  it('is counted in stretches of it, each of which reads no more than its rows', async () => {
    const ours = await api.workspace();
    const { client } = ours.owner;
    const ida = await personIn(api, ours, 'ida@quay.example', 'Ida Quay');
    await api.sql(
      `INSERT INTO album (tenant_id, album_id, album_name, album_created_by)
       SELECT $1, n.id, 'Pier ' || n.place, CASE WHEN n.place % 7 = 0 THEN $2::uuid END FROM unnest($3::uuid[]) WITH ORDINALITY n (id, place)`,
      [ours.tenant_id, ida.user_id, Array.from({ length: ALBUMS }, () => newId())],
    );
    let ended: PrivacyRequest | undefined;
    const sent = await sentDuring(api, async () => {
      const order = { dsr_kind: 'erasure', dsr_subject_type: 'user', dsr_subject: ida.user_id, execute_after_days: 0 };
      ended = await over(client, (await orderOf(client, order)).dsr_id);
    });
    expect(ended).toMatchObject({ dsr_status: 'completed', dsr_report: { media: { album: { kept: ALBUMS / 7 } } } });
    const counts = sent.filter(({ text }) => text.includes('stretch') && text.includes('AS held') && text.includes('FROM "album" r'));
    expect(counts).toHaveLength(Math.ceil(ALBUMS / AT_ONCE));
    await api.sql('ANALYZE album');
    const reads = await Promise.all(counts.map(async (one: SentStatement) => rowsRead(await nodesOf(api, ours.tenant_id, one), 'album')));
    expect(Math.max(...reads)).toBeLessThanOrEqual(2 * AT_ONCE);
  }, 120_000);
});
