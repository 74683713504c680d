import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase, readSteps } from '@atrium/platform/database';
import { folded, newId } from '@atrium/platform/kernel';
import {
  createEmptyDatabase,
  dropTestDatabase,
  testDatabase,
  type Client,
  type RunningApi,
  type TestDatabase,
  type TestWorkspace,
} from '@atrium/platform/testing';
import { makeObject, makeSchema } from '../objects/objects';
import { startAtrium } from '../support/api';
import { makeUpRow } from './made-up-rows';
import { ask, asAdmin } from './asking';

const MIGRATIONS = join(__dirname, '../../migrations');
/** The last step in which names were compared by their small letters alone. */
const BEFORE = '0135';
const [APART, COMPOSED] = ['Cafe\u0301 Strasse', 'CAFÉ STRASSE'];

/** Behind it are no letters that fold. */
const END = 0x20000;

/** What names that must be unique consist of that is no text of people. */
const EXACT: Readonly<Record<string, string>> = {
  account_acc_email_key: 'addresses are stored as they are compared',
  workspace_user_tenant_id_user_email_key: 'addresses are stored as they are compared',
  media_analysis_schema_tenant_id_mas_name_key: 'a key of small ASCII letters',
  model_provider_tenant_id_mp_name_key: 'a key of small ASCII letters',
  schedule_pkey: 'a name that the code gives',
  stream_fence_pkey: 'a name that the code gives',
};

/** Latin, Greek and Cyrillic, and letters that fold to others. */
const isOld = (code: number): boolean =>
  code <= 0x52f || (code >= 0x1c80 && code <= 0x1c88) || (code >= 0x1e00 && code <= 0x1fff) || (code >= 0xfb00 && code <= 0xfb17);

describe('texts', () => {
  it('fold in the database as they do in the service, letter by letter', async () => {
    const { ownerUrl } = await testDatabase();
    const differing: string[] = [];
    let folds = 0;
    for (let from = 1; from < END; from += 0x8000) {
      const codes = Array.from({ length: 0x8000 }, (_, at) => from + at).filter((code) => code < END && (code < 0xd800 || code > 0xdfff));
      const rows = await ask<{ f: string }>(
        ownerUrl,
        'SELECT folded(t) AS f FROM unnest($1::text[]) WITH ORDINALITY AS u (t, at) ORDER BY at',
        { values: [codes.map((code) => String.fromCodePoint(code))] },
      );
      rows.forEach(({ f }, at) => {
        const letter = String.fromCodePoint(codes[at]!);
        if (folded(letter) !== letter) folds++;
        // A letter that one of the two does not know yet stays as it is there; letters of old are known to both.
        if (f !== folded(letter) && (isOld(codes[at]!) || (f !== letter && folded(letter) !== letter)))
          differing.push(`${letter} ${f} ${folded(letter)}`);
      });
    }
    expect(differing).toEqual([]);
    expect(folds).toBeGreaterThan(1_500);
  });

  it.each([
    [APART, COMPOSED],
    ['Straße', 'STRASSE'],
    ['HAUPTSTRAẞE', 'hauptstrasse'],
    ['ΟΔΟΣ', 'οδος'],
    ['Οδός', 'ΟΔΌΣ'],
    ['İstanbul', 'i\u0307STANBUL'],
    ['ᾳ', 'αι'],
    ['ﬁn', 'FIN'],
    ['Å', '\u212B'],
  ])('of people say the same in both: %s, %s', async (one, other) => {
    const { ownerUrl } = await testDatabase();
    expect(folded(one)).toBe(folded(other));
    expect(await ask(ownerUrl, 'SELECT folded($1) AS one, folded($2) AS other', { values: [one, other] })).toEqual([
      { one: folded(one), other: folded(one) },
    ]);
  });

  it('stay in the form they are written in where they are long, so that no number of marks takes long', async () => {
    const { ownerUrl } = await testDatabase();
    const marks = `STRAẞE${'\u0301\u0316'.repeat(50_000)}`;
    const began = process.cpuUsage();
    expect(folded(marks)).toBe(`strasse${marks.slice(6)}`);
    expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
    expect(await ask(ownerUrl, 'SELECT folded($1) = $2 AS same', { values: [marks, folded(marks)] })).toEqual([{ same: true }]);
    for (const length of [3_999, 4_000, 4_001]) {
      const text = `e\u0301${'𝒳'.repeat(length - 2)}`;
      expect(await ask(ownerUrl, 'SELECT folded($1) = $2 AS same', { values: [text, folded(text)] })).toEqual([{ same: true }]);
      expect(folded(text).startsWith('é')).toBe(length <= 4_000);
    }
  });

  it('are not the same for a letter without its dot', () => expect(folded('Işık')).not.toBe(folded('Isik')));
});

describe('names that must be unique', () => {
  it('are compared folded by every index of the schema', async () => {
    const { ownerUrl } = await testDatabase();
    const indexes = await ask<{ name: string; definition: string; words: boolean }>(
      ownerUrl,
      `SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition,
              EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) AND (a.atttypid = 'text'::regtype AND a.attname ~ '_(name|title|email|label)(_key)?$' OR a.atttypid = to_regtype('citext'))) AS words
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public' WHERE i.indisunique`,
    );
    expect(indexes.filter(({ definition }) => definition.includes('folded(')).length).toBeGreaterThan(15);
    expect(indexes.filter(({ definition }) => definition.includes('lower('))).toEqual([]);
    expect(
      indexes
        .filter(({ words }) => words)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(Object.keys(EXACT).sort());
  });

  it('are in no column of a type that compares by small letters alone', async () => {
    const { ownerUrl } = await testDatabase();
    expect(
      await ask(
        ownerUrl,
        "SELECT attrelid::regclass AS name, attname FROM pg_attribute WHERE atttypid = to_regtype('citext') AND attnum > 0",
      ),
    ).toEqual([]);
  });

  it('are compared by what the function does, put into statements and into the expressions of indexes alike', async () => {
    const { ownerUrl } = await testDatabase();
    expect(await ask(ownerUrl, "SELECT proisstrict, folded(NULL) IS NULL AS null FROM pg_proc WHERE proname = 'folded'")).toEqual([
      { proisstrict: false, null: true },
    ]);
    const plan = await ask<{ 'QUERY PLAN': string }>(
      `${ownerUrl}?options=-c%20enable_seqscan%3Doff`,
      "EXPLAIN SELECT FROM role WHERE tenant_id = gen_random_uuid() AND folded(role_name) = folded('STRASSE')",
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toContain('role_name_unique');
    expect(text).not.toContain('folded(');
  });
});

describe('names that say the same', () => {
  let api: RunningApi;
  let ours: TestWorkspace;
  let client: Client;
  beforeAll(async () => {
    api = await startAtrium();
    ours = await api.workspace(['module-objects']);
    client = ours.owner.client;
  });
  afterAll(() => api.close());

  it.each([
    ['/knowledge-bases', (ds_name: string) => ({ ds_name })],
    ['/agents', (agent_name: string) => ({ agent_name })],
    ['/spaces', (space_name: string) => ({ space_name })],
    ['/prompts', (prompt_name: string) => ({ prompt_name, prompt_text: 'x' })],
    ['/admin/roles', (role_name: string) => ({ role_name, role_permissions: ['media:view'] })],
    ['/object-schemas', (form_name: string) => ({ form_name, form_config: { fields: [{ key: 'a', type: 'text', label: 'A' }] } })],
    ['/object-taxonomies', (tax_name: string) => ({ tax_name })],
    ['/sites', (site_name: string) => ({ site_name })],
    ['/content-schema-libraries', (lib_name: string) => ({ lib_name })],
    ['/admin/media-tag-groups', (mtg_name: string) => ({ mtg_name })],
    ['/distribution/restrictions', (dr_name: string) => ({ dr_name, dr_kind: 'territory', dr_effect: 'deny', dr_values: ['DE'] })],
  ])('are one name at %s, and come out as they went in', async (path, body) => {
    const { body: made } = await client.post(path, body(APART)).expect(201);
    expect(Object.values(made as object)).toContain(APART);
    expect((await client.post(path, body(COMPOSED)).expect(409)).body.code).toBe('already_exists');
  });

  it('are found by either in lists', async () => {
    const { ds_id } = (await client.post('/knowledge-bases', { ds_name: `Große Mole ${APART} 7` }).expect(201)).body as { ds_id: string };
    for (const ds_name of ['GROSSE MOLE', 'große', 'Café', 'cafe\u0301']) {
      const { data } = (await client.get('/knowledge-bases').query({ ds_name }).expect(200)).body as { data: { ds_id: string }[] };
      expect(data.map((base) => base.ds_id)).toContain(ds_id);
    }
  });

  it('are one value of content that must be unique, and one for its filters', async () => {
    const street = { key: 'street', type: 'text', label: 'Street', unique: true, filterable: true };
    const note = { key: 'note', type: 'long_text', label: 'Note', filterable: true };
    const { form_id } = await makeSchema(client, [street, note]);
    const { obj_id } = await makeObject(client, form_id, { name: 'One', street: APART, note: `${'x '.repeat(200)} Große Bucht` });
    await client.post('/objects', { obj_form: form_id, obj_content: { name: 'Two', street: COMPOSED } }).expect(409);
    for (const filter of [
      { 'obj_content[street]': COMPOSED },
      { 'obj_content[street]': 'café straße' },
      { 'obj_content[street][contains]': 'É STRA' },
      { 'obj_content[note][contains]': 'GROSSE BUCHT' },
    ]) {
      const { data } = (
        await client
          .get('/objects')
          .query({ obj_form: form_id, ...filter })
          .expect(200)
      ).body as { data: { obj_id: string }[] };
      expect(data.map((found) => found.obj_id)).toEqual([obj_id]);
    }
  });

  it('keep a field from becoming unique, and are quoted as they are stored', async () => {
    const { form_id, form_config } = await makeSchema(client, [{ key: 'street', type: 'text', label: 'Street' }]);
    for (const street of ['Straße', 'STRASSE']) await makeObject(client, form_id, { name: street, street });
    const fields = (form_config as { fields: { key: string }[] }).fields.map((field) =>
      field.key === 'street' ? { ...field, unique: true } : field,
    );
    const { body } = await client.patch(`/object-schemas/${form_id}`, { form_config: { ...(form_config as object), fields } }).expect(409);
    expect(body.errors[0].message).toBe('"STRASSE" is stored 2 times.');
  });

  it('are one tag, by its value and by its synonyms', async () => {
    const { mtg_id } = (await client.post('/admin/media-tag-groups', { mtg_name: `Places ${newId()}` }).expect(201)).body as {
      mtg_id: string;
    };
    await client.post('/media-tags', { mt_group: mtg_id, mt_value: APART, mt_synonyms: ['Große Mole'] }).expect(201);
    await client.post('/media-tags', { mt_group: mtg_id, mt_value: COMPOSED }).expect(409);
    await client.post('/media-tags', { mt_group: mtg_id, mt_value: 'GROSSE MOLE' }).expect(409);
    const { data } = (await client.get('/media-tags').query({ mt_group: mtg_id, mt_value: 'É STR' }).expect(200)).body as {
      data: object[];
    };
    expect(data).toMatchObject([{ mt_value: APART }]);
  });
});

/** What else is unique in a table beside names: expressions for its columns. */
const UNLIKE: Readonly<Record<string, (id: string) => Readonly<Record<string, unknown>>>> = {
  media_status_flow: () => ({ msf_active: false }),
  taxonomy: (id) => ({ tax_slug: id }),
  term: (id) => ({ term_slug: id }),
};

/** A table in which the step renames, as its text says it. */
interface Renaming {
  readonly table: string;
  readonly id: string;
  readonly name: string;
  readonly within: readonly string[];
}

const RENAMES =
  /SELECT tenant_id, (\w+), row_number\(\) OVER \(PARTITION BY tenant_id, (.*?)folded\((\w+)\) ORDER BY \w+\) AS place FROM (\w+)/g;
const renamings: readonly Renaming[] = [...readFileSync(join(MIGRATIONS, '0140-folded-names.sql'), 'utf8').matchAll(RENAMES)].map(
  ([, id, within, name, table]) => ({
    table: table!,
    id: id!,
    name: name!,
    // A parent is named for its column alone.
    within: [...within!.matchAll(/\b([a-z]+_[a-z]+)\b/g)].map(([, column]) => column!),
  }),
);

describe('the steps that fold what is stored', () => {
  let folder: string;
  let database: TestDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-steps-'));
    for (const { name } of readSteps(MIGRATIONS))
      if (name.slice(0, 4) <= BEFORE) await copyFile(join(MIGRATIONS, name), join(folder, name));
    database = await createEmptyDatabase();
  }, 120_000);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await dropTestDatabase(database);
  });

  /** In each table three rows of which the first two say the same, and the two of another workspace with one of these names each. */
  async function nameTwice(admin: string): Promise<readonly string[]> {
    const tenants = [newId(), newId(), newId()];
    for (const tenant of tenants)
      await ask(admin, "INSERT INTO workspace (tenant_id, ws_name, ws_slug) VALUES ($1::uuid, 'Twice', 'twice-' || right($1::text, 12))", {
        values: [tenant],
      });
    const place = newId();
    for (const { table, id, name, within } of renamings) {
      const kinds = await ask<{ column: string; kind: string }>(
        admin,
        'SELECT attname AS column, atttypid::regtype::text AS kind FROM pg_attribute WHERE attrelid = $1::regclass AND attname = ANY($2)',
        { values: [table, within] },
      );
      const places = Object.fromEntries(kinds.filter(({ kind }) => kind === 'uuid').map(({ column }) => [column, place]));
      for (const [at, written] of ['Straße', 'STRASSE', 'Gasse', 'Straße', 'STRASSE'].entries())
        await makeUpRow(admin, table, {
          ...places,
          ...UNLIKE[table]?.(newId()),
          tenant_id: tenants[Math.max(0, at - 2)]!,
          [id]: newId(),
          [name]: written,
        });
    }
    return tenants;
  }

  async function expectRenamed(admin: string, [ours, ...others]: readonly string[]): Promise<void> {
    for (const { table, id, name } of renamings) {
      const names = async (tenant: string | undefined): Promise<{ id: string; name: string; row_version: number }[]> =>
        ask(admin, `SELECT ${id} AS id, ${name} AS name, row_version FROM ${table} WHERE tenant_id = $1 ORDER BY ${id}`, {
          values: [tenant],
        });
      const [first, second, third] = await names(ours);
      expect([table, first?.name, second?.name, third?.name]).toEqual([table, 'Straße', `STRASSE (${second?.id})`, 'Gasse']);
      expect([first?.row_version, second?.row_version, third?.row_version]).toEqual([1, 2, 1]);
      const elsewhere = await Promise.all(others.map(names));
      expect(elsewhere.flat().map((row) => [row.name, row.row_version])).toEqual([
        ['Straße', 1],
        ['STRASSE', 1],
      ]);
    }
  }

  it('name every table in which they rename', () => expect(renamings.map(({ table }) => table)).toContain('role'));

  it('leave all names and values, and give a later one that says the same its id', async () => {
    await migrateDatabase(database.ownerUrl, folder);
    const admin = asAdmin(database);
    const [tenant, group, form, tax] = [newId(), newId(), newId(), newId()];
    const put = (text: string, ...values: unknown[]): Promise<unknown[]> => ask(admin, text, { values: [tenant, ...values] });
    await put("INSERT INTO workspace (tenant_id, ws_name, ws_slug) VALUES ($1, 'Old', 'old')");
    const [first, second, third] = [newId(), newId(), newId()];
    for (const [id, name] of [
      [first, 'Straße'],
      [second, 'STRASSE'],
      [third, 'strasse'.toUpperCase() + ' 2'],
    ] as const)
      await put('INSERT INTO role (tenant_id, role_id, role_name, role_permissions) VALUES ($1, $2, $3, ARRAY[]::text[])', id, name);
    await put("INSERT INTO media_tag_group (tenant_id, mtg_id, mtg_name) VALUES ($1, $2, 'Place')", group);
    const [mole, pier] = [newId(), newId()];
    await put(
      "INSERT INTO media_tag (tenant_id, mt_id, mt_group, mt_value, mt_synonyms) VALUES ($1, $2, $3, 'Große Mole', '{Kai}')",
      mole,
      group,
    );
    await put(
      "INSERT INTO media_tag (tenant_id, mt_id, mt_group, mt_value, mt_synonyms) VALUES ($1, $2, $3, 'Pier', '{Grosse Mole}')",
      pier,
      group,
    );
    const config = { fields: [{ key: 'street', type: 'text', label: 'Street', unique: true, filterable: true }] };
    await put(
      "INSERT INTO form (tenant_id, form_id, form_kind, form_name, form_config) VALUES ($1, $2, 'object', 'Places', $3)",
      form,
      config,
    );
    for (const [id, street] of [
      [first, 'Gasse'],
      [second, 'Straße'],
      [third, 'STRASSE'],
    ] as const) {
      await put(
        "INSERT INTO object (tenant_id, obj_id, obj_form, obj_name, obj_text, obj_content) VALUES ($1, $2, $3, 'x', '', $4)",
        id,
        form,
        {
          street,
        },
      );
      await put(
        "INSERT INTO form_unique (tenant_id, form_id, field_key, value_hash, owner_id) VALUES ($1, $2, 'street', sha256(convert_to(normalize($3, NFC), 'UTF8')), $4)",
        form,
        street,
        id,
      );
      await put(
        "INSERT INTO form_value (tenant_id, owner_id, field_key, position, form_id, value_text) VALUES ($1, $2, 'street', 0, $3, lower($4))",
        id,
        form,
        street,
      );
    }
    await put(
      "INSERT INTO form_value (tenant_id, owner_id, field_key, position, form_id, value_text) VALUES ($1, $2, 'note', 0, $3, 'am hafen~0123456789abcdefghijkl')",
      first,
      form,
    );
    await makeUpRow(admin, 'memory', { tenant_id: tenant, mem_value: 'Ο ΔΡΌΜΟΣ', mem_hash: 'of before' });
    await makeUpRow(admin, 'memory', { tenant_id: tenant, mem_value: 'Straße', mem_hash: 'as it is' });
    const tenants = await nameTwice(admin);
    await put("INSERT INTO taxonomy (tenant_id, tax_id, tax_name, tax_slug) VALUES ($1, $2, 'Parts', 'parts')", tax);
    await put(
      "INSERT INTO term (tenant_id, term_id, term_taxonomy, term_name, term_slug, term_words, term_lineage) VALUES ($1, $2, $3, 'Größe', 'size', 'größe', replace($2::uuid::text, '-', ''))",
      newId(),
      tax,
    );

    await migrateDatabase(database.ownerUrl, MIGRATIONS);
    expect(await migrateDatabase(database.ownerUrl, MIGRATIONS)).toBe(0);
    await expectRenamed(admin, tenants);

    expect(await put('SELECT role_name FROM role WHERE tenant_id = $1 ORDER BY role_id')).toEqual([
      { role_name: 'Straße' },
      { role_name: `STRASSE (${second})` },
      { role_name: 'STRASSE 2' },
    ]);
    expect(await put('SELECT mtw_word, mtw_tag FROM media_tag_word WHERE tenant_id = $1 ORDER BY mtw_word COLLATE "C"')).toEqual([
      { mtw_word: 'grosse mole', mtw_tag: expect.any(String) as string },
      { mtw_word: 'kai', mtw_tag: mole },
      { mtw_word: 'pier', mtw_tag: pier },
    ]);
    expect(await put('SELECT value_text, value_folded FROM form_value WHERE tenant_id = $1 ORDER BY owner_id, field_key')).toEqual([
      { value_text: 'am hafen~0123456789abcdefghijkl', value_folded: false },
      { value_text: 'gasse', value_folded: true },
      { value_text: 'strasse', value_folded: true },
      { value_text: 'strasse', value_folded: true },
    ]);
    expect(await put('SELECT owner_id FROM form_unique WHERE tenant_id = $1 AND NOT value_folded')).toEqual([{ owner_id: third }]);
    expect(await put('SELECT mem_value, mem_hash FROM memory WHERE tenant_id = $1 ORDER BY mem_value COLLATE "C"')).toEqual([
      { mem_value: 'Straße', mem_hash: 'as it is' },
      { mem_value: 'Ο ΔΡΌΜΟΣ', mem_hash: createHash('sha256').update('ο δρόμοσ').digest('hex') },
    ]);
    const hash = "encode(sha256(convert_to($2, 'UTF8')), 'hex')";
    const owner = (value: string): Promise<unknown[]> =>
      put(`SELECT owner_id FROM form_unique WHERE tenant_id = $1 AND encode(value_hash, 'hex') = ${hash}`, value);
    expect([await owner('gasse'), await owner('strasse'), await owner('STRASSE')]).toEqual([
      [{ owner_id: first }],
      [{ owner_id: second }],
      [{ owner_id: third }],
    ]);
    expect(await put('SELECT term_words FROM term WHERE tenant_id = $1')).toEqual([{ term_words: folded('Größe') }]);
    // As a host of the release before writes them.
    await put("UPDATE term SET term_words = lower('Straßen') WHERE tenant_id = $1");
    expect(await put('SELECT term_words FROM term WHERE tenant_id = $1')).toEqual([{ term_words: 'strassen' }]);
  }, 180_000);
});
