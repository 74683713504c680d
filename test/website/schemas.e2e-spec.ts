import { newId } from '@atrium/platform/kernel';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { inTurn } from '../support/in-turn';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeSite, plantPage, type SiteAnswer } from './sites';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
});
beforeEach(async () => {
  ours = await api.workspace();
  ({ client } = ours.owner);
});
afterAll(() => api.close());

interface Library {
  readonly lib_id: string;
  readonly lib_name: string;
  readonly lib_active: boolean;
  readonly lib_template_count: number;
}

interface Schema {
  readonly tpl_id: string;
  readonly tpl_key: string;
  readonly tpl_revision: number;
  readonly tpl_active: boolean;
  readonly tpl_use_count: number;
  readonly tpl_config: { readonly fields?: readonly object[] };
}

const STANDARD = ['article', 'code', 'cta', 'embed', 'faq', 'gallery', 'hero', 'image', 'page', 'quote', 'section', 'text'];
const TITLE = { key: 'title', type: 'text', label: 'Title', localized: true };
const config = (...fields: object[]) => ({ fields });

const rows = async <T>(path: string): Promise<readonly T[]> => ((await client.get(path).expect(200)).body as { data: T[] }).data;
const standard = async (): Promise<Library> => (await rows<Library>('/content-schema-libraries?lib_name=Standard'))[0] as Library;
const makeLibrary = async (lib_name = `Library ${newId()}`): Promise<Library> =>
  (await client.post('/content-schema-libraries', { lib_name }).expect(201)).body as Library;
const makeSchema = async (tpl_library: string, facts: object = {}): Promise<Schema> =>
  (
    await client
      .post('/content-schemas', {
        tpl_library,
        tpl_key: 'teaser',
        tpl_name: 'Teaser',
        tpl_kind: 'both',
        tpl_config: config(TITLE),
        ...facts,
      })
      .expect(201)
  ).body as Schema;
const readSchema = async (id: string): Promise<Schema> => (await client.get(`/content-schemas/${id}`).expect(200)).body as Schema;
const codeOf = (body: unknown): string => (body as { code: string }).code;
const faults = (body: unknown): string[] =>
  (body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => `${path} ${code}`);

describe('the library Standard', () => {
  it('is in every workspace with its schemas, and cannot be changed', async () => {
    const library = await standard();
    expect(library).toMatchObject({ lib_name: 'Standard', lib_provider: null, lib_site: null, lib_template_count: STANDARD.length });
    const schemas = await rows<Schema>(`/content-schemas?tpl_library=${library.lib_id}`);
    expect(schemas.map(({ tpl_key }) => tpl_key).sort()).toEqual(STANDARD);
    const path = `/content-schema-libraries/${library.lib_id}`;
    for (const refused of [
      await client.patch(path, { lib_name: 'Ours' }),
      await client.delete(path),
      await client.post('/content-schemas', { tpl_library: library.lib_id, tpl_key: 'a', tpl_name: 'A', tpl_kind: 'block' }),
      await client.patch(`/content-schemas/${schemas[0]?.tpl_id}`, { tpl_name: 'Ours' }),
      await client.delete(`/content-schemas/${schemas[0]?.tpl_id}`),
    ])
      expect([refused.status, codeOf(refused.body)]).toEqual([409, 'invalid_state']);
  });

  it('is copied with all of its schemas, which the workspace then changes', async () => {
    const { lib_id } = await standard();
    const copied = await client.post(`/content-schema-libraries/${lib_id}/copy`, { lib_name: 'Ours' }).expect(201);
    const copy = copied.body as Library;
    expect(copied.headers.location).toBe(`/api/v1/content-schema-libraries/${copy.lib_id}`);
    expect(copy).toMatchObject({ lib_name: 'Ours', lib_template_count: STANDARD.length });
    const [hero] = await rows<Schema>(`/content-schemas?tpl_library=${copy.lib_id}&tpl_key=hero`);
    await client.patch(`/content-schemas/${hero?.tpl_id}`, { tpl_name: 'Our hero' }).expect(200);
    expect(codeOf((await client.post(`/content-schema-libraries/${lib_id}/copy`, { lib_name: 'OURS' }).expect(409)).body)).toBe(
      'already_exists',
    );
  });
});

describe('a library', () => {
  it('is deleted and restored, but not while a site uses it', async () => {
    const { lib_id } = await makeLibrary('Shop');
    const path = `/content-schema-libraries/${lib_id}`;
    const site = await makeSite(client, { site_library: lib_id });
    const refused = await client.delete(path).expect(409);
    expect(refused.body).toMatchObject({ code: 'in_use', errors: [{ path: site.site_id }] });
    await client.patch(path, { lib_active: false }).expect(409);
    await client.patch(`/sites/${site.site_id}`, { site_library: (await standard()).lib_id }).expect(200);
    await client.delete(path).expect(204);
    await client.delete(path).expect(204);
    expect(await rows<Library>('/content-schema-libraries?lib_active=false')).toMatchObject([{ lib_name: 'Shop' }]);
    expect(codeOf((await client.patch(path, { lib_name: 'X' }).expect(409)).body)).toBe('invalid_state');
    expect(faults((await client.post('/sites', { site_name: 'S', site_library: lib_id }).expect(400)).body)).toEqual([
      'site_library reference',
    ]);
    expect((await client.patch(path, { lib_active: true }).expect(200)).body).toMatchObject({ lib_active: true });
  });

  it('names the sites that use it only to members who may see them', async () => {
    const { lib_id } = await makeLibrary();
    const path = `/content-schema-libraries/${lib_id}`;
    const closed = await makeSite(client, { site_library: lib_id, site_acl: { users: { [ours.owner.user_id]: 'owner' } } });
    const open = await makeSite(client, { site_library: lib_id });
    await api.sql(`UPDATE content_library SET lib_provider = 'storyblok', lib_site = $2 WHERE lib_id = $1`, [lib_id, closed.site_id]);
    const admin = (await ours.member('admin')).client;
    for (const refused of [await admin.delete(path), await admin.patch(path, { lib_active: false })]) {
      expect([refused.status, faults(refused.body)]).toEqual([409, [`${open.site_id} in_use`, 'site_library in_use']]);
      expect(JSON.stringify(refused.body)).not.toContain(closed.site_name);
    }
    expect(faults((await client.delete(path).expect(409)).body).sort()).toEqual(
      [closed, open].map(({ site_id }) => `${site_id} in_use`).sort(),
    );
    const siteOf = async (caller: Client): Promise<unknown[]> => {
      const { data } = (await caller.get('/content-schema-libraries?limit=100').expect(200)).body as {
        data: { lib_id: string; lib_site: unknown }[];
      };
      return [(await caller.get(path).expect(200)).body.lib_site, data.find((one) => one.lib_id === lib_id)?.lib_site];
    };
    expect([await siteOf(admin), await siteOf(client)]).toEqual([
      [null, null],
      [closed.site_id, closed.site_id],
    ]);
  });

  it('is not given to a site that is made while it is deleted', async () => {
    const { lib_id } = await makeLibrary();
    const [made, gone] = await Promise.all([
      client.post('/sites', { site_name: 'At once', site_library: lib_id }),
      client.delete(`/content-schema-libraries/${lib_id}`),
    ]);
    expect([
      [201, 409],
      [400, 204],
    ]).toContainEqual([made.status, gone.status]);
  });
});

describe('a content schema', () => {
  it('is created, read, changed, deactivated and activated again', async () => {
    const { lib_id } = await makeLibrary();
    const made = await client
      .post('/content-schemas', {
        tpl_library: lib_id,
        tpl_key: 'teaser',
        tpl_name: 'Teaser',
        tpl_kind: 'block',
        tpl_config: config(TITLE),
      })
      .expect(201);
    const { tpl_id } = made.body as Schema;
    expect(made.headers.location).toBe(`/api/v1/content-schemas/${tpl_id}`);
    expect(made.body).toMatchObject({ tpl_revision: 1, tpl_active: true, tpl_external: {}, tpl_managed_by: null, tpl_use_count: 0 });
    const path = `/content-schemas/${tpl_id}`;
    const guarded = client.with({ 'If-Match': String((await client.get(path).expect(200)).headers.etag) });
    expect((await guarded.patch(path, { tpl_group: 'Teasers' }).expect(200)).body).toMatchObject({ tpl_group: 'Teasers', tpl_revision: 1 });
    await guarded.patch(path, { tpl_group: null }).expect(412);
    expect(
      (await client.patch(path, { tpl_config: config(TITLE, { key: 'text', type: 'doc', label: 'Text' }) }).expect(200)).body,
    ).toMatchObject({
      tpl_revision: 2,
    });
    await client.delete(path).expect(204);
    await client.delete(path).expect(204);
    expect(codeOf((await client.patch(path, { tpl_name: 'X' }).expect(409)).body)).toBe('invalid_state');
    await makeSchema(lib_id);
    expect(codeOf((await client.patch(path, { tpl_active: true }).expect(409)).body)).toBe('already_exists');
    expect((await rows<Schema>(`/content-schemas?tpl_library=${lib_id}&tpl_active=false`)).map((one) => one.tpl_id)).toEqual([tpl_id]);
  });

  it('has a key of its own in its library, and one of two that are made at once', async () => {
    const [one, other] = [await makeLibrary(), await makeLibrary()];
    await makeSchema(one.lib_id);
    await makeSchema(other.lib_id);
    const body = { tpl_library: one.lib_id, tpl_key: 'teaser', tpl_name: 'Another', tpl_kind: 'block' };
    expect(codeOf((await client.post('/content-schemas', body).expect(409)).body)).toBe('already_exists');
    const answers = await Promise.all([1, 2].map(() => client.post('/content-schemas', { ...body, tpl_key: 'both' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('refuses what is not valid, naming it', async () => {
    const { lib_id } = await makeLibrary();
    const fields = (...list: object[]) => ({ tpl_config: config(...list) });
    await inTurn(
      [
        [{ tpl_library: newId() }, ['tpl_library reference']],
        [{ tpl_key: 'Hero' }, ['tpl_key pattern']],
        [{ tpl_kind: 'layout' }, ['tpl_kind choice']],
        [{ tpl_color: 'red' }, ['tpl_color pattern']],
        [{ tpl_preview_file: newId() }, ['tpl_preview_file reference']],
        [{ tpl_revision: 2 }, ['tpl_revision unknown_field']],
        [fields({ key: 'n', type: 'auto_number', label: 'N' }), ['tpl_config.fields[0].type option']],
        [fields({ key: 'b', type: 'nothing', label: 'B' }), ['tpl_config.fields[0].type option']],
        [
          fields({ key: 'g', type: 'group', label: 'G', fields: [{ key: 'b', type: 'blocks', label: 'B' }] }),
          ['tpl_config.fields[0].fields[0].type not_applicable'],
        ],
        [fields(TITLE, TITLE), ['tpl_config.fields[1].key unique']],
      ],
      async (facts, expected) => {
        const { body } = await client
          .post('/content-schemas', { tpl_library: lib_id, tpl_key: 'teaser', tpl_name: 'Teaser', tpl_kind: 'block', ...facts })
          .expect(400);
        expect(faults(body)).toEqual(expected);
      },
    );
  });

  it('becomes one of blocks only while no page has it', async () => {
    const site = await ownSite();
    await plantPage(api, site, { slug: 'a', template: 'teaser' });
    const [schema] = await rows<Schema>(`/content-schemas?tpl_library=${site.site_library}`);
    expect(schema?.tpl_use_count).toBe(1);
    const path = `/content-schemas/${schema?.tpl_id}`;
    expect(codeOf((await client.patch(path, { tpl_kind: 'block' }).expect(409)).body)).toBe('in_use');
    await client.patch(path, { tpl_kind: 'page' }).expect(200);
  });

  it('names a file that the caller may read as its preview, which can be removed all the same', async () => {
    const { lib_id } = await makeLibrary();
    const { tpl_id } = await makeSchema(lib_id);
    const [file] = await api.sql<{ file_id: string }>(
      `WITH b AS (INSERT INTO file_blob (tenant_id, blob_id, blob_size, blob_type, blob_key) VALUES ($1, gen_random_uuid(), 1, 'image/png', 'k') RETURNING blob_id)
       INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_size, file_provider_id, file_bucket, file_folder, file_current_version, file_blob)
       SELECT $1, gen_random_uuid(), '{"media": true}', 'media', 'hero.png', 'image/png', 1, gen_random_uuid(), 'b', 'f', gen_random_uuid(), blob_id FROM b RETURNING file_id`,
      [ours.tenant_id],
    );
    await client.patch(`/content-schemas/${tpl_id}`, { tpl_preview_file: file?.file_id }).expect(200);
    const uses = (await client.get(`/files/${file?.file_id}/references`).expect(200)).body as { data: object[] };
    expect(uses.data).toEqual([
      { ref_type: 'content_schema', ref_id: tpl_id, ref_name: 'Teaser', ref_detail: 'tpl_preview_file', ref_blocking: false },
    ]);
  });
});

/** A site whose library has one schema, for pages and blocks. */
async function ownSite(): Promise<SiteAnswer> {
  const { lib_id } = await makeLibrary();
  await makeSchema(lib_id, {
    tpl_config: config(TITLE, { key: 'body', type: 'blocks', label: 'Body' }, { key: 'rank', type: 'integer', label: 'Rank' }),
  });
  return makeSite(client, { site_library: lib_id });
}

const block = (uid: string, values: object) => ({ _uid: uid, component: 'teaser', ...values });
const treeOf = async (node_id: string): Promise<unknown> =>
  (await api.sql<{ node_tree: unknown }>(`SELECT node_tree FROM node WHERE node_id = $1`, [node_id]))[0]?.node_tree;

describe('a change of a configuration', () => {
  it('is followed by drafts in the tree and in every locale', async () => {
    const site = await ownSite();
    const node_id = await plantPage(api, site, {
      slug: 'a',
      template: 'teaser',
      tree: block('root0001', { title: 'Lamps', rank: 3, body: [block('inner001', { title: 'Desk' })] }),
      overlay: { 'root0001.title': 'Lampen', 'inner001.title': 'Tisch' },
    });
    const [schema] = await rows<Schema>(`/content-schemas?tpl_library=${site.site_library}`);
    const tpl_config = config(
      { ...TITLE, key: 'headline', renamed_from: 'title' },
      { key: 'body', type: 'blocks', label: 'Body' },
      { key: 'rank', type: 'text', label: 'Rank' },
    );
    await client.patch(`/content-schemas/${schema?.tpl_id}`, { tpl_config }).expect(200);
    await eventually(
      () => api.sql<{ tpl_moves: object[] }>(`SELECT tpl_moves FROM content_schema WHERE tpl_id = $1`, [schema?.tpl_id]),
      ([row]) => row?.tpl_moves.length === 0,
      60_000,
    );
    expect(await treeOf(node_id)).toEqual(
      block('root0001', { headline: 'Lamps', rank: '3', body: [block('inner001', { headline: 'Desk' })] }),
    );
    expect(await api.sql(`SELECT nl_overlay FROM node_locale WHERE nl_node = $1 AND nl_locale = 'de'`, [node_id])).toEqual([
      { nl_overlay: { 'root0001.headline': 'Lampen', 'inner001.headline': 'Tisch' } },
    ]);
    expect(await api.sql(`SELECT row_version FROM node WHERE node_id = $1`, [node_id])).toEqual([{ row_version: 1 }]);
  });

  it('is refused with the number of values that it would lose', async () => {
    const site = await ownSite();
    const tree = block('root0001', { rank: 3, body: [block('inner001', { rank: 4 }), block('inner002', {})] });
    await plantPage(api, site, { slug: 'a', template: 'teaser', tree });
    const [schema] = await rows<Schema>(`/content-schemas?tpl_library=${site.site_library}`);
    const tpl_config = config(TITLE, { key: 'body', type: 'blocks', label: 'Body' }, { key: 'rank', type: 'date', label: 'Rank' });
    const refused = await client.patch(`/content-schemas/${schema?.tpl_id}`, { tpl_config }).expect(409);
    expect(refused.body).toMatchObject({
      code: 'in_use',
      errors: [
        {
          path: 'tpl_config.fields[2]',
          code: 'type',
          message: '2 stored values of rank have the type integer and cannot be converted to date; use a new key.',
        },
      ],
    });
    expect((await readSchema(schema?.tpl_id ?? '')).tpl_revision).toBe(1);
  });
});

describe('rights to content schemas', () => {
  it('are those of the roles, and 404 for another workspace', async () => {
    const { lib_id } = await makeLibrary();
    const { tpl_id } = await makeSchema(lib_id);
    for (const role of ['viewer', 'contributor', 'editor'] as const) {
      const member = (await ours.member(role)).client;
      await member.get(`/content-schemas/${tpl_id}`).expect(200);
      await member.get(`/content-schema-libraries/${lib_id}`).expect(200);
      await member.post('/content-schema-libraries', { lib_name: 'Mine' }).expect(403);
      await member.post(`/content-schema-libraries/${lib_id}/copy`, { lib_name: 'Mine' }).expect(403);
      await member.patch(`/content-schemas/${tpl_id}`, { tpl_name: 'Mine' }).expect(403);
      await member.delete(`/content-schemas/${tpl_id}`).expect(403);
    }
    const theirs = (await api.workspace()).owner.client;
    for (const path of [`/content-schemas/${tpl_id}`, `/content-schema-libraries/${lib_id}`]) {
      await theirs.get(path).expect(404);
      await theirs.patch(path, {}).expect(404);
      await theirs.delete(path).expect(404);
    }
    await theirs.post(`/content-schema-libraries/${lib_id}/copy`, { lib_name: 'Mine' }).expect(404);
    await theirs.post('/content-schemas', { tpl_library: lib_id, tpl_key: 'a', tpl_name: 'A', tpl_kind: 'block' }).expect(400);
  });
});
