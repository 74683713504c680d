import { buildOpenApi } from '@atrium/platform/http';
import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { makeBase } from '../knowledge/bases';
import { createSchema, field } from '../media/analysing';
import { makeGroup, makeTag } from '../media/tagging';
import { addTerm, makeTaxonomy } from '../objects/classifying';
import { makeObject, makeSchema } from '../objects/objects';
import { sharedAtrium } from '../support/shared-atrium';
import { makePages } from '../website/pages';
import { makeContentLibrary, makeContentSchema, makeSite } from '../website/sites';
import { ELSEWHERE, REFERENCES, type Rows } from './references-table';

interface Schema {
  readonly $ref?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
}

/** Its bodies are asked about in test/ai/other-workspace. */
const OF_AI = /^\/api\/v1\/(agents|assist|memories|model-providers|models|prompt-categories|prompts|spaces|threads|wildcards)(\/|$)/;

let api: RunningApi;
let workspace: TestWorkspace;
let client: Client;
let rows: Rows;

beforeAll(async () => {
  api = await sharedAtrium();
  workspace = await api.workspace(['module-documents', 'module-objects', 'module-publication', 'module-social-post']);
  ({ client } = workspace.owner);
  const id = async (path: string, body: object, name: string): Promise<string> =>
    ((await client.post(path, body).expect(201)).body as Record<string, string>)[name] ?? '';
  const { form_id: schema } = await makeSchema(client);
  const taxonomy = await makeTaxonomy(client);
  const library = await makeContentLibrary(client);
  const pages = await makePages(client);
  const group = await makeGroup(client, { mtg_name: `Group ${newId()}` });
  const { file_id: file } = await storeFile(api, workspace, { name: 'harbour.jpg', kind: 'image', type: 'image/jpeg' });
  await client.patch('/admin/settings', { ws_options: { faces_enabled: true } }).expect(200);
  rows = {
    user: (await workspace.member('editor')).user_id,
    role: await id('/admin/roles', { role_name: `Role ${newId()}`, role_permissions: ['media:view'] }, 'role_id'),
    file,
    generated: (await storeFile(api, workspace, { repo: 'generated' })).file_id,
    document: (await storeFile(api, workspace, { repo: 'docs' })).file_id,
    lease: (await storeFile(api, workspace, { repo: 'docs' })).file_id,
    album: await id('/albums', { album_name: 'Album' }, 'album_id'),
    folder: await id('/document-folders', { album_name: 'Folder' }, 'album_id'),
    base: (await makeBase(client)).ds_id,
    schema,
    object: (await makeObject(client, schema, { name: 'Lamp' })).obj_id,
    taxonomy,
    site: (await makeSite(client)).site_id,
    library,
    contentSchema: await makeContentSchema(client, library),
    pages: { site: pages.site.site_id, page: (await pages.make('Page')).node_id, template: pages.library.article },
    term: (await addTerm(client, taxonomy, 'Lamps')).term_id,
    group,
    tag: await makeTag(client, { mt_group: group, mt_value: 'Harbour' }),
    person: await id('/people', { person_name: 'Ada' }, 'person_id'),
    face: await id('/faces', { face_file: file, face_box: { x: 0.5, y: 0.5, width: 0.2, height: 0.2 } }, 'face_id'),
    analysis: await createSchema(client, `schema_${newId().slice(-8)}`, [field('camera', { source: 'metadata', path: 'system.camera' })]),
    relation: await id('/document-relation-types', { rt_name: `Cites ${newId()}` }, 'rt_id'),
    space: await id('/spaces', { space_name: `Space ${newId()}` }, 'space_id'),
  };
}, 60_000);
afterAll(() => api.close());

/** All operations, as the document says. */
const allOperations = (): ReadonlySet<string> =>
  new Set(
    Object.values(buildOpenApi(api.app, 'http://localhost').paths).flatMap((item) =>
      Object.values(item as unknown as Record<string, Operation>).map(({ operationId }) => operationId),
    ),
  );

/** The operations that take ids in their bodies. */
function operationsWithIds(): string[] {
  const { paths, components } = buildOpenApi(api.app, 'http://localhost');
  const schemas = (components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const resolved = (schema: Schema): Schema => (schema.$ref ? resolved(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema);
  const takesIds = (given: Schema, depth = 0): boolean => {
    const schema = resolved(given);
    if (depth > 8) return false;
    return (
      schema.format === 'uuid' ||
      [schema.allOf, schema.anyOf, schema.oneOf, schema.items && [schema.items], Object.values(schema.properties ?? {})].some((inner) =>
        inner?.some((one) => takesIds(one, depth + 1)),
      )
    );
  };
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1/') && !OF_AI.test(path))
    .flatMap(([, item]) => Object.entries(item as unknown as Record<string, Operation>))
    .filter(([method, { requestBody }]) => method !== 'delete' && takesIds(requestBody?.content?.['application/json']?.schema ?? {}))
    .map(([, { operationId }]) => operationId);
}

describe('an id in a body that names nothing', () => {
  it('is asked about in every operation that takes one', () => {
    const known = new Set([...Object.keys(REFERENCES), ...Object.keys(ELSEWHERE)]);
    expect(operationsWithIds().filter((name) => !known.has(name))).toEqual([]);
  });

  it('is not asked about where there is no such operation any more', () => {
    const all = allOperations();
    expect([...Object.keys(REFERENCES), ...Object.keys(ELSEWHERE)].filter((name) => !all.has(name))).toEqual([]);
  });

  const cases = Object.entries(REFERENCES).flatMap(([name, asks]) => Object.entries(asks).map(([path, ask]) => [name, path, ask] as const));
  it.each(cases)('is a fault of its field: %s %s', async (_, path, ask) => {
    const [method, address, body] = ask(newId(), rows);
    const { status, body: problem } = await client[method](address, body);
    expect({ status, problem: problem as object }).toMatchObject({
      status: 400,
      problem: {
        code: 'validation_failed',
        errors: expect.arrayContaining([expect.objectContaining({ path, code: 'reference' })]) as object,
      },
    });
  });

  it('is answered in the same words as a document that the caller may not read', async () => {
    const importer = await workspace.member('owner', ['object:view', 'object:create', 'object:edit']);
    const said = async (file_id: string): Promise<object> => {
      const { status, body } = await importer.client.post('/objects/import', { obj_form: rows.schema, file_id });
      const { code, detail, errors } = body as Record<string, unknown>;
      return { status, code, detail, errors };
    };
    const unknown = await said(newId());
    expect(unknown).toMatchObject({ status: 400, errors: [{ path: 'file_id', code: 'reference' }] });
    expect(await said(rows.document)).toEqual(unknown);
  });
});
