import { readFileSync } from 'node:fs';
import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { eventually, ModelServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { EMBEDDING, MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { OPERATOR_TOKENS } from '../support/operating';
import { startAtrium, startWorker } from '../support/api';
import { NOTE, Notes } from './notes';

let api: RunningApi;
let server: ModelServer;
let notes: Notes;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  server = await ModelServer.start();
  api = await startAtrium({ ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS });
  notes = new Notes(api, [api.app, await startWorker(api)]);
  [ours, theirs] = [await api.workspace(), await api.workspace()];
}, 120_000);
afterAll(async () => {
  await api.close();
  await server.stop();
});

const sentence = (n: number): string => `Berth ${n} is let to the owner of boat ${n * 7} for a year.`;
const paragraph = (n: number): string => Array.from({ length: 8 }, (_, at) => sentence(n * 10 + at)).join(' ');
const paragraphs = (count: number): string[] => Array.from({ length: count }, (_, at) => paragraph(at));
const titles = ({ data }: { readonly data: readonly { readonly citation: { readonly title: string } }[] }): string[] =>
  data.map(({ citation }) => citation.title);

describe('[documents 20] the search over passages', () => {
  it('[documents 21] finds a German text by a question with other endings, a Japanese one by a part of it, an English one by three words of a sentence', async () => {
    const workspace = await api.workspace();
    await notes.put(workspace, {
      title: 'de',
      markdown: 'Die Kündigungsfristen der Verträge betragen drei Monate zum Ende eines Jahres. Sie gelten für alle Mieter.',
    });
    await notes.put(workspace, { title: 'ja', markdown: '横浜港の係留場所は二百四十あります。予約は一年前から受け付けています。' });
    await notes.made(workspace, {
      title: 'en',
      markdown: 'The lighthouse keeper polished the brass lamp every morning before the ships arrived in the bay.',
    });
    expect(titles(await notes.search(workspace, 'Welche Frist hat ein Vertrag?', { mode: 'text' }))).toEqual(['de']);
    expect(titles(await notes.search(workspace, '係留場所', { mode: 'text' }))).toEqual(['ja']);
    expect(
      titles(
        await notes.search(workspace, 'Who was it that in those days used to polish a lamp made of brass, and did he do it at noon?', {
          mode: 'text',
        }),
      ),
    ).toEqual(['en']);
  });

  it('finds words with a dotted and a dotless i, also in passages that were stored before the two were one', async () => {
    const workspace = await api.workspace();
    await notes.put(workspace, { title: 'liman', markdown: 'IĞDIR limanı ve DIŞ kapı.', language: 'tr' });
    await notes.made(workspace, { title: 'şehir', markdown: 'İSTANBUL büyük bir şehirdir.', language: 'tr' });
    const found = async (query: string): Promise<string[]> => titles(await notes.search(workspace, query, { mode: 'text' }));
    for (const query of ['ığdır', 'Iğdır', 'dış', 'kapi']) expect(await found(query)).toEqual(['liman']);
    for (const query of ['istanbul', 'ISTANBUL', 'İstanbul']) expect(await found(query)).toEqual(['şehir']);

    const dotless = () =>
      api
        .sql(`SELECT 1 FROM passage WHERE tenant_id = $1 AND psg_tsv::text LIKE '%lıman%'`, [workspace.tenant_id])
        .then(({ length }) => length);
    await api.sql(`UPDATE passage SET psg_tsv = replace(psg_tsv::text, 'liman', 'lıman')::tsvector WHERE tenant_id = $1`, [
      workspace.tenant_id,
    ]);
    expect(await dotless()).toBe(1);
    await api.sql(readFileSync('migrations/0154-words-without-dots.sql', 'utf8'), [null]);
    expect(await dotless()).toBe(0);
    expect(await found('liman')).toEqual(['liman']);
  });

  it('cites exactly what is in the text, with its page and its headings', async () => {
    const workspace = await api.workspace();
    const markdown = `# Harbour\n\n${paragraph(1)}\n\n## Kraken\n\nThe kraken sleeps below pier nine.\n`;
    const { id } = await notes.made(workspace, {
      title: 'Guide',
      markdown,
      pages: [
        { page: 6, char_start: 0 },
        { page: 7, char_start: markdown.indexOf('## Kraken') },
      ],
    });
    const { data, mode, model, fallback, ignored_scopes } = await notes.search(workspace, 'where does the kraken sleep', { explain: true });
    expect({ mode, model, fallback, ignored_scopes }).toEqual({
      mode: 'hybrid',
      model: 'atrium/hash-384',
      fallback: null,
      ignored_scopes: [],
    });
    const [hit] = data;
    expect(hit).toMatchObject({
      context: 'Harbour › Kraken',
      score: 1,
      citation: { n: 1, source_kind: NOTE, source_id: id, title: 'Guide', page_from: 7, page_to: 7, version: '1' },
      explain: { text_rank: 1, terms: expect.arrayContaining(['kraken']) },
    });
    expect(markdown.slice(hit?.citation.char_start, hit?.citation.char_end)).toBe(hit?.text);
  });

  it('takes any query, and answers one without words by nothing', async () => {
    await notes.made(ours, { markdown: 'A plain note about rowing.' });
    for (const query of ["'; DROP TABLE passage; --", '(a & | !', '"rowing', '\\', '🚣', '.*+?^$', 'the', '???', 'x'.repeat(4_000)])
      expect((await notes.search(ours, query)).data.length).toBeLessThanOrEqual(10);
    expect((await notes.search(ours, '???', { mode: 'text' })).data).toEqual([]);
    expect(titles(await notes.search(ours, '"plain note" rowing -sailing', { mode: 'text' }))).toEqual(['Note']);
    expect((await notes.search(ours, 'plain note -rowing', { mode: 'text' })).data).toEqual([]);
  });

  it('[documents 22] drops weak likeness before the channels are one: words still find, and meaning alone finds nothing', async () => {
    const workspace = await api.workspace();
    await notes.made(workspace, { markdown: 'Sailing boats need wind.' });
    const strict = { min_score: 0.99 };
    expect((await notes.search(workspace, 'boats that sail', { ...strict, mode: 'vector' })).data).toEqual([]);
    const { data } = await notes.search(workspace, 'boats that sail', strict);
    expect(data).toMatchObject([{ similarity: null }]);
    expect((await notes.search(workspace, 'boats that sail', { mode: 'vector' })).data).toMatchObject([{ similarity: expect.any(Number) }]);
  });

  it('shows one of equal texts and says where else it occurs, and so many of a source at most', async () => {
    const workspace = await api.workspace();
    const same = 'The ferry to the island leaves at noon.';
    const one = await notes.put(workspace, { title: 'one', markdown: same });
    const other = await notes.put(workspace, { title: 'other', markdown: same });
    const long = await notes.made(workspace, {
      title: 'long',
      markdown: Array.from({ length: 6 }, (_, at) => `## Ferry ${at}\n\nThe ferry number ${at} leaves late.`).join('\n\n'),
    });
    const { data } = await notes.search(workspace, 'ferry leaves', { mode: 'text' });
    const merged = data.filter(({ text }) => text === same);
    expect(merged).toHaveLength(1);
    expect([merged[0]?.citation.source_id, ...(merged[0]?.also_in.map(({ source_id }) => source_id) ?? [])].sort()).toEqual(
      [one.id, other.id].sort(),
    );
    expect(data.filter(({ citation }) => citation.source_id === long.id)).toHaveLength(3);
    const all = await notes.search(workspace, 'ferry leaves', { mode: 'text', max_per_source: 20, neighbors: 1 });
    expect(all.data.filter(({ citation }) => citation.source_id === long.id)).toHaveLength(6);
    expect(all.data.find(({ text }) => text.includes('number 3'))?.neighbors.map(({ ordinal }) => ordinal)).toEqual([2, 4]);
  });

  it('searches the open scopes alone, what the filters let through, and what may be read', async () => {
    const workspace = await api.workspace();
    const { id } = await notes.made(workspace, { title: 'Tides', markdown: 'High tide at seven.' });
    expect(await notes.search(workspace, 'tide', { scopes: ['test-notes:closed', 'ds:unknown'] })).toMatchObject({
      data: [],
      ignored_scopes: ['test-notes:closed', 'ds:unknown'],
    });
    expect((await notes.search(workspace, 'tide', { scopes: ['test-notes:other'] })).data).toEqual([]);
    for (const [filter, found] of [
      [{ source_ids: [id] }, 1],
      [{ source_ids: [newId()] }, 0],
      [{ titled: 'Tides' }, 1],
      [{ titled: 'Other' }, 0],
      [{ unheard_of: 1 }, 0],
      [{ language: ['xx'] }, 0],
    ] as const)
      for (const mode of ['text', 'vector'] as const)
        expect((await notes.search(workspace, 'high tide', { filter, mode })).data).toHaveLength(found);
    notes.hidden.add(id);
    for (const mode of ['text', 'vector'] as const) expect((await notes.search(workspace, 'high tide', { mode })).data).toEqual([]);
    notes.hidden.delete(id);
  });

  it('shows nothing of another workspace', async () => {
    const markdown = 'The password of the lock is anchor.';
    const mine = await notes.made(ours, { markdown });
    const foreign = await notes.made(theirs, { markdown });
    for (const mode of ['text', 'vector', 'hybrid'] as const) {
      expect((await notes.search(ours, 'password of the lock', { mode })).data.map(({ citation }) => citation.source_id)).toEqual([
        mine.id,
      ]);
      expect((await notes.search(theirs, 'password of the lock', { mode })).data.map(({ citation }) => citation.source_id)).toEqual([
        foreign.id,
      ]);
    }
    for (const table of ['passage', 'passage_source', 'passage_scope', 'file_text'])
      expect(await api.sqlAsService(`SELECT 1 FROM ${table}`)).toEqual([]);
  });
});

describe('the index of passages', () => {
  it('is out of reach at once when a source is removed or leaves a scope, and back at once within the day', async () => {
    const workspace = await api.workspace();
    const note = await notes.made(workspace, { markdown: 'Buoys mark the channel.' });
    const found = async (): Promise<number> => (await notes.search(workspace, 'buoys')).data.length;
    expect(await found()).toBe(1);
    const source = { kind: NOTE, id: note.id };
    await notes.in(workspace, () => notes.index.setScopes(source, []));
    expect(await found()).toBe(0);
    await notes.in(workspace, () => notes.index.setScopes(source, ['test-notes:open']));
    expect(await found()).toBe(1);
    await notes.in(workspace, () => notes.index.removeSource(source));
    expect(await found()).toBe(0);
    await notes.in(workspace, () => notes.index.indexSource(source, '1', ['test-notes:open']));
    expect(await found()).toBe(1);
  });

  it('forgets a source for good: its passages and vectors go', async () => {
    const workspace = await api.workspace();
    const note = await notes.made(workspace, { markdown: 'Gulls.' });
    await notes.in(workspace, () => notes.index.removeSource({ kind: NOTE, id: note.id }, { forGood: true }));
    await eventually(
      () => api.sql('SELECT 1 FROM passage_source WHERE tenant_id = $1', [workspace.tenant_id]),
      (rows) => rows.length === 0,
    );
    expect(await api.sql('SELECT 1 FROM passage WHERE tenant_id = $1', [workspace.tenant_id])).toEqual([]);
    expect(await api.sql(`SELECT 1 FROM vector_entry WHERE tenant_id = $1 AND ve_kind = 'passage'`, [workspace.tenant_id])).toEqual([]);
  });

  it('[documents 6] embeds at most three texts when one paragraph in a thousand changes, and leaves all other passages as they were', async () => {
    const workspace = await new Crediting(api).workspace(1_000);
    await provideModels(api, workspace, server, [{ ...EMBEDDING, model_default: true }]);
    const text = paragraphs(1_000);
    const note = await notes.made(workspace, { title: 'Berths', markdown: text.join('\n\n'), language: 'en' });
    const before = await notes.passages(workspace, note);
    expect(before.length).toBeGreaterThan(200);
    const bought = server.embeddings.flatMap(({ input }) => input).length;
    for (const changed of ['Nothing is let here any more.', `${paragraph(5_000)} ${paragraph(6_000)} ${paragraph(7_000)}`]) {
      const asked = server.embeddings.flatMap(({ input }) => input).length;
      text[500] = changed;
      await notes.made(workspace, { id: note.id, markdown: text.join('\n\n') });
      expect(server.embeddings.flatMap(({ input }) => input).length - asked).toBeLessThanOrEqual(3);
    }
    const kept = new Set((await notes.passages(workspace, note)).map(({ passage_id }) => passage_id));
    expect(before.filter(({ passage_id }) => !kept.has(passage_id)).length).toBeLessThanOrEqual(4);
    expect(bought).toBe(before.length);
  }, 240_000);

  it('commits nothing of a version that was replaced while it was indexed', async () => {
    const workspace = await api.workspace();
    const note = await notes.put(workspace, { markdown: 'First wording about masts.' });
    await notes.put(workspace, { id: note.id, markdown: 'Second wording about masts.' });
    await notes.settled(workspace);
    await eventually(
      () => notes.passages(workspace, note),
      (rows) => rows[0]?.psg_text === 'Second wording about masts.',
    );
    expect((await notes.search(workspace, 'wording masts')).data.map(({ text }) => text)).toEqual(['Second wording about masts.']);
  });

  it('reads of the index of words what the workspace has of a word, and no texts, to choose what is worth ranking', async () => {
    const { tenant_id } = await api.workspace();
    await api.sql(
      `WITH s AS (INSERT INTO passage_source (tenant_id, source_kind, source_id, source_wanted) VALUES ($1, 'test-note', gen_random_uuid(), '1') RETURNING *)
       INSERT INTO passage (tenant_id, passage_id, source_kind, source_id, psg_ordinal, psg_text, psg_char_start, psg_char_end, psg_tokens, psg_hash, psg_tsv, psg_length)
       SELECT s.tenant_id, gen_random_uuid(), s.source_kind, s.source_id, n, 'berth ' || n, 0, 1, 1, n::text, to_tsvector('simple', 'berth berth' || n), 2 FROM s, generate_series(1, 30000) n`,
      [tenant_id],
    );
    await api.sql('VACUUM ANALYZE passage');
    const planOf = async (condition: string): Promise<string> =>
      (
        await api.sql<{ 'QUERY PLAN': string }>(
          `EXPLAIN SELECT p.passage_id FROM passage p CROSS JOIN (SELECT 'berth77') w (word) WHERE p.tenant_id = '${tenant_id}' AND ${condition} LIMIT 20000`,
        )
      )
        .map((row) => row['QUERY PLAN'])
        .join('\n');
    const key = `passage_word_keys(p.tenant_id, p.psg_tsv) && ARRAY[passage_word_key('${tenant_id}', w.word)]`;
    expect(await planOf(key)).toMatch(/Bitmap Index Scan on passage_words\s/);
    expect(await planOf(`${key} AND (uuid_hash(p.passage_id) & 63) = 0`)).toMatch(/Bitmap Index Scan on passage_words_sampled\s/);
  });

  it('looks named sources up in a hash, which is made once for a search, also once the plan is kept for all values', async () => {
    const [made] = await api.sql<{ prosrc: string; names: string[] }>(
      `SELECT prosrc, proargnames[1:8] AS names FROM pg_proc WHERE proname = 'search_passages_text'`,
    );
    const [body, names] = [made?.prosrc ?? '', made?.names ?? []];
    const numbered = names.reduce((text, name, at) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `$${at + 1}`), body);
    const plan = await inWorkspace(ours.tenant_id, () =>
      notes.db.read(async (tx) => {
        await tx.execute('SET LOCAL plan_cache_mode = force_generic_plan');
        await tx.execute(`PREPARE search (text, text[], real[], text[], boolean, text[], text[], integer) AS ${numbered}`);
        const lines = await tx.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN EXECUTE search (NULL, '{berth}', '{1}', '{}', false, '{docs}', '{${newId()}}', 9)`,
        );
        await tx.execute('DEALLOCATE search');
        return lines.map((line) => line['QUERY PLAN']);
      }),
    );
    const filters = plan.filter((line) => line.includes('Filter:') && line.includes('$7'));
    expect(filters).not.toEqual([]);
    for (const filter of filters) expect(filter).toContain('hashed SubPlan');
  });

  it('knows how frequent words are: exactly where they are rare, about where they are not', async () => {
    const { tenant_id } = await api.workspace();
    await api.sql(
      `WITH s AS (INSERT INTO passage_source (tenant_id, source_kind, source_id, source_wanted) VALUES ($1, 'test-note', gen_random_uuid(), '1') RETURNING *)
       INSERT INTO passage (tenant_id, passage_id, source_kind, source_id, psg_ordinal, psg_text, psg_char_start, psg_char_end, psg_tokens, psg_hash, psg_tsv, psg_length)
       SELECT s.tenant_id, md5(n::text)::uuid, s.source_kind, s.source_id, n, 'x', 0, 1, 1, n::text, to_tsvector('simple', CASE WHEN n <= 9 THEN 'berth quay' ELSE 'berth' END), 2 FROM s, generate_series(1, 10000) n`,
      [tenant_id],
    );
    const [frequencies, other] = await Promise.all(
      [tenant_id, ours.tenant_id].map((id) =>
        inWorkspace(id, () =>
          notes.db.read((tx) =>
            tx.query<{ word: string; passages: number }>(`SELECT * FROM search_passages_words('{berth,quay,jetty}') ORDER BY word`),
          ),
        ),
      ),
    );
    expect(frequencies).toEqual([
      { word: 'berth', passages: expect.any(Number) },
      { word: 'quay', passages: 9 },
    ]);
    expect(Math.abs((frequencies?.[0]?.passages ?? 0) - 10_000)).toBeLessThan(2_500);
    expect(other).toEqual([]);
  });

  it('ranks by frequent words what stresses them or has all of them, and finds what few may read among much that they may not', async () => {
    const workspace = await api.workspace();
    const crowd = Array.from({ length: 450 }, (_, at) => `## Part ${at}\n\nThe crane lifts crate ${at} of the cargo.`).join('\n\n');
    const hidden = await notes.put(workspace, { title: 'Crane crate cargo', markdown: crowd });
    const open = await notes.made(workspace, { title: 'Other', markdown: 'Nobody knows why the crane stands still.' });
    notes.hidden.add(hidden.id);
    expect((await notes.search(workspace, 'crane crate cargo', { mode: 'text' })).data.map(({ citation }) => citation.source_id)).toEqual([
      open.id,
    ]);
    notes.hidden.delete(hidden.id);
    expect((await notes.search(workspace, 'crane crate cargo 77', { mode: 'text' })).data[0]?.text).toContain('crate 77 ');
    expect(
      (await notes.search(workspace, 'crane', { mode: 'text', filter: { source_ids: [open.id] } })).data.map(
        ({ citation }) => citation.source_id,
      ),
    ).toEqual([open.id]);
    expect((await notes.search(workspace, '"crate 77 of the cargo"', { mode: 'text' })).data.map(({ text }) => text)).toEqual([
      expect.stringContaining('crate 77 '),
    ]);
    expect((await notes.search(workspace, 'crane -cargo', { mode: 'text' })).data.map(({ citation }) => citation.source_id)).toEqual([
      open.id,
    ]);
  });
});
