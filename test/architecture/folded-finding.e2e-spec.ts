import { newId, Problem } from '@atrium/platform/kernel';
import { testDatabase, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { PassageSearch } from '@atrium/retrieval';
import { addText, makeBase, readRecord } from '../knowledge/bases';
import { foundBy } from '../media/tagging';
import { startAtrium } from '../support/api';
import { ask, asAdmin, planInside } from './asking';

const MANY = 20_000;
const WRITTEN = 'Zoë Cafe\u0301 Strauß';
const SAID = ['zoë café strauss', 'ZOE\u0308 CAFÉ STRAUSS', 'CAFE\u0301 STRAUẞ', 'Café Strauß'];

let api: RunningApi;
let ours: TestWorkspace;
let admin: string;
beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace(['module-publication', 'module-documents']);
  admin = asAdmin(await testDatabase());
}, 120_000);
afterAll(() => api.close());

/** What a list answers for a text, by the name of its parameter. */
const read = async (path: string, query: object): Promise<readonly Record<string, unknown>[]> =>
  ((await ours.owner.client.get(path).query(query).expect(200)).body as { data: Record<string, unknown>[] }).data;

/** Rows beside the service, without what else is done where one is written. */
const fill = (statement: string): Promise<object[]> => ask(admin, `SET session_replication_role = replica; ${statement}; ANALYZE`);

const publication = (name: string, rows: string): string =>
  `INSERT INTO publication (tenant_id, pub_id, pub_file, pub_state, pub_version, pub_distribution, pub_file_name, pub_file_version, pub_repo_type)
   SELECT '${ours.tenant_id}', gen_random_uuid(), gen_random_uuid(), 'draft', 1, 'worldwide', ${name}, 1, 'media' FROM ${rows}`;
const person = (name: string, rows: string): string =>
  `INSERT INTO person (tenant_id, person_id, person_name) SELECT '${ours.tenant_id}', gen_random_uuid(), ${name} FROM ${rows}`;
const member = (name: string, rows: string): string =>
  `INSERT INTO workspace_user (tenant_id, user_id, user_email, user_name) SELECT '${ours.tenant_id}', gen_random_uuid(), gen_random_uuid() || '@example.com', ${name} FROM ${rows}`;

const hex = 'md5(n::text)';
const many = `generate_series(1, ${MANY}) n`;

describe.each([
  [
    'publications',
    publication,
    '/publications',
    ['search'],
    'pub_file_name',
    (text: string) => `SELECT publications_matching('${text}', 100)`,
    'publication_search',
  ],
  [
    'people of pictures',
    person,
    '/people',
    ['person_name', 'q'],
    'person_name',
    (text: string) => `SELECT people_matching('${text}', true)`,
    'person_names',
  ],
  [
    'members',
    member,
    '/admin/users',
    ['user_name', 'full_text_search'],
    'user_name',
    (text: string) => `SELECT users_search('any', '{%${text}%}', '{}')`,
    'workspace_user_search',
  ],
] as const)('%s', (_, insert, path, parameters, column, call, index) => {
  beforeAll(async () => {
    await fill(insert(hex, many));
    await fill(insert(`'${WRITTEN}'`, 'generate_series(1, 1)'));
  }, 180_000);

  it.each(parameters.flatMap((parameter) => SAID.map((said) => [parameter, said] as const)))(
    'are found by %s, whatever the case and form of the letters, and come out as they were written: %s',
    async (parameter, said) => {
      expect((await read(path, { [parameter]: said })).map((row) => row[column])).toEqual([WRITTEN]);
      expect(await read(path, { [parameter]: `${said}x` })).toEqual([]);
    },
  );

  it('are looked for by their index among very many', async () => {
    const plan = await planInside(admin, ours.tenant_id, call('CAFÉ STRAUSS'));
    expect(plan).toContain(`Bitmap Index Scan on ${index}`);
    expect(plan).not.toContain('Seq Scan');
  });
});

describe('files', () => {
  it('are found by their names with letters in one piece or with their marks apart', async () => {
    const { client } = ours.owner;
    const file_name = 'Zoë im Café.md';
    const { file_id } = (
      await client.post('/files', { file_repo: { library: ['media'] }, file_name: file_name.normalize('NFD') }).expect(201)
    ).body as { file_id: string };
    for (const q of ['Café', 'cafe\u0301', 'ZOE\u0308'])
      expect((await read('/files/search', { q })).map((file) => [file.file_id, file.file_name])).toEqual([[file_id, file_name]]);
    for (const [op, value] of [
      ['contains', 'CAFE\u0301'],
      ['starts_with', 'zoe\u0308 i'],
      ['eq', file_name.normalize('NFD')],
    ])
      expect(await foundBy(client, { where: { field: 'file_name', op, value } })).toEqual([file_id]);
  });
});

describe('records whose meaning is not known', () => {
  it('are found by their names in any case and form of the letters, by their texts as these are written or fold, and come out as they were written', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const body = `Am Ende der Allee: Cafe\u0301 Grosse Bucht, ${newId()}`;
    const { rec_id } = await addText(client, ds_id, WRITTEN, body);
    const found = async (embedding_search: string): Promise<unknown[]> =>
      (await read(`/knowledge-bases/${ds_id}/records`, { embedding_search })).map((row) => row.rec_name);
    const broken = jest.spyOn(PassageSearch.prototype, 'searchPassages').mockRejectedValue(new Problem('upstream_failed', 'No answer.'));
    try {
      for (const said of SAID) expect([said, await found(said)]).toEqual([said, [WRITTEN]]);
      for (const said of ['CAFÉ GROßE', 'café grosse bu', 'CAFE\u0301 GROSSE'])
        expect([said, await found(said)]).toEqual([said, [WRITTEN]]);
      expect(await found('Cafe Grosse')).toEqual([]);
    } finally {
      broken.mockRestore();
    }
    expect((await readRecord(client, ds_id, rec_id)).rec_content).toEqual({ body });
  });
});
