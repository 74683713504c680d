import { Database, inWorkspace, sql } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi } from '@atrium/platform/testing';
import { PersonCatalog } from '../../libs/governance/src/privacy/infrastructure/person-catalog.rows';
import { PersonMentions, type Staying } from '../../libs/governance/src/privacy/infrastructure/person-mentions.rows';
import type { Position, Stretch } from '../../libs/governance/src/privacy/infrastructure/person-rows';
import { nodesOf, rowsRead, sentDuring } from '../support/sent-statements';
import { sharedAtrium } from '../support/shared-atrium';

const ALBUMS = 1_050;
const AT_ONCE = 100;

let api: RunningApi;

beforeAll(async () => {
  api = await sharedAtrium();
}, 120_000);
afterAll(() => api.close());

describe('what stays of a person in a table', () => {
  it('is counted in stretches of it, each of which reads no more than its rows', async () => {
    const ours = await api.workspace();
    const { user_id } = ours.owner;
    await api.sql(
      `INSERT INTO album (tenant_id, album_id, album_name, album_created_by)
       SELECT $1, n.id, CASE WHEN n.place % 5 = 0 THEN 'Letter ida@quay.example ' ELSE 'Pier ' END || n.place, CASE WHEN n.place % 7 = 0 THEN $2::uuid END
       FROM unnest($3::uuid[]) WITH ORDINALITY n (id, place)`,
      [ours.tenant_id, user_id, Array.from({ length: ALBUMS }, () => newId())],
    );
    const db = api.app.get(Database);
    const mentions = new PersonMentions(db, new PersonCatalog(db));
    const staying = { columns: [{ column: 'album_created_by', subject: 'user' as const }], texts: ['album_name'] };
    const leaving = { columns: [], texts: ['album_name'] };
    const person = { user_id, email: 'ida@quay.example', name: null };
    const total = { owned: 0, mentioned: 0, held: 0 };
    const hold = sql`CASE WHEN r.album_name LIKE 'Letter %0' THEN 'A dispute' END`;
    const sent = await sentDuring(api, () =>
      inWorkspace(ours.tenant_id, async () => {
        for (let after: Position | null = null; ;) {
          const { found, next }: Stretch<Staying> = await mentions.count('album', { staying, leaving }, person, {
            after,
            limit: AT_ONCE,
            hold,
          });
          total.owned += found.owned;
          total.mentioned += found.mentioned;
          total.held += found.held;
          if (next === null) return;
          after = next;
        }
      }),
    );
    expect(total).toEqual({ owned: ALBUMS / 7, mentioned: ALBUMS / 5, held: ALBUMS / 10 });
    const counts = sent.filter(({ text }) => text.includes('stretch'));
    expect(counts).toHaveLength(Math.ceil(ALBUMS / AT_ONCE));
    const last = counts.at(-2);
    if (!last) throw new Error('Nothing was counted.');
    await api.sql('ANALYZE album');
    expect(rowsRead(await nodesOf(api, ours.tenant_id, last), 'album')).toBeLessThanOrEqual(2 * AT_ONCE);
  }, 120_000);
});
