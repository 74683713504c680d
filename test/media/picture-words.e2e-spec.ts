import {
  drawPicture,
  eventually,
  withIptc,
  xmpPacket,
  type Client,
  type RunningApi,
  type TestWorkspace,
  type XmpValue,
} from '@atrium/platform/testing';
import { asBytes, bytesAt, filesSeen, guest, shareLink } from '../distribution/sharing';
import { readFile, settled, upload, type StoredFile } from '../files/uploading';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { endedJob, foundBy } from './tagging';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace();
  client = ours.owner.client;
}, 120_000);
afterAll(() => api.close());

const WORDS: Readonly<Record<string, XmpValue>> = {
  'dc:title': { alt: { 'x-default': 'Nets of Arezzo' } },
  'dc:description': { alt: { 'x-default': 'Fishermen mend their nets' } },
  'dc:subject': ['Nets', 'Evening'],
  'lr:hierarchicalSubject': ['Places|Italy|Arezzo'],
  'dc:creator': ['Adaline Fieldmouse'],
  'dc:rights': { alt: { 'x-default': '© Fieldmouse' } },
  'xmp:Rating': '4',
  'photoshop:City': 'Arezzo',
  'Iptc4xmpCore:CountryCode': 'ITA',
};

async function add(workspace: TestWorkspace, name: string, properties: Readonly<Record<string, XmpValue>> = WORDS): Promise<StoredFile> {
  const bytes = await drawPicture({
    width: 640,
    height: 480,
    format: 'jpeg',
    seed: name.length,
    taken: '2024:05:17 08:30:00',
    subSeconds: '12',
    zone: '+02:00',
    iso: 400,
    exposure: '1/125',
    focalLength: '50/1',
    gps: { lat: 43.46, lng: 11.88 },
    altitude: 296,
    xmp: xmpPacket(properties),
  });
  return settled(workspace.owner.client, (await upload(workspace.owner.client, name, bytes)).file_id);
}

const reindexed = async (workspace: TestWorkspace): Promise<object> => {
  const { headers } = await workspace.owner.client.post('/files/actions/reindex', { repo_type: 'media', steps: ['metadata'] }).expect(202);
  return endedJob(workspace.owner.client, headers['location'] as string);
};

describe('what a picture says about itself', () => {
  it('is shown with the file, and found by text and by field in its workspace alone', async () => {
    const { file_id } = await add(ours, 'IMG_1.jpg');
    const other = await add(ours, 'IMG_22.jpg', { 'dc:title': 'Empty quay' });
    const theirs = await api.workspace();
    await add(theirs, 'IMG_333.jpg');
    const { body } = await client.get(`/media-files/${file_id}`).expect(200);
    expect(body.file_metadata.system).toMatchObject({
      taken: '2024-05-17T06:30:00.120Z',
      taken_local: '2024-05-17T08:30:00.120',
      taken_zone: '+02:00',
      iso: 400,
      exposure: 0.008,
      focal_length: 50,
      altitude: 296,
      embedded: {
        title: 'Nets of Arezzo',
        caption: 'Fishermen mend their nets',
        keywords: ['Nets', 'Evening'],
        keyword_paths: ['Places|Italy|Arezzo'],
        creators: ['Adaline Fieldmouse'],
        copyright: '© Fieldmouse',
        rating: 4,
        city: 'Arezzo',
        country_code: 'ITA',
      },
    });
    expect(await foundBy(client, { text: 'fishermen' })).toEqual([file_id]);
    expect(await foundBy(client, { text: 'tuscany or fieldmouse' })).toEqual([file_id]);
    const leaf = (field: string, op: string, value: unknown): object => ({ where: { field, op, value } });
    expect(await foundBy(client, leaf('creator', 'contains', 'fieldMOUSE'))).toEqual([file_id]);
    expect(await foundBy(client, leaf('keyword', 'has_any', ['places|italy']))).toEqual([file_id]);
    expect(await foundBy(client, leaf('rating', 'gte', 4))).toEqual([file_id]);
    expect(await foundBy(client, leaf('iso', 'eq', 400))).toEqual([file_id, other.file_id].sort());
    expect(
      (await client.get(`/media-files?query=${encodeURIComponent(JSON.stringify(leaf('city', 'eq', 'arezzo')))}`).expect(200)).body.data,
    ).toHaveLength(1);
  });

  it('is taken from the older block, and follows the current version', async () => {
    const { file_id } = await settled(
      client,
      (
        await upload(
          client,
          'old.jpg',
          withIptc(await drawPicture({ width: 64, height: 48, format: 'jpeg' }), {
            values: [
              [5, 'Zeppelin'],
              [90, 'Zürich'],
            ],
          }),
        )
      ).file_id,
    );
    expect((await readFile(client, file_id)).file_metadata.system?.['embedded']).toEqual({ title: 'Zeppelin', city: 'Zürich' });
    expect(await foundBy(client, { text: 'zeppelin' })).toEqual([file_id]);
    await newVersion(client, file_id, await drawPicture({ width: 64, height: 48, format: 'jpeg', seed: 9 }));
    expect((await readFile(client, file_id)).file_metadata.system).not.toHaveProperty('embedded');
    expect(await foundBy(client, { text: 'zeppelin' })).toEqual([]);
  });

  it('comes to files that are there already by reindexing them', async () => {
    const workspace = await api.workspace();
    const { file_id } = await add(workspace, 'there.jpg');
    await api.sql(
      "UPDATE file SET file_metadata = file_metadata #- '{system,embedded}' #- '{system,taken_local}' #- '{system,taken_zone}' #- '{system,iso}' WHERE file_id = $1",
      [file_id],
    );
    expect(await foundBy(workspace.owner.client, { text: 'fishermen' })).toEqual([]);
    expect(await reindexed(workspace)).toMatchObject({ status: 'completed', done: 1, failed: 0 });
    expect((await readFile(workspace.owner.client, file_id)).file_metadata.system).toMatchObject({
      taken_local: '2024-05-17T08:30:00.120',
      iso: 400,
      embedded: { city: 'Arezzo' },
    });
    expect(await foundBy(workspace.owner.client, { text: 'fishermen' })).toEqual([file_id]);
  });

  it('does not reach guests: neither place nor people stand in what they are answered, nor in the pictures made for them', async () => {
    const { file_id } = await add(ours, 'shared-picture.jpg');
    const link = await shareLink(client, { share_type: 'files', share_file_ids: [file_id], share_options: { show_metadata: true } });
    const visitor = guest(api);
    const [seen] = await filesSeen(visitor, link);
    expect(Object.keys(seen?.metadata ?? {}).sort()).toEqual(['colors', 'height', 'orientation', 'taken', 'width']);
    expect(seen?.metadata?.['taken']).toBe('2024-05-17T08:30:00.120Z');
    expect(JSON.stringify(seen)).not.toMatch(/Fieldmouse|Arezzo|43\.46|taken_zone|embedded/);
    const thumb = (await bytesAt(seen?.thumb_url ?? '')).toString('latin1');
    const large = (await asBytes(client.get(`/files/${file_id}/image-data?replica=large`)).expect(200)).body as Buffer;
    for (const bytes of [thumb, large.toString('latin1')]) expect(bytes).not.toMatch(/Fieldmouse|Arezzo|Exif|ns\.adobe/);
  });
});

describe('a picture is on the day of its camera', () => {
  const shot = async (
    workspace: TestWorkspace,
    name: string,
    notes: { readonly taken: string; readonly zone?: string },
  ): Promise<string> => {
    const me = workspace.owner.client;
    const bytes = await drawPicture({ width: 64, height: 48, format: 'jpeg', seed: name.length, ...notes });
    return (await settled(me, (await upload(me, name, bytes)).file_id)).file_id;
  };

  it('in the timeline, in date filters and in the order of capture, wherever the workspace is', async () => {
    const workspace = await api.workspace();
    const me = workspace.owner.client;
    await api.sql("UPDATE workspace SET ws_timezone = 'Asia/Tokyo' WHERE tenant_id = $1", [workspace.tenant_id]);
    // As instants the first comes last: half past four in the morning of January in UTC.
    await shot(workspace, 'new-york.jpg', { taken: '2023:12:31 23:30:00', zone: '-05:00' });
    await shot(workspace, 'no-zone.jpg', { taken: '2023:12:31 23:45:00' });
    await shot(workspace, 'auckland.jpg', { taken: '2024:01:01 00:15:00', zone: '+13:00' });
    const names = async (filters: string): Promise<string[]> =>
      ((await me.get(`/media-files?${filters}`).expect(200)).body as { data: { file_name: string }[] }).data.map(
        ({ file_name }) => file_name,
      );
    const buckets = async (filters: string): Promise<object[]> =>
      (await me.get(`/media-files/timeline?${filters}`).expect(200)).body.data as object[];

    expect(await names('sort=taken')).toEqual(['new-york.jpg', 'no-zone.jpg', 'auckland.jpg']);
    const first = (await me.get('/media-files?sort=taken&limit=2').expect(200)).body as { next_cursor: string };
    expect(await names(`sort=taken&limit=2&cursor=${first.next_cursor}`)).toEqual(['auckland.jpg']);
    for (const filters of ['by=day', 'by=day&kind=image'])
      expect(await buckets(filters)).toEqual(
        expect.arrayContaining([
          { bucket: '2023-12-31', count: 2 },
          { bucket: '2024-01-01', count: 1 },
        ]),
      );
    expect(await buckets('by=year')).toEqual(
      expect.arrayContaining([
        { bucket: '2023', count: 2 },
        { bucket: '2024', count: 1 },
      ]),
    );
    expect((await me.get('/media-files/facets?facets=year').expect(200)).body.data[0].values).toEqual(
      expect.arrayContaining([
        { value: '2023', label: null, count: 2 },
        { value: '2024', label: null, count: 1 },
      ]),
    );

    expect(await names('taken=2023-12-31&taken=2024-01-01')).toEqual(expect.arrayContaining(['new-york.jpg', 'no-zone.jpg']));
    expect(await names('taken=2024-01-01')).toEqual(['auckland.jpg']);
    expect(await names(`taken=${encodeURIComponent('2023-12-31T23:40:00+09:00')}&sort=taken`)).toEqual(['no-zone.jpg', 'auckland.jpg']);
    const query = (op: string, value: unknown): string =>
      `sort=taken&query=${encodeURIComponent(JSON.stringify({ where: { field: 'taken', op, value } }))}`;
    expect(await names(query('before', '2024-01-01'))).toEqual(['new-york.jpg', 'no-zone.jpg']);
    expect(await names(query('between', ['2024-01-01T00:00:00-08:00', '2024-01-02']))).toEqual(['auckland.jpg']);
    for (const taken of ['soon', '2024-02-31'])
      expect((await me.get(`/media-files?taken=${taken}`).expect(400)).body.errors).toMatchObject([{ path: 'taken', code: 'date_time' }]);
  });

  it('today by the clocks of the workspace, and within the last days whichever clock is ahead', async () => {
    const workspace = await api.workspace();
    await api.sql("UPDATE workspace SET ws_timezone = 'Pacific/Honolulu' WHERE tenant_id = $1", [workspace.tenant_id]);
    // Ten hours behind UTC: what is added now without a time of its own is shown in UTC, ahead of the clocks there.
    const now = await settled(
      workspace.owner.client,
      (await upload(workspace.owner.client, 'now.jpg', await drawPicture({ width: 64, height: 48, format: 'jpeg' }))).file_id,
    );
    const there = new Date(Date.now() - 10 * 3_600_000 - 60_000).toISOString();
    const local = await shot(workspace, 'local.jpg', {
      taken: `${there.slice(0, 10).replaceAll('-', ':')} ${there.slice(11, 19)}`,
      zone: '-10:00',
    });
    const found = (op: string, value: unknown): Promise<string[]> =>
      foundBy(workspace.owner.client, { where: { field: 'taken', op, value } });
    expect(await found('within', 'PT2H')).toEqual([now.file_id, local].sort());
    expect(await found('after', { ago: 'PT2M' })).toContain(local);
    expect(await found('after', { ago: 'PT0S' })).toEqual([now.file_id]);
  });
});

describe('keywords of pictures', () => {
  const tagsOf = async (workspace: TestWorkspace, file_id: string): Promise<object> =>
    (await workspace.owner.client.get(`/media-files/${file_id}`).expect(200)).body.media_tags as object;
  const plain = (tags: object): string => JSON.stringify(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)));
  const tagged = (workspace: TestWorkspace, file_id: string, tags: object): Promise<void> =>
    eventually(
      async () => plain(await tagsOf(workspace, file_id)),
      (found) => found === plain(tags),
      20_000,
    ).then(() => undefined);
  const want = (workspace: TestWorkspace, keyword_tags: string): Promise<unknown> =>
    workspace.owner.client.patch('/admin/settings', { ws_options: { keyword_tags } }).expect(200);

  it('become no tags unless the workspace wants that, which only those who manage tags decide', async () => {
    const workspace = await api.workspace();
    const editor = await workspace.member('editor');
    await editor.client.patch('/admin/settings', { ws_options: { keyword_tags: 'open' } }).expect(403);
    await workspace.owner.client.patch('/admin/settings', { ws_options: { keyword_tags: 'all' } }).expect(400);
    const { file_id } = await add(workspace, 'plain.jpg');
    await reindexed(workspace);
    expect(await tagsOf(workspace, file_id)).toEqual({});
  });

  it('become those tags that closed groups list, by value or synonym, also of pictures that are reindexed', async () => {
    const workspace = await api.workspace();
    const me = workspace.owner.client;
    const group = async (facts: object, values: readonly object[]): Promise<void> => {
      const { mtg_id } = (await me.post('/admin/media-tag-groups', { mtg_closed: true, ...facts }).expect(201)).body as { mtg_id: string };
      for (const value of values) await me.post('/media-tags', { mt_group: mtg_id, ...value }).expect(201);
    };
    await group({ mtg_name: 'Gear' }, [{ mt_value: 'Net', mt_synonyms: ['Nets'] }, { mt_value: 'Rope' }]);
    await group({ mtg_name: 'Places' }, [{ mt_value: 'Arezzo' }]);
    await group({ mtg_name: 'Surnames' }, [{ mt_value: 'Arezzo' }]);
    const { file_id } = await add(workspace, 'closed.jpg');
    await want(workspace, 'closed');
    await reindexed(workspace);
    expect(await tagsOf(workspace, file_id)).toEqual({ Gear: ['Net'], Places: ['Arezzo'] });
    const [line] = (await me.get(`/files/${file_id}/history?fh_action=tagged`).expect(200)).body.data as {
      fh_actor_type: string;
      fh_details: object;
    }[];
    expect(line).toMatchObject({ fh_details: { source: 'keyword', added: { Gear: ['Net'], Places: ['Arezzo'] } } });
    await reindexed(workspace);
    expect((await me.get(`/files/${file_id}/history?fh_action=tagged`).expect(200)).body.data).toHaveLength(1);
    await want(workspace, 'off');
  });

  it('become values of open groups; people have the last word, and tags go with the keywords that a version lost', async () => {
    const workspace = await api.workspace();
    const theirs = await api.workspace();
    const me = workspace.owner.client;
    await want(workspace, 'open');
    await me.post('/admin/media-tag-groups', { mtg_name: 'Places' }).expect(201);
    const { file_id } = await add(workspace, 'open.jpg');
    await tagged(workspace, file_id, { Keywords: ['Evening', 'Nets'], Places: ['Arezzo'] });
    await me.put(`/files/${file_id}/media-tags`, { media_tags: { Keywords: ['Nets', 'By hand'], Places: ['Arezzo'] } }).expect(200);
    await reindexed(workspace);
    expect(await tagsOf(workspace, file_id)).toEqual({ Keywords: ['By hand', 'Nets'], Places: ['Arezzo'] });
    await newVersion(
      me,
      file_id,
      await drawPicture({ width: 64, height: 48, format: 'jpeg', seed: 9, xmp: xmpPacket({ 'dc:subject': ['Boats', 'Nets'] }) }),
    );
    await tagged(workspace, file_id, { Keywords: ['Boats', 'By hand', 'Nets'] });
    expect(await tagsOf(theirs, (await add(theirs, 'theirs.jpg')).file_id)).toEqual({});
    const groups = await theirs.owner.client.get('/admin/media-tag-groups').expect(200);
    expect((groups.body as { data: { mtg_name: string }[] }).data.map(({ mtg_name }) => mtg_name)).not.toContain('Keywords');
  });
});

async function newVersion(me: Client, file_id: string, bytes: Buffer): Promise<void> {
  const opened = (await me.post(`/files/${file_id}/versions`, { file_size: bytes.length }).expect(201)).body as {
    upl_id: string;
    upl_url: string;
    upl_headers: Record<string, string>;
  };
  await fetch(opened.upl_url, { method: 'PUT', headers: opened.upl_headers, body: new Uint8Array(bytes) });
  await me.post(`/uploads/${opened.upl_id}/finalize`).expect(201);
  await eventually(
    () => readFile(me, file_id),
    ({ file_version, file_processing }) => file_version > 1 && file_processing === 'ready',
    60_000,
  );
}
