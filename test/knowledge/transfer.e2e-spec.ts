import { newId } from '@atrium/platform/kernel';
import { workbookOf, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import iconv from 'iconv-lite';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { inTurn } from '../support/in-turn';
import { readJob, recordsOf, reportOf, textBase } from './filling';
import { imported, tableOf } from './importing';

// Thousands of records are indexed beside the tests.
jest.setTimeout(180_000);

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
let base: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace();
  ({ client } = ours.owner);
  base = await textBase(client);
});
afterAll(() => api.close());

const LAMPS = ['1', '2', '3'].map((n) => ({
  rec_external_id: `lamp-${n}`,
  name: `Lamp ${n}`,
  body: `Lamp ${n} is for desks.`,
  tags: 'desk; light',
}));
const path = (what: string): string => `/knowledge-bases/${base}/${what}`;
const written = async (): Promise<unknown> =>
  (
    await api.sql(
      'SELECT sum(row_version)::int AS versions, max(rec_updated) AS latest, count(*)::int AS records FROM knowledge_record WHERE tenant_id = $1',
      [ours.tenant_id],
    )
  )[0];

async function priceBase(): Promise<string> {
  const { form_id } = (
    await client
      .post('/knowledge-base-schemas', {
        form_name: `Prices ${newId()}`,
        form_config: {
          title: 'name',
          fields: [
            { key: 'sku', type: 'text', label: 'Artikelnummer', required: true, unique: true },
            { key: 'name', type: 'text', label: 'Name', required: true },
            { key: 'price', type: 'number', label: 'Preis' },
            { key: 'since', type: 'date', label: 'Seit' },
            { key: 'active', type: 'boolean', label: 'Aktiv' },
            { key: 'sum', type: 'decimal', label: 'Summe' },
            { key: 'words', type: 'tags', label: 'Worte' },
            { key: 'any', type: 'json', label: 'Beliebiges' },
          ],
        },
      })
      .expect(201)
  ).body as { form_id: string };
  return textBase(client, { ds_type: 'form', ds_config: { form_id } });
}

describe('an import', () => {
  it('makes records of rows, and changes nothing when it is repeated', async () => {
    const job = await imported(client, base, { rows: LAMPS });
    expect(job).toMatchObject({ status: 'completed', total: 3, done: 3, created: 3, failed: 0, report_url: null });
    expect(await recordsOf(client, base)).toMatchObject(
      LAMPS.map(({ rec_external_id, name, body }) => ({
        rec_external_id,
        rec_name: name,
        rec_content: { body },
        rec_tags: ['desk', 'light'],
        rec_source: 'import',
        rec_status: 'published',
      })),
    );
    const before = await written();
    expect(await imported(client, base, { rows: LAMPS, mode: 'upsert' })).toMatchObject({
      status: 'completed',
      unchanged: 3,
      created: 0,
      updated: 0,
    });
    expect(await written()).toEqual(before);
    const brighter = LAMPS.map((row, at) => (at === 1 ? { ...row, body: 'Lamp 2 is brighter now.' } : row));
    expect(await imported(client, base, { rows: brighter, mode: 'upsert' })).toMatchObject({ unchanged: 2, updated: 1 });
    const again = await imported(client, base, { rows: LAMPS });
    expect(again).toMatchObject({ status: 'failed', failed: 3, created: 0, error: 'All 3 rows failed.' });
    expect((await reportOf(again))[0]).toMatch(/^1,rec_external_id,unique,/);
  });

  it('takes the last of several rows with one key, and reports the others', async () => {
    const rows = [...LAMPS, { ...LAMPS[0], body: 'The last word.' }, { name: 'Without a key', body: 'x' }];
    const job = await imported(client, base, { rows, mode: 'upsert' });
    expect(job).toMatchObject({ status: 'partial', created: 3, failed: 2, done: 3 });
    expect(await reportOf(job)).toEqual([
      '1,rec_external_id,duplicate_key,Row 4 has the same key and was taken instead.',
      '5,rec_external_id,required,The row has no value for the key rec_external_id.',
    ]);
    expect((await recordsOf(client, base))[0]?.rec_content).toEqual({ body: 'The last word.' });
  });

  it('[knowledge 9] that must not fail writes nothing when a row is not valid, and all of it otherwise', async () => {
    // More rows than are written at once, and the fault among the last.
    const many = Array.from({ length: 620 }, (_, at) => ({
      rec_external_id: `berth-${at}`,
      name: `Berth ${at}`,
      body: `Berth ${at} is let.`,
    }));
    const rows = [...many, { rec_external_id: 'no-name', body: 'x' }, ...LAMPS];
    const job = await imported(client, base, { rows, on_error: 'abort' });
    expect(job).toMatchObject({
      status: 'failed',
      failed: 1,
      created: 0,
      done: 0,
      error: expect.stringContaining('nothing was written') as string,
    });
    expect(await reportOf(job)).toEqual([expect.stringMatching(/^621,name,required,/)]);
    expect(await api.sql('SELECT rec_id FROM knowledge_record WHERE rec_base = $1', [base])).toEqual([]);
    expect(await imported(client, base, { rows: many, on_error: 'abort' })).toMatchObject({ status: 'completed', created: 620, done: 620 });
    expect(await recordsOf(client, base)).toHaveLength(620);
  });

  it('[knowledge 8] reads a workbook by the locale of the workspace, and reports each row that says nothing valid', async () => {
    await api.sql("UPDATE workspace SET ws_locale = 'de-DE' WHERE tenant_id = $1", [ours.tenant_id]);
    base = await priceBase();
    const cell = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const header = `<row r="1">${['Artikelnummer', 'Name', 'Preis', 'Seit', 'Aktiv'].map(cell).join('')}</row>`;
    const rows = Array.from({ length: 5_000 }, (_, at) => {
      const price = at % 400 === 7 && at < 4_800 ? cell('teuer') : at % 2 === 0 ? cell('1.234,50') : `<c><v>1.234</v></c>`;
      return `<row r="${at + 2}">${cell(`A-${at}`)}${cell(`Artikel ${at}`)}${price}<c s="1"><v>45429</v></c>${cell(at % 3 === 0 ? 'ja' : 'nein')}</row>`;
    });
    const notes = { name: 'Notizen', rows: `<row r="1">${cell('Nichts davon')}</row>` };
    const workbook = workbookOf({ sheets: [notes, { name: 'Preise', rows: header + rows.join('') }], formats: ['dd.mm.yyyy'] });
    const file_id = await tableOf(client, base, 'preise.xlsx', workbook);
    const preview = (await client.post(path('records/import/preview'), { file_id, sheet: 'Preise' }).expect(200)).body;
    expect(preview).toMatchObject({
      columns: [
        { name: 'Artikelnummer', suggested_field: 'sku', type: 'text', samples: ['A-0', 'A-1', 'A-2'] },
        { name: 'Name', suggested_field: 'name', type: 'text' },
        { name: 'Preis', suggested_field: 'price', type: 'number' },
        { name: 'Seit', suggested_field: 'since', type: 'date', samples: ['2024-05-17'] },
        { name: 'Aktiv', suggested_field: 'active', type: 'boolean' },
      ],
      total_estimate: 5_000,
    });
    expect(preview.rows).toHaveLength(20);
    const job = await imported(client, base, { file_id, sheet: 'Preise', mode: 'upsert', key: 'sku' });
    expect(job).toMatchObject({ status: 'partial', total: 5_000, done: 4_988, failed: 12, created: 4_988 });
    const report = await reportOf(job);
    expect(report).toHaveLength(12);
    expect(report[0]).toMatch(/^9,Preis,format,.*teuer/);
    const [first] = await recordsOf(client, base, '&rec_name=Artikel 0');
    expect(first?.rec_content).toEqual({ sku: 'A-0', name: 'Artikel 0', price: 1234.5, since: '2024-05-17', active: true });
    const [odd] = await recordsOf(client, base, '&rec_name=Artikel 4999');
    expect(odd?.rec_content).toMatchObject({ price: 1.234, active: false });
    const before = await written();
    expect(await imported(client, base, { file_id, sheet: 'Preise', mode: 'upsert', key: 'sku' })).toMatchObject({
      unchanged: 4_988,
      created: 0,
      updated: 0,
      failed: 12,
    });
    expect(await written()).toEqual(before);
  }, 180_000);

  it.each([
    ['utf-16le', ';'],
    ['windows-1252', ';'],
    ['utf-8', '\t'],
  ])('reads a csv in %s with its delimiter, and reports a row whose quotation mark is not closed', async (encoding, delimiter) => {
    const lines = Array.from({ length: 9 }, (_, at) =>
      [`k${at + 2}`, `Größe ${at + 2}`, at === 5 ? '"offen' : `Text ${at + 2}`].join(delimiter),
    );
    const table = iconv.encode(['external id', 'name', 'body'].join(delimiter) + '\r\n' + lines.join('\r\n'), encoding, {
      addBOM: encoding === 'utf-16le',
    });
    const file_id = await tableOf(client, base, 'groessen.csv', table);
    expect((await client.post(path('records/import/preview'), { file_id }).expect(200)).body).toMatchObject({
      delimiter,
      encoding,
      total_estimate: 9,
    });
    const job = await imported(client, base, { file_id });
    expect(job).toMatchObject({ status: 'partial', created: 8, failed: 1 });
    expect((await reportOf(job))[0]).toMatch(/^7,,unreadable,A quotation mark/);
    expect((await recordsOf(client, base))[0]?.rec_name).toBe('Größe 10');
  });

  it.each([
    ['a name twice', 'a,b,a\n1,2,3', 'header.3'],
    ['a column without a name', 'a,,c\n1,2,3', 'header.2'],
    ['nothing', '\n', 'header'],
  ])('refuses a header with %s', async (_, table, where) => {
    const file_id = await tableOf(client, base, 'table.csv', Buffer.from(table));
    for (const what of ['records/import', 'records/import/preview'])
      expect((await client.post(path(what), { file_id }).expect(400)).body.errors).toMatchObject([{ path: where }]);
  });

  it.each([
    [
      'a workbook that unpacks without end',
      'bomb.xlsx',
      () => workbookOf({ sheets: [{ name: 'A', rows: ' '.repeat(30 * 1024 * 1024) }] }),
      /expands/,
    ],
    ['a line without end', 'line.csv', () => Buffer.alloc(20 * 1024 * 1024, 'a'), /characters in a row/],
    ['too many columns', 'wide.csv', () => Buffer.from(Array.from({ length: 501 }, (_, at) => `c${at}`).join(',')), /500/],
    ['a file that is none', 'none.xlsx', () => Buffer.from('PK nothing'), /damaged/],
  ])('fails with a reason where the file is %s', async (_, name, bytes, reason) => {
    const job = await imported(client, base, { file_id: await tableOf(client, base, name, bytes()) });
    expect(job).toMatchObject({ status: 'failed', created: 0, error: expect.stringMatching(reason) as string });
  });

  it('refuses numbers that can be two beside others of their column', async () => {
    await api.sql("UPDATE workspace SET ws_locale = 'de-DE' WHERE tenant_id = $1", [ours.tenant_id]);
    base = await priceBase();
    const table = Buffer.from('sku;name;price\na;A;1.250\nb;B;12.75\nc;C;3.5\n');
    expect(await imported(client, base, { file_id: await tableOf(client, base, 'mixed.csv', table) })).toMatchObject({
      status: 'partial',
      created: 2,
      failed: 1,
    });
    expect((await recordsOf(client, base)).map(({ rec_content }) => rec_content['price'])).toEqual([12.75, 3.5]);
  });

  it('refuses numbers that can be two beside one that is read and written much later', async () => {
    await api.sql("UPDATE workspace SET ws_locale = 'de-DE' WHERE tenant_id = $1", [ours.tenant_id]);
    base = await priceBase();
    // More rows than are read and written at once.
    const between = Array.from({ length: 600 }, (_, at) => `n${at};N ${at};3,5\n`).join('');
    const table = Buffer.from(`sku;name;price\na;A;1.250\n${between}z;Z;12.75\n`);
    const job = await imported(client, base, { file_id: await tableOf(client, base, 'mixed.csv', table) });
    expect(job).toMatchObject({ status: 'partial', created: 601, failed: 1 });
    expect(await reportOf(job)).toEqual([expect.stringMatching(/^2,price,.*is ambiguous/)]);
  });

  it('takes the window of records by the clocks of the workspace and the format of a column, which is for times alone', async () => {
    await api.sql("UPDATE workspace SET ws_locale = 'de-DE', ws_timezone = 'Europe/Berlin' WHERE tenant_id = $1", [ours.tenant_id]);
    const table = Buffer.from('name;body;from;until\nA;Text.;31.03.2026;04/03/2026 12:00\n');
    const file_id = await tableOf(client, base, 'windows.csv', table);
    const mapping = {
      name: 'rec_name',
      body: 'body',
      from: 'rec_valid_from',
      until: { field: 'rec_valid_until', format: 'MM/DD/YYYY HH:mm' },
    };
    expect(await imported(client, base, { file_id, mapping })).toMatchObject({ status: 'completed', created: 1 });
    expect(await recordsOf(client, base)).toMatchObject([
      { rec_valid_from: '2026-03-30T22:00:00.000Z', rec_valid_until: '2026-04-03T10:00:00.000Z' },
    ]);
    const named = { ...mapping, name: { field: 'rec_name', format: 'DD.MM.YYYY' } };
    expect((await client.post(path('records/import'), { file_id, mapping: named }).expect(400)).body).toMatchObject({
      errors: [{ path: 'mapping.name.format', code: 'option' }],
    });
  });

  it('takes columns that a mapping does not name by their names, and refuses those that nothing takes', async () => {
    const rows = [{ Heading: 'Fees', body: 'A berth costs 14 euros.', note: 'internal' }];
    const order = { rows, mapping: { Heading: 'rec_name' } };
    expect((await client.post(path('records/import'), order).expect(400)).body.errors).toMatchObject([
      { path: 'mapping.note', code: 'unknown_column' },
    ]);
    expect(
      (await client.post(path('records/import'), { rows, mapping: { Heading: 'body', note: null } }).expect(400)).body.errors,
    ).toMatchObject([{ path: 'mapping.body', code: 'unknown_column' }]);
    expect(await imported(client, base, { ...order, mapping: { ...order.mapping, note: null } })).toMatchObject({
      status: 'completed',
      created: 1,
    });
    expect(await recordsOf(client, base)).toMatchObject([{ rec_name: 'Fees', rec_content: { body: 'A berth costs 14 euros.' } }]);
  });

  it('finds records by ids with their marks apart or not, also those that were stored with marks apart', async () => {
    const [whole, apart] = ['M\u00fc', 'Mu\u0308'];
    const body = { rec_name: 'A', rec_content: { body: 'Text.' }, rec_external_id: apart };
    const { rec_id, rec_external_id } = (await client.post(path('records'), body).expect(201)).body as Record<string, string>;
    expect(rec_external_id).toBe(whole);
    await client.post(path('records'), { ...body, rec_external_id: whole }).expect(409);
    await api.sql('UPDATE knowledge_record SET rec_external_id = $2 WHERE rec_id = $1', [rec_id, apart]);
    for (const [at, id] of [whole, apart].entries()) {
      const rows = [{ rec_external_id: id, name: `B${at}`, body: 'Text.' }];
      expect(await imported(client, base, { rows, mode: 'upsert' })).toMatchObject({ created: 0, updated: 1 });
      expect(await recordsOf(client, base, `&rec_external_id=${encodeURIComponent(id)}`)).toMatchObject([
        { rec_id, rec_external_id: whole },
      ]);
    }
  });

  it('changes, of two records that were stored with one id in two spellings, the one with letters in one piece', async () => {
    const [whole, apart] = ['M\u00fc', 'Mu\u0308'];
    // Whichever of them was stored first.
    for (const [at, spellings] of [
      [whole, apart],
      [apart, whole],
    ].entries())
      for (const spelling of spellings) {
        const body = {
          rec_name: `${spelling === whole ? 'Whole' : 'Apart'} ${at}`,
          rec_content: { body: 'Text.' },
          rec_external_id: newId(),
        };
        const { rec_id } = (await client.post(path('records'), body).expect(201)).body as { rec_id: string };
        await api.sql('UPDATE knowledge_record SET rec_external_id = $2 WHERE rec_id = $1', [rec_id, `${spelling}${at}`]);
      }
    const rows = [0, 1].map((at) => ({ rec_external_id: `${whole}${at}`, name: `Changed ${at}`, body: 'Text.' }));
    expect(await imported(client, base, { rows, mode: 'upsert' })).toMatchObject({ created: 0, updated: 2, failed: 0 });
    expect((await recordsOf(client, base)).map(({ rec_name }) => rec_name)).toEqual(['Apart 0', 'Apart 1', 'Changed 0', 'Changed 1']);
  });

  it('refuses whole numbers that JSON readers do not keep in one record as in rows', async () => {
    base = await priceBase();
    const content = { sku: 'a', name: 'A', price: 2 ** 53 - 1 };
    const { rec_id } = (await client.post(path('records'), { rec_content: content }).expect(201)).body as { rec_id: string };
    const errors = [{ path: 'rec_content.any[0]', code: 'inexact' }];
    const wrong = { rec_content: { ...content, sku: 'b', any: [2 ** 53 + 2] } };
    expect((await client.post(path('records'), wrong).expect(400)).body).toMatchObject({ errors });
    expect((await client.patch(path(`records/${rec_id}`), wrong).expect(400)).body).toMatchObject({ errors });
    expect(await recordsOf(client, base)).toMatchObject([{ rec_content: content }]);
  });

  it.each(['skip', 'abort'])(
    'lists 50 faults of a row and 10,000 of a file, and says how many others there are: on_error %s',
    async (on_error) => {
      const { client } = ours.owner;
      const ds_id = await textBase(client);
      const strange = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`column ${n}`, n]));
      const row = (n: number): object => ({ rec_name: `Row ${n}`, body: 'Text', ...(n < 120 ? {} : strange) });
      const lines = Array.from({ length: 420 }, (_, n) => JSON.stringify(row(n))).join('\n');
      const file_id = await tableOf(client, ds_id, 'strange.jsonl', Buffer.from(lines));
      const job = await imported(client, ds_id, { file_id, on_error });
      expect(job).toMatchObject({
        status: on_error === 'skip' ? 'partial' : 'failed',
        failed: 300,
        created: on_error === 'skip' ? 120 : 0,
      });
      const report = await reportOf(job);
      expect(report).toHaveLength(10_001);
      expect(report[0]).toMatch(/^121,column 0,unknown_column,/);
      expect(report[49]).toBe('121,,more,"The row has 11 more faults, which are not listed."');
      expect(report.at(-1)).toBe(',,more,"5,000 more faults are not listed."');
    },
  );

  it('passes over rows that are formatted and hold nothing', async () => {
    const rows = `<row r="1"><c t="str"><v>name</v></c><c t="str"><v>body</v></c></row><row r="2"><c t="str"><v>A</v></c><c t="str"><v>B</v></c></row>`;
    const empty = Array.from(
      { length: 200_000 },
      (_, at) => `<row r="${at + 3}" s="1" customFormat="1"><c r="A${at + 3}" s="1"/></row>`,
    ).join('');
    const file_id = await tableOf(
      client,
      base,
      'formatted.xlsx',
      workbookOf({ sheets: [{ name: 'A', rows: rows + empty }], formats: ['0.00'] }),
    );
    expect(await imported(client, base, { file_id })).toMatchObject({ status: 'completed', total: 1, created: 1 });
  });

  it('[knowledge 9] refuses a file of more than 50 MB', async () => {
    const file_id = await tableOf(
      client,
      base,
      'large.csv',
      Buffer.concat([Buffer.from('name,body\n'), Buffer.alloc(51 * 1024 * 1024, 'a,b\n')]),
    );
    for (const what of ['records/import', 'records/import/preview'])
      expect((await client.post(path(what), { file_id }).expect(413)).body).toMatchObject({ code: 'payload_too_large' });
  });

  it('refuses what is no order, at what is wrong', () =>
    inTurn(
      [
        [{}, 'file_id'],
        [{ rows: [] }, 'rows'],
        [{ rows: [{ name: 'x' }], mapping: { nome: 'rec_name' } }, 'mapping.nome'],
        [{ rows: [{ name: 'x' }], mapping: { name: 'price' } }, 'mapping.name'],
        [{ rows: [{ name: 'x' }], mode: 'upsert' }, 'mapping'],
        [{ rows: [{ name: 'x' }], mode: 'upsert', key: 'sku' }, 'key'],
        [{ rows: [{ name: 'x' }], key: 'sku' }, 'key'],
      ],
      async (body, where) => {
        expect((await client.post(path('records/import'), body).expect(400)).body.errors).toMatchObject([{ path: where }]);
      },
    ));

  it('[knowledge 20] takes files of its own base alone, that were uploaded for it', async () => {
    const theirs = await api.workspace();
    const foreign = await tableOf(theirs.owner.client, await textBase(theirs.owner.client), 'a.csv', Buffer.from('name,body\nx,y'));
    const other = await tableOf(client, await textBase(client), 'a.csv', Buffer.from('name,body\nx,y'));
    for (const file_id of [foreign, other, newId()]) {
      await client.post(path('records/import'), { file_id }).expect(400);
      await client.post(path('records/import/preview'), { file_id }).expect(400);
    }
  });

  it('is for those who may write into the base, and stays in its workspace', async () => {
    const body = { rows: LAMPS };
    const viewer = (await ours.member('viewer')).client;
    const theirs = (await api.workspace()).owner.client;
    for (const what of ['records/import', 'records/import/preview']) {
      await viewer.post(path(what), body).expect(403);
      await theirs.post(path(what), body).expect(404);
    }
    await viewer.post(path('export'), {}).expect(200);
    await theirs.post(path('export'), {}).expect(404);
  });
});

describe('an export', () => {
  const exported = async (format: string): Promise<{ readonly text: string; readonly answer: Record<string, unknown> }> => {
    const answer = (await client.post(path('export'), { format }).expect(200)).body as Record<string, unknown> & { download_url: string };
    const bytes = Buffer.from(await (await fetch(answer.download_url)).arrayBuffer());
    return { text: bytes.toString('utf8'), answer };
  };
  const plain = async (ds_id: string): Promise<unknown[]> =>
    (await recordsOf(client, ds_id)).map((record) => {
      const { rec_name, rec_content, rec_external_id, rec_tags, rec_url, rec_language } = record;
      const { rec_status, rec_valid_from, rec_valid_until, rec_metadata } = record as unknown as Record<string, unknown>;
      return {
        rec_name,
        rec_content,
        rec_external_id,
        rec_tags,
        rec_url,
        rec_language,
        rec_status,
        rec_valid_from,
        rec_valid_until,
        rec_metadata,
      };
    });

  it.each(['jsonl', 'csv'])('[knowledge 11] as %s is read again by an import as equal records', async (format) => {
    const rows = [
      ...LAMPS,
      { rec_external_id: '=1+1', name: '-5 degrees', body: '=1+1', url: 'https://example.com/a?b=1' },
      { rec_external_id: 'tags', name: 'Tags', body: 'Tagged.', tags: ['red; blue', '[1]'] },
      { rec_external_id: 'quotes', name: 'He said "no", twice', body: "Two\nlines; and 'more'" },
    ];
    await imported(client, base, { rows });
    // What is neither published nor open-ended, and says more of itself.
    for (const [name, facts] of [
      ['Lamp 1', { rec_status: 'draft', rec_language: 'de', rec_metadata: { shelf: { row: 4 }, old: true } }],
      ['Lamp 2', { rec_valid_from: '2030-01-01T00:00:00.000Z', rec_valid_until: '2031-01-01T00:00:00.000Z' }],
      ['Lamp 3', { rec_status: 'archived' }],
    ] as const) {
      const known = (await recordsOf(client, base)).find(({ rec_name }) => rec_name === name);
      await client.patch(path(`records/${known?.rec_id ?? ''}`), facts).expect(200);
    }
    const { text, answer } = await exported(format);
    expect(answer).toMatchObject({
      file_type: format === 'csv' ? 'text/csv' : 'application/x-ndjson',
      record_count: 6,
      file_size: Buffer.byteLength(text),
    });
    if (format === 'csv') expect(text).toContain("'=1+1,");
    else expect(text.trim().split('\n')).toHaveLength(6);
    const before = await plain(base);
    base = await textBase(client);
    expect(await imported(client, base, { file_id: await tableOf(client, base, `back.${format}`, Buffer.from(text)) })).toMatchObject({
      status: 'completed',
      created: 6,
    });
    expect(await plain(base)).toEqual(before);
  });

  it('[knowledge 11] of a base with a schema is read again as well, in the locale of the workspace', async () => {
    await api.sql("UPDATE workspace SET ws_locale = 'de-DE' WHERE tenant_id = $1", [ours.tenant_id]);
    const first = (base = await priceBase());
    const { form_id } = (await client.get(`/knowledge-bases/${first}`).expect(200)).body as { form_id: string };
    await imported(client, base, {
      rows: [
        { sku: 'a', name: 'A', price: 1234.5, since: '2024-05-17', active: true, sum: '12.345', words: ['red; blue', 'green'] },
        { sku: 'b', name: 'B', price: -0.5, sum: '1.250' },
      ],
    });
    const before = await plain(first);
    expect(before).toMatchObject([{ rec_content: { sum: '12.345', words: ['red; blue', 'green'] } }, { rec_content: { sum: '1.250' } }]);
    for (const format of ['csv', 'jsonl']) {
      base = first;
      const { text } = await exported(format);
      if (format === 'csv') expect(text).toContain('1234,5');
      await client.delete(`/knowledge-bases/${first}/records/${(await recordsOf(client, first))[0]?.rec_id ?? ''}`).expect(204);
      expect(
        await imported(client, first, {
          file_id: await tableOf(client, first, `back.${format}`, Buffer.from(text)),
          mode: 'upsert',
          key: 'sku',
        }),
      ).toMatchObject({ created: 1, unchanged: 1 });
      expect(await plain(first)).toEqual(before);
    }
    expect(form_id).toMatch(/-/);
  });

  it.each(['csv', 'jsonl'])('[knowledge 11] keeps, as %s, in fields of JSON texts that say numbers and words', async (format) => {
    const first = (base = await priceBase());
    const rows = ['12', 'true', 'abc', 12, { a: '12' }].map((any, at) => ({ sku: `s${at}`, name: `n${at}`, any }));
    expect(await imported(client, base, { rows })).toMatchObject({ status: 'completed', created: 5 });
    const before = await plain(first);
    expect(before).toMatchObject(rows.map(({ any }) => ({ rec_content: { any } })));
    const { text } = await exported(format);
    const file_id = await tableOf(client, first, `back.${format}`, Buffer.from(text));
    expect(await imported(client, first, { file_id, mode: 'upsert', key: 'sku' })).toMatchObject({ status: 'completed', unchanged: 5 });
    expect(await plain(first)).toEqual(before);
  });

  it('is a job of the base, whose file is found there again', async () => {
    await imported(client, base, { rows: LAMPS });
    await exported('csv');
    const { data } = (await client.get(path('jobs?job_kind=export')).expect(200)).body as { data: { job_id: string }[] };
    const job = await readJob(client, base, data[0]?.job_id ?? '');
    expect(job).toMatchObject({ status: 'completed', done: 3, result: { record_count: 3, file_type: 'text/csv' } });
    expect((await fetch(job.result?.['download_url'] as string)).status).toBe(200);
    await client.post(path(`jobs/${job.job_id}/cancel`), {}).expect(409);
  });

  it('refuses an unknown format, naming it', async () => {
    const refused = await client.post(path('export'), { format: 'pdf' }).expect(400);
    expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'format' }] });
  });
});
