import { SearchContext, SearchMoments, SearchFields, type SearchLeaf } from '@atrium/files';
import { inWorkspace, type Sql } from '@atrium/platform/database';
import type { Principal } from '@atrium/platform/access';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { foundBy, makeGroup, makeTag, note, setTags } from './tagging';

const COMMON = 40_000;

let api: RunningApi;
let ours: TestWorkspace;
let file: string;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
  const { client } = ours.owner;
  const group = await makeGroup(client, { mtg_name: 'Place' });
  const tags = [
    await makeTag(client, { mt_group: group, mt_value: 'Common' }),
    await makeTag(client, { mt_group: group, mt_value: 'Usual' }),
    await makeTag(client, { mt_group: group, mt_value: 'Rare' }),
  ];
  file = await note(client);
  await setTags(client, file, { Place: ['Common', 'Usual', 'Rare'] }).expect(200);
  // Rows of files that are not there, and counts of their own: this database is the test's own.
  await api.sql('ALTER TABLE file_tag DROP CONSTRAINT file_tag_tenant_id_ft_file_fkey');
  await api.sql('ALTER TABLE file_tag DISABLE TRIGGER USER');
  for (const [at, count] of [COMMON, COMMON / 2, 50].entries()) {
    await api.sql(
      `INSERT INTO file_tag (tenant_id, ft_tag, ft_file, ft_group) SELECT $1, $2, gen_random_uuid(), $3 FROM generate_series(1, $4)`,
      [ours.tenant_id, tags[at], group, count],
    );
    await api.sql('UPDATE media_tag SET mt_file_count = $3 WHERE tenant_id = $1 AND mt_id = $2', [ours.tenant_id, tags[at], count + 1]);
  }
  // And a vocabulary as workspaces have it: PostgreSQL plans by how many tags there are.
  await api.sql(
    `WITH words AS (INSERT INTO media_tag (tenant_id, mt_id, mt_group, mt_value) SELECT $1, gen_random_uuid(), $2, 'Word ' || n FROM generate_series(1, 500) n RETURNING mt_id)
     INSERT INTO file_tag (tenant_id, ft_tag, ft_file, ft_group) SELECT $1, mt_id, gen_random_uuid(), $2 FROM words, generate_series(1, 100)`,
    [ours.tenant_id, group],
  );
  await api.sql('ANALYZE file_tag');
  await api.sql('ANALYZE media_tag');
}, 120_000);
afterAll(() => api.close());

/** The statement by which the search finds files through tags. */
async function lookup(leaf: SearchLeaf): Promise<Sql> {
  const field = (await api.app.get(SearchFields, { strict: false }).findFields(['tag'])).get('tag');
  const reader = { user_id: ours.owner.user_id } as Principal;
  const statement = await inWorkspace(ours.tenant_id, () =>
    Promise.resolve(field?.candidateQuery?.(leaf, new SearchContext('media', reader, new SearchMoments(new Date())), 10_001)),
  );
  if (!statement) throw new Error('Tags are found by a statement of their own.');
  return statement;
}

describe('three tags of which a file has to bear each', () => {
  const leaf: SearchLeaf = { field: 'tag', op: 'has_all', value: ['Common', 'Usual', 'Rare'].map((value) => ({ group: 'Place', value })) };

  it('are looked for along an index that begins with the tag or its group, the rarest first, and no row of the others is read but those of its files', async () => {
    const { text, values } = await lookup(leaf);
    const explained = await api.sql<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, TIMING OFF, BUFFERS OFF) ${text}`, [...values]);
    const plan = explained.map((line) => line['QUERY PLAN']).join('\n');
    expect(plan).not.toMatch(/Seq Scan on file_tag/);
    expect(plan).toMatch(/(using|on) file_tag_(pkey|group)[^\n]*\(actual rows=51(\.00)? loops=1\)/);
    const asService = await api.sqlAsService<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [...values]);
    expect(asService.map((line) => line['QUERY PLAN']).join('\n')).not.toMatch(/Seq Scan on file_tag/);
  });

  it('find the files that bear them all', async () => {
    expect(await foundBy(ours.owner.client, { where: { field: leaf.field, op: leaf.op, value: leaf.value } })).toEqual([file]);
  });
});
