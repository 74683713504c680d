import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { NOTE, Notes } from './notes';

/** Passages of others in which `tide` is; more than the index is read of for a word. */
const CROWD = 45_000;
/** Of these so many have `ebb` as well: rare enough to choose by. */
const OFTEN = 24_000;

let api: RunningApi;
let notes: Notes;

beforeAll(async () => {
  api = await startAtrium();
  notes = new Notes(api, [api.app]);
}, 120_000);
afterAll(() => api.close());

interface Written {
  readonly sources: number;
  readonly scope: string;
  readonly passages: number;
  /** What the passage `n` says, as SQL. */
  readonly says: string;
}

/** Sources that share their passages evenly, as they are once they were indexed. */
async function write({ tenant_id }: TestWorkspace, { sources, scope, passages, says }: Written): Promise<void> {
  await api.sql(
    `WITH s AS (INSERT INTO passage_source (tenant_id, source_kind, source_id, source_wanted, source_title, source_status, source_lang, source_passages)
         SELECT $1, '${NOTE}', gen_random_uuid(), '1', 'Log', 'live', 'en', $4::integer / $2::integer FROM generate_series(1, $2::integer) RETURNING *),
       k AS (INSERT INTO passage_scope (tenant_id, source_kind, source_id, scope_key) SELECT tenant_id, source_kind, source_id, $3 FROM s),
       numbered AS (SELECT s.*, row_number() OVER () - 1 AS at FROM s)
     INSERT INTO passage (tenant_id, passage_id, source_kind, source_id, psg_ordinal, psg_text, psg_char_start, psg_char_end, psg_tokens, psg_hash, psg_tsv, psg_length)
     SELECT s.tenant_id, gen_random_uuid(), s.source_kind, s.source_id, n, says, 0, 1, 1, $3 || n::text, to_tsvector('simple', says), 2
     FROM generate_series(1, $4::integer) n CROSS JOIN LATERAL (SELECT ${says} AS says) t JOIN numbered s ON s.at = n % $2::integer`,
    [tenant_id, sources, scope, passages],
  );
}

/** Texts that are found by a word in the scope that is searched alone. */
const found = async (workspace: TestWorkspace, query: string): Promise<string[]> =>
  (await notes.search(workspace, query, { mode: 'text', k: 20, max_per_source: 20 })).data.map(({ text }) => text).sort();

describe('the search by words in a narrow scope', () => {
  it.each([
    ['of one source', 1],
    ['of more sources than are named one by one', 1_200],
  ])(
    '%s finds all that is there, however many passages of the rest of the workspace have the words',
    async (_, sources) => {
      const workspace = await api.workspace();
      const crowd = `CASE WHEN n <= ${OFTEN} THEN 'tide ebb' ELSE 'tide swell' END`;
      await write(workspace, { sources: 10, scope: 'test-notes:other', passages: CROWD, says: crowd });
      const says = `CASE n WHEN 7 THEN 'ebb here' WHEN 8 THEN 'ebb yonder' WHEN 9 THEN 'tide here' WHEN 10 THEN 'tide yonder' ELSE 'calm ' || n END`;
      await write(workspace, { sources, scope: 'test-notes:open', passages: 1_200, says });
      expect(await found(workspace, 'ebb')).toEqual(['ebb here', 'ebb yonder']);
      expect(await found(workspace, 'tide')).toEqual(['tide here', 'tide yonder']);
      expect(await found(workspace, 'tide yonder')).toEqual(expect.arrayContaining(['ebb yonder', 'tide yonder']));
    },
    180_000,
  );
});

describe('the search beside sources that are still to be read', () => {
  it('finds what was read already', async () => {
    const workspace = await api.workspace();
    await api.sql(
      `WITH s AS (INSERT INTO passage_source (tenant_id, source_kind, source_id, source_wanted) SELECT $1, '${NOTE}', ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '1' FROM generate_series(1, 60000) n RETURNING *)
       INSERT INTO passage_scope (tenant_id, source_kind, source_id, scope_key) SELECT tenant_id, source_kind, source_id, 'test-notes:open' FROM s`,
      [workspace.tenant_id],
    );
    await write(workspace, { sources: 1, scope: 'test-notes:open', passages: 3, says: `'tide ' || n` });
    expect(await found(workspace, 'tide')).toEqual(['tide 1', 'tide 2', 'tide 3']);
  }, 60_000);
});
