import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SearchFields } from '@atrium/files';
import type { RunningApi } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { SearchWorld, type SearchPair } from './search-world';

const PAIRS = readdirSync(__dirname)
  .filter((file) => file.endsWith('.pairs.ts'))
  .flatMap((file) => jest.requireActual<{ readonly PAIRS: readonly SearchPair[] }>(join(__dirname, file)).PAIRS);

let api: RunningApi;
let world: SearchWorld;

beforeAll(async () => {
  api = await sharedAtrium();
  world = await SearchWorld.in(api, await api.workspace(['module-documents']));
});
afterAll(() => api.close());

describe('[files 16] every field and operator of the search language', () => {
  it('has a positive and a negative case', () => {
    const fields = api.app.get(SearchFields, { strict: false });
    const wanted = [
      ...fields.all().flatMap(({ name, operators }) => Object.keys(operators).map((op) => `${name} ${op}`)),
      ...fields.allFamilies().flatMap(({ name, examples }) => Object.keys(examples).map((op) => `${name} ${op}`)),
    ];
    const shown = new Set(PAIRS.map(({ field, op }) => `${field} ${op}`));
    expect(wanted.filter((pair) => !shown.has(pair))).toEqual([]);
  });

  it('reads its own examples', async () => {
    for (const { name, scopes, examples, operators } of api.app.get(SearchFields, { strict: false }).all()) {
      for (const op of Object.keys(operators)) {
        const leaf = { field: name, op, ...(operators[op]?.value === null ? {} : { value: examples[op] }) };
        const answer = await world.workspace.owner.client.post('/saved-searches/preview', {
          sq_scope: scopes[0],
          sq_query: { where: leaf },
          limit: 1,
        });
        expect([leaf, answer.status, answer.body.errors]).toEqual([leaf, 200, undefined]);
      }
    }
  });

  it.each(PAIRS.map((pair) => [`${pair.field} ${pair.op}`, pair] as const))(
    '%s',
    async (_, { field, op, as = field, scope = 'media', arrange }) => {
      const { value, hit, miss } = await arrange(world);
      const leaf = { field: as, op, ...(value === undefined ? {} : { value }) };
      const among = async (file_id: string, where: object): Promise<boolean> => {
        const answer = await world.workspace.owner.client
          .post('/saved-searches/preview', {
            sq_scope: scope,
            sq_query: { where: { all: [where, { field: 'metadata.system.probe', op: 'eq', value: file_id }] } },
          })
          .expect(200);
        expect(answer.body.count).toBe(answer.body.data.length);
        return (answer.body.data as { file_id: string }[]).some((row) => row.file_id === file_id);
      };
      await api.sql(
        `UPDATE file SET file_metadata = jsonb_set(file_metadata, '{system}', coalesce(file_metadata -> 'system', '{}') || jsonb_build_object('probe', file_id)) WHERE file_id = ANY($1::uuid[])`,
        [[hit, miss]],
      );
      expect([await among(hit, leaf), await among(miss, leaf)]).toEqual([true, false]);
      expect([await among(hit, { not: leaf }), await among(miss, { not: leaf })]).toEqual([false, true]);
    },
  );
});
