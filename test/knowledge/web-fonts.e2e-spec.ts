import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
});
afterAll(() => api.close());

const fonts = async (
  query: string,
  client = ours.owner.client,
): Promise<{ data: { family: string; category: string }[]; has_more: boolean; next_cursor: string | null }> =>
  (await client.get(`/web-fonts${query}`).expect(200)).body;

describe('the catalog of web fonts', () => {
  it('[knowledge 18] lists known families by category, answers 304 to who has it, and is the same in every workspace', async () => {
    const { client } = ours.owner;
    const first = await client.get('/web-fonts?category=monospace&limit=1000').expect(200);
    expect(first.body.data).toContainEqual({ family: 'JetBrains Mono', category: 'monospace' });
    expect(new Set((first.body.data as { category: string }[]).map(({ category }) => category))).toEqual(new Set(['monospace']));
    await client
      .with({ 'If-None-Match': first.headers['etag'] ?? '' })
      .get('/web-fonts?category=monospace&limit=1000')
      .expect(304);
    const other = await api.workspace();
    expect(await fonts('?category=monospace&limit=1000', other.owner.client)).toEqual(first.body);
  });

  it('is read page by page in the order of the names, and as a whole', async () => {
    const page = await fonts('');
    expect(page).toMatchObject({ has_more: true });
    expect(page.data).toHaveLength(50);
    const next = await fonts(`?cursor=${page.next_cursor ?? ''}`);
    const all = await fonts('?limit_extended=10000');
    expect(all.data.slice(0, 100)).toEqual([...page.data, ...next.data]);
    expect(all.data.length).toBeGreaterThan(1_500);
    expect(all).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('is searched by a part of the name', async () => {
    const { data } = await fonts('?q=jetbrains');
    expect(data).toEqual([{ family: 'JetBrains Mono', category: 'monospace' }]);
    expect((await fonts('?q=%25')).data).toEqual([]);
  });

  it('refuses what it does not know, and who may not read knowledge', async () => {
    await ours.owner.client.get('/web-fonts?category=comic').expect(400);
    await ours.owner.client.get('/web-fonts?weight=bold').expect(400);
    const stranger = await ours.member('viewer', ['media:view']);
    await stranger.client.get('/web-fonts').expect(403);
  });
});
