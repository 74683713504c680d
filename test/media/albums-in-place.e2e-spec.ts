import { eventually, type RunningApi } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;

beforeAll(async () => {
  api = await sharedAtrium();
}, 60_000);
afterAll(() => api.close());

interface Updates {
  readonly all: number;
  readonly hot: number;
}

/** Updates of rows of albums in this database, and how many of them wrote no index. */
async function updates(): Promise<Updates> {
  const [row] = await api.sql<Updates>(
    "SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables WHERE relname = 'album'",
  );
  return row ?? { all: 0, hot: 0 };
}

describe('the count of files of an album', () => {
  it('changes in place: no index is written for a column that none holds', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    const { tenant_id } = workspace;
    // A page is full after some twenty albums: beside their neighbours they find room only if some was left.
    await api.sql(
      `INSERT INTO album (tenant_id, album_id, album_name, album_description) SELECT $1, gen_random_uuid(), 'Album ' || n, repeat('word ', 40) FROM generate_series(1, 300) n`,
      [tenant_id],
    );
    const files = await Promise.all([1, 2, 3].map((n) => storeFile(api, workspace, { name: `${n}.txt` })));
    const before = await updates();
    const albums = await api.sql<{ album_id: string }>('SELECT album_id FROM album WHERE tenant_id = $1 ORDER BY album_id LIMIT 30', [
      tenant_id,
    ]);
    for (const { album_id } of albums)
      await client.post(`/albums/${album_id}/files`, { file_ids: files.map(({ file_id }) => file_id) }).expect(200);
    const after = await eventually(updates, ({ all }) => all >= before.all + albums.length);
    expect(after.hot - before.hot).toBeGreaterThanOrEqual((after.all - before.all) * 0.9);
  }, 60_000);
});
