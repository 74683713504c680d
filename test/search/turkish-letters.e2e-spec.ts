import { join } from 'node:path';
import { migrateDatabase } from '@atrium/platform/database';
import { dotless, newId } from '@atrium/platform/kernel';
import { createEmptyDatabase, dropTestDatabase, testDatabase, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { makeAgent } from '../ai/agents';
import { openThread, say } from '../ai/talking';
import { ask, asAdmin } from '../architecture/asking';
import { addText, makeBase } from '../knowledge/bases';
import { foundBy, makeGroup, makeTag } from '../media/tagging';
import { addTerm, makeTaxonomy } from '../objects/classifying';
import { field, makeObject, makeSchema } from '../objects/objects';
import { startAtrium } from '../support/api';

const MIGRATIONS = join(__dirname, '../../migrations');
const BEFORE = '0158-partial-file-jobs.sql';
/** Two texts with the same words, each by other letters; the second has its dots apart. */
const TEXTS = ['Isparta: ısı ve IŞIK', 'Isı, I\u0307SPARTA I\u015E\u0131K'] as const;
const SOUGHT = [
  'ısı',
  'isi',
  'İSİ',
  'I\u0307SI\u0307',
  'ISI',
  'ISPARTA',
  'ısparta',
  'Isparta',
  'isparta',
  'İsparta',
  'ışık',
  'IŞIK',
  'işik',
];

let api: RunningApi;
let ours: TestWorkspace;
let admin: string;
beforeAll(async () => {
  api = await startAtrium();
  ours = await workspace();
  admin = asAdmin(await testDatabase());
}, 120_000);
afterAll(() => api.close());

const workspace = (): Promise<TestWorkspace> => api.workspace(['module-documents', 'module-objects', 'module-publication']);

type Row = Readonly<Record<string, unknown>>;
const read = async (path: string, query: object): Promise<readonly Row[]> =>
  ((await ours.owner.client.get(path).query(query).expect(200)).body as { data: Row[] }).data;
const made = async (path: string, body: object, id: string): Promise<string> =>
  String(((await ours.owner.client.post(path, body).expect(201)).body as Row)[id]);

interface Kind {
  /** Makes one with the text; answers its id. */
  readonly make: (text: string) => Promise<string>;
  /** Ids of those that a search finds. */
  readonly find: (text: string) => Promise<readonly unknown[]>;
}

const listed = (path: string, parameter: string, id: string): Kind['find'] => {
  return async (text) => (await read(path, { [parameter]: text })).map((row) => row[id]);
};

/** Every search by words. */
const WORDS: Readonly<Record<string, () => Promise<Kind> | Kind>> = {
  albums: () => ({
    make: (album_name) => made('/albums', { album_name }, 'album_id'),
    find: listed('/albums', 'full_text_search', 'album_id'),
  }),
  agents: () => ({
    make: async (agent_description) => (await makeAgent(ours.owner.client, { agent_name: newId(), agent_description })).agent_id,
    find: listed('/agents', 'full_text_search', 'agent_id'),
  }),
  prompts: () => ({
    make: (prompt_text) => made('/prompts', { prompt_name: newId(), prompt_text }, 'prompt_id'),
    find: listed('/prompts', 'full_text_search', 'prompt_id'),
  }),
  'titles of threads': () => ({
    make: async (thread_title) => (await openThread(ours.owner.client, { thread_title })).thread_id,
    find: listed('/threads', 'full_text_search', 'thread_id'),
  }),
  messages: async () => {
    const { thread_id } = await openThread(ours.owner.client);
    return {
      make: async (text) => (await say(ours.owner.client, thread_id, text, { run_options: { run: false } })).msg_id,
      find: listed(`/threads/${thread_id}/messages`, 'full_text_search', 'msg_id'),
    };
  },
  records: async () => {
    const { ds_id } = await makeBase(ours.owner.client);
    return {
      make: async (text) => (await addText(ours.owner.client, ds_id, newId(), text)).rec_id,
      find: listed(`/knowledge-bases/${ds_id}/records`, 'full_text_search', 'rec_id'),
    };
  },
  objects: async () => {
    const { form_id } = await makeSchema(ours.owner.client);
    return {
      make: async (name) => (await makeObject(ours.owner.client, form_id, { name })).obj_id,
      find: listed('/objects', 'full_text_search', 'obj_id'),
    };
  },
  'words of files': () => ({
    make: (file_summary) => file({ file_summary }),
    find: (text) => foundBy(ours.owner.client, { text }),
  }),
};

/** Every list that looks for a part of a text; those of people beside the service, which makes them otherwise. */
const NAMES: Readonly<Record<string, () => Promise<Kind> | Kind>> = {
  'names of files': () => ({
    make: (name) => file({ file_name: `${name.replace(':', ' -')}.md` }),
    find: listed('/files/search', 'q', 'file_id'),
  }),
  'names of files by a condition': () => ({
    make: (name) => file({ file_name: `x ${name.replace(':', ' -')}.md` }),
    find: (value) => foundBy(ours.owner.client, { where: { field: 'file_name', op: 'contains', value } }),
  }),
  'summaries of files': () => ({
    make: (file_summary) => file({ file_summary }),
    find: (value) => foundBy(ours.owner.client, { where: { field: 'file_summary', op: 'contains', value } }),
  }),
  'metadata of files': () => ({
    make: (place) => file({ file_metadata: { place } }),
    find: (value) => foundBy(ours.owner.client, { where: { field: 'metadata.place', op: 'contains', value } }),
  }),
  'names of albums': () => ({
    make: (album_name) => made('/albums', { album_name: `x ${album_name}` }, 'album_id'),
    find: listed('/albums', 'album_name', 'album_id'),
  }),
  'names of agents': () => ({
    make: async (agent_name) => (await makeAgent(ours.owner.client, { agent_name })).agent_id,
    find: listed('/agents', 'agent_name', 'agent_id'),
  }),
  'names of spaces': () => ({
    make: (space_name) => made('/spaces', { space_name }, 'space_id'),
    find: listed('/spaces', 'space_name', 'space_id'),
  }),
  'names of bases': () => ({
    make: async (ds_name) => (await makeBase(ours.owner.client, { ds_name })).ds_id,
    find: listed('/knowledge-bases', 'ds_name', 'ds_id'),
  }),
  'names of terms': async () => {
    const tax_id = await makeTaxonomy(ours.owner.client);
    return {
      make: async (name) => (await addTerm(ours.owner.client, tax_id, name)).term_id,
      find: listed(`/object-taxonomies/${tax_id}/terms`, 'term_name', 'term_id'),
    };
  },
  tags: async () => {
    const mt_group = await makeGroup(ours.owner.client, { mtg_name: newId() });
    return { make: (mt_value) => makeTag(ours.owner.client, { mt_group, mt_value }), find: listed('/media-tags', 'q', 'mt_id') };
  },
  'values of objects': async () => {
    const { form_id } = await makeSchema(ours.owner.client, [field('place', 'text', { filterable: true })]);
    return {
      make: async (place) => (await makeObject(ours.owner.client, form_id, { name: newId(), place })).obj_id,
      find: listed(`/objects?obj_form=${form_id}`, 'obj_content[place][contains]', 'obj_id'),
    };
  },
  'people of pictures': () => ({
    make: (name) => beside('person', { person_id: newId(), person_name: name }, 'person_id'),
    find: listed('/people', 'q', 'person_id'),
  }),
  members: () => ({
    make: (user_name) => beside('workspace_user', { user_id: newId(), user_email: `${newId()}@example.com`, user_name }, 'user_id'),
    find: listed('/admin/users', 'full_text_search', 'user_id'),
  }),
  publications: () => ({
    make: (pub_file_name) =>
      beside(
        'publication',
        {
          pub_id: newId(),
          pub_file: newId(),
          pub_state: 'draft',
          pub_version: 1,
          pub_distribution: 'worldwide',
          pub_file_name,
          pub_file_version: 1,
          pub_repo_type: 'media',
        },
        'pub_id',
      ),
    find: listed('/publications', 'search', 'pub_id'),
  }),
};

/** A row beside the service. */
async function beside(table: string, row: Row, id: string): Promise<string> {
  const values = Object.values({ tenant_id: ours.tenant_id, ...row }).map((value) => `'${String(value)}'`);
  await ask(
    admin,
    `SET session_replication_role = replica; INSERT INTO ${table} (${Object.keys({ tenant_id: ours.tenant_id, ...row }).join(', ')}) VALUES (${values.join(', ')})`,
  );
  return String(row[id]);
}

/** A file, with what is said of it later. */
async function file({ file_name = `${newId()}.md`, ...said }: { readonly file_name?: string } & Row): Promise<string> {
  const file_id = await made('/files', { file_repo: { library: ['media'] }, file_name }, 'file_id');
  if (Object.keys(said).length > 0) await ours.owner.client.put(`/files/${file_id}`, said).expect(200);
  return file_id;
}

describe.each(Object.entries({ ...WORDS, ...NAMES }))('%s', (_, kindOf) => {
  let kind: Kind;
  let ids: string[];
  beforeAll(async () => {
    ours = await workspace();
    kind = await kindOf();
    ids = [];
    for (const text of TEXTS) ids.push(await kind.make(text));
    await kind.make('İzmir: sis');
  }, 60_000);

  it.each(SOUGHT)('are found with any i: %s', async (text) => {
    expect([...(await kind.find(text))].sort()).toEqual([...ids].sort());
  });

  it('are not found by other letters', async () => {
    expect(await kind.find('eşek')).toEqual([]);
  });
});

describe('what is found', () => {
  it('is a file by its words in another order or with a slip, and two names that differ by a dot are two', async () => {
    ours = await workspace();
    const red = await file({ file_name: 'Işık kırmızı.pdf' });
    const river = await file({ file_name: 'Kızılırmak.pdf' });
    const found = async (q: string): Promise<unknown[]> => (await read('/files/search', { q })).map(({ file_id }) => file_id);
    expect(await found('kırmızı ışık')).toEqual([red]);
    expect(await found('kızılırmk')).toEqual([river]);
    for (const name of ['Isı', 'Isi']) await made('/spaces', { space_name: name }, 'space_id');
  });

  it('comes out as it was written, and its words are marked where they are', async () => {
    const { client } = ours.owner;
    const word = 'Kızılırmak';
    const { thread_id } = await openThread(client);
    await say(client, thread_id, `Nehir: ${word}.`, { run_options: { run: false } });
    for (const q of ['kizilirmak', 'KIZILIRMAK', 'KİZİLİRMAK', word]) {
      const [hit] = (await read('/threads/search', { q })) as unknown as readonly {
        snippet: { text: string; matches: { start: number; end: number }[] };
      }[];
      expect(hit?.snippet.matches.map(({ start, end }) => hit.snippet.text.slice(start, end))).toEqual([word]);
    }
  });
});

describe('the letter i of searches', () => {
  it('is the same in the database and in the service', async () => {
    for (const text of [...TEXTS, ...SOUGHT, 'İi\u0307ıIî', 'Dışişleri İ\u0307', ''])
      expect(await ask(admin, 'SELECT dotless($1) AS one', { values: [text] })).toEqual([{ one: dotless(text) }]);
    expect(dotless('ıIİi\u0307I\u0307i')).toBe('iiiiii');
  });
});

describe('words of before', () => {
  it('are found by any i after the upgrade', async () => {
    const database = await createEmptyDatabase();
    try {
      const [tenant, album, message, record] = [newId(), newId(), newId(), newId()];
      await migrateDatabase(database.ownerUrl, MIGRATIONS, undefined, { until: BEFORE });
      const old = asAdmin(database);
      const put = (statement: string): Promise<object[]> => ask(old, `SET session_replication_role = replica; ${statement}`);
      await put(`INSERT INTO album (tenant_id, album_id, album_name, album_path_ids) VALUES ('${tenant}', '${album}', 'ISI ısı', '{}')`);
      await put(
        `INSERT INTO message (tenant_id, msg_id, msg_thread, msg_role, msg_text) VALUES ('${tenant}', '${message}', gen_random_uuid(), 'user', 'Işık')`,
      );
      await put(
        `INSERT INTO knowledge_record (tenant_id, rec_id, rec_base, rec_name, rec_content, rec_hash, rec_text, rec_tsv) VALUES ('${tenant}', '${record}', gen_random_uuid(), 'n', '{}', '', '', setweight(to_tsvector('simple', 'ısı isi'), 'A'))`,
      );
      await migrateDatabase(database.ownerUrl, MIGRATIONS);
      const words = (query: string): Promise<object[]> => ask(old, query);
      expect(await words('SELECT album_fts::text AS words FROM album')).toEqual([{ words: "'isi':1,2" }]);
      expect(await words('SELECT msg_tsv::text AS words FROM message')).toEqual([{ words: "'işik':1" }]);
      expect(await words('SELECT rec_tsv::text AS words FROM knowledge_record')).toEqual([{ words: "'isi':1A,2A" }]);
      await words(`UPDATE message SET msg_tsv = 'other' WHERE msg_id = '${message}'`);
      expect(await words('SELECT msg_tsv::text AS words FROM message')).toEqual([{ words: "'işik':1" }]);
    } finally {
      await dropTestDatabase(database);
    }
  }, 180_000);
});
