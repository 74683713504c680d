import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SearchFields } from '@atrium/files';
import type { RunningApi } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { SearchWorld, type SearchPair } from './search-world';

const PAIRS = readdirSync(__dirname)
  .filter((file) => file.endsWith('.pairs.ts'))
  .flatMap((file) => jest.requireActual<{ readonly PAIRS: readonly SearchPair[] }>(join(__dirname, file)).PAIRS);

/** Examples that are asked for in one query. */
const AT_ONCE = 10;

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
      ...fields.listFields().flatMap(({ name, operators }) => Object.keys(operators).map((op) => `${name} ${op}`)),
      ...fields.listFamilies().flatMap(({ name, examples }) => Object.keys(examples).map((op) => `${name} ${op}`)),
    ];
    const shown = new Set(PAIRS.map(({ field, op }) => `${field} ${op}`));
    expect(wanted.filter((pair) => !shown.has(pair))).toEqual([]);
  });

  it('reads its own examples', async () => {
    const leaves = api.app
      .get(SearchFields, { strict: false })
      .listFields()
      .flatMap(({ name, scopes, examples, operators }) =>
        Object.keys(operators).map((op) => ({
          scope: scopes[0],
          leaf: { field: name, op, ...(operators[op]?.value === null ? {} : { value: examples[op] }) },
        })),
      );
    for (const scope of new Set(leaves.map((one) => one.scope))) {
      const own = leaves.filter((one) => one.scope === scope).map(({ leaf }) => leaf);
      for (let from = 0; from < own.length; from += AT_ONCE) {
        const any = own.slice(from, from + AT_ONCE);
        const question = { sq_scope: scope, sq_query: { where: { any } }, limit: 1 };
        const answer = await world.workspace.owner.client.post('/saved-searches/preview', question);
        expect([any, answer.status, answer.body.errors]).toEqual([any, 200, undefined]);
      }
    }
  });

  it.each(PAIRS.map((pair) => [`${pair.field} ${pair.op}`, pair] as const))(
    '%s',
    async (_, { field, op, as = field, scope = 'media', arrange }) => {
      const { value, hit, miss } = await arrange(world);
      const leaf = { field: as, op, ...(value === undefined ? {} : { value }) };
      const both = { any: [hit, miss].map((file_id) => ({ field: 'metadata.system.probe', op: 'eq', value: file_id })) };
      const found = async (where: object): Promise<string[]> => {
        const answer = await world.workspace.owner.client
          .post('/saved-searches/preview', { sq_scope: scope, sq_query: { where: { all: [where, both] } } })
          .expect(200);
        expect(answer.body.count).toBe(answer.body.data.length);
        return (answer.body.data as { file_id: string }[]).map(({ file_id }) => file_id);
      };
      await api.sql(
        `UPDATE file SET file_metadata = jsonb_set(file_metadata, '{system}', coalesce(file_metadata -> 'system', '{}') || jsonb_build_object('probe', file_id)) WHERE file_id = ANY($1::uuid[])`,
        [[hit, miss]],
      );
      expect(await found(leaf)).toEqual([hit]);
      expect(await found({ not: leaf })).toEqual([miss]);
    },
  );
});
