import { newId } from '@atrium/platform/kernel';
import { drawPicture, eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { analysed, createSchema, field } from './analysing';
import { endedJob, makeGroup, makeTag, setTags } from './tagging';

/** One of everything that the media context keeps of a workspace, by what it is; or ids and names of nothing. */
export interface Held {
  readonly workspace: string;
  readonly user: string;
  readonly file: string;
  readonly other: string;
  readonly album: string;
  readonly child: string;
  readonly smart: string;
  readonly query: string;
  readonly group: string;
  readonly groupName: string;
  readonly tag: string;
  readonly second: string;
  readonly tagName: string;
  readonly flow: string;
  readonly state: string;
  readonly schema: string;
  readonly analysis: string;
  readonly duplicate: string;
  readonly search: string;
  readonly person: string;
  readonly friend: string;
  readonly face: string;
  readonly loose: string;
  readonly undo: string;
  readonly stock: string;
}

/** Ids and names that no workspace has. */
export const heldByNobody = (mark: string): Held => ({
  ...{
    workspace: `Workspace ${mark}`,
    user: newId(),
    file: newId(),
    other: newId(),
    album: newId(),
    child: newId(),
    smart: newId(),
    query: newId(),
  },
  ...{
    group: newId(),
    groupName: `Group ${mark}`,
    tag: newId(),
    second: newId(),
    tagName: `Tag ${mark}`,
    flow: newId(),
    state: `state_${mark}`,
    schema: newId(),
    analysis: newId(),
  },
  ...{
    duplicate: newId(),
    search: newId(),
    person: newId(),
    friend: newId(),
    face: newId(),
    loose: newId(),
    undo: newId(),
    stock: `unsplash:${mark}`,
  },
});

const BOX = { x: 0.1, y: 0.1, width: 0.2, height: 0.2 };
const STATES = [
  { key: 'draft', label: 'Draft', initial: true },
  { key: 'done', label: 'Done' },
];

/** Fills a workspace over HTTP; every name in it has the mark. The two pictures look alike, and like those of every workspace that was filled so. */
export async function furnish(api: RunningApi, workspace: TestWorkspace, mark: string): Promise<Held> {
  const { client } = workspace.owner;
  const made = async (path: string, body: object, key: string): Promise<string> => {
    const answer = await client.post(path, body);
    expect([path, answer.status, answer.body.errors]).toEqual([path, 201, undefined]);
    return (answer.body as Record<string, string>)[key] as string;
  };
  const ws_name = `Workspace ${mark}`;
  await client.patch('/admin/settings', { ws_name, ws_options: { faces_enabled: true } }).expect(200);
  const [file, other] = await pictures(api, workspace, mark);

  const album = await made('/albums', { album_name: `Album ${mark}`, album_cover_file: file }, 'album_id');
  const child = await made('/albums', { album_name: `Child ${mark}`, album_parent: album }, 'album_id');
  await client.post(`/albums/${album}/files`, { file_ids: [file, other] }).expect(200);
  const everything = { where: { field: 'file_name', op: 'contains', value: mark } };
  const smart = (await client.post('/albums/smart', { album_name: `Smart ${mark}`, query_search: everything }).expect(201)).body as {
    album_id: string;
    album_query: string;
  };
  const search = await made('/saved-searches', { sq_name: `Search ${mark}`, sq_scope: 'media', sq_query: everything }, 'sq_id');

  const [groupName, tagName] = [`Group ${mark}`, `Tag ${mark}`];
  const group = await makeGroup(client, { mtg_name: groupName, mtg_rules: [{ query_search: everything, value: tagName }] });
  const tag = await makeTag(client, { mt_group: group, mt_value: tagName, mt_synonyms: [`Synonym ${mark}`] });
  const second = await makeTag(client, { mt_group: group, mt_value: `Second ${mark}`, mt_parent: tag });
  await setTags(client, file, { [groupName]: [tagName] }).expect(200);
  await client.patch(`/files/${file}/favorite`).expect(200);
  await endedJob(client, (await client.post('/files/actions/detect-faces', { file_ids: [other] }).expect(202)).headers.location as string);
  await client.post('/files/actions/status', { file_ids: [file], file_status: 'in_review', comment: `Comment ${mark}` }).expect(200);
  const state = `state_${mark}`;
  const flow = await made(
    '/admin/media-status-flows',
    {
      msf_name: `Flow ${mark}`,
      msf_scope: ['generated'],
      msf_active: false,
      msf_states: [...STATES, { key: state, label: `State ${mark}` }],
      msf_transitions: [
        { from: 'draft', to: 'done' },
        { from: 'done', to: state },
      ],
    },
    'msf_id',
  );

  const schema = await createSchema(client, `schema_${mark}`, [field('camera', { source: 'metadata', path: 'system.camera' })]);
  const { fa_id: analysis } = await analysed(client, file, schema);
  const ofPeople = await people(workspace, file, mark);
  return {
    workspace: ws_name,
    user: workspace.owner.user_id,
    file,
    other,
    album,
    child,
    smart: smart.album_id,
    query: smart.album_query,
    group,
    groupName,
    tag,
    second,
    tagName,
    flow,
    state,
    schema,
    analysis,
    duplicate: await duplicates(workspace),
    search,
    ...ofPeople,
    stock: await stockPhoto(api, workspace, other, mark),
  };
}

async function pictures(api: RunningApi, workspace: TestWorkspace, mark: string): Promise<[string, string]> {
  const bytes = await drawPicture({ width: 64, height: 48, format: 'jpeg', seed: 7 });
  const stored = await Promise.all(
    ['one', 'other'].map((name) =>
      storeFile(api, workspace, {
        name: `${name} ${mark}.jpg`,
        kind: 'image',
        type: 'image/jpeg',
        bytes,
        metadata: { system: { camera: `Camera ${mark}`, phash: 'f0e1d2c3b4a59687' } },
      }),
    ),
  );
  return stored.map(({ file_id }) => file_id) as [string, string];
}

async function people(
  { owner: { client } }: TestWorkspace,
  file: string,
  mark: string,
): Promise<Pick<Held, 'person' | 'friend' | 'face' | 'loose' | 'undo'>> {
  const named = async (person_name: string): Promise<string> =>
    (await client.post('/people', { person_name, person_favorite: true }).expect(201)).body.person_id as string;
  const marked = async (face_person?: string): Promise<string> =>
    (await client.post('/faces', { face_file: file, face_box: BOX, ...(face_person === undefined ? {} : { face_person }) }).expect(201))
      .body.face_id as string;
  const [person, friend, twin] = [await named(`Person ${mark}`), await named(`Friend ${mark}`), await named(`Twin ${mark}`)];
  const [face, loose] = [await marked(person), await marked()];
  await client.post(`/people/${friend}/suggestions`, { reject: [loose] }).expect(200);
  const { undo_id: undo } = (await client.post(`/people/${person}/merge`, { person_ids: [twin] }).expect(200)).body as { undo_id: string };
  return { person, friend, face, loose, undo };
}

async function duplicates({ owner: { client } }: TestWorkspace): Promise<string> {
  const scan = await client.post('/media-files/duplicates/scan').expect(202);
  await endedJob(client, scan.headers.location as string);
  const { data } = await eventually(
    async () => (await client.get('/media-files/duplicates').expect(200)).body as { data: { dup_id: string }[] },
    ({ data: found }) => found.length === 1,
  );
  return data[0]!.dup_id;
}

/** The record of a file that came from a collection of stock photos. */
async function stockPhoto(api: RunningApi, { tenant_id }: TestWorkspace, file: string, mark: string): Promise<string> {
  const stock = `unsplash:${mark}`;
  await api.sql('INSERT INTO stock_import (tenant_id, si_file, si_stock) VALUES ($1, $2, $3)', [tenant_id, file, stock]);
  return stock;
}
