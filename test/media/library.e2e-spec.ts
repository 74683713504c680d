import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile, storeMany } from '../files/stored-files';
import { MessageCounter } from '../identity/message-counter';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let files: Record<'paris' | 'berlin' | 'clip' | 'brief' | 'plain', string>;
let album: string;

interface Row {
  readonly file_id: string;
  readonly file_name: string;
  readonly file_albums: readonly { readonly album_id: string }[];
}
interface PageBody {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
  const image = { type: 'image/jpeg', kind: 'image' };
  const at = (day: number): Date => new Date(Date.UTC(2026, 0, day));
  files = {
    paris: (
      await storeFile(api, ours, {
        ...image,
        name: 'Paris.jpg',
        created: at(1),
        metadata: {
          project: 'tour',
          system: {
            taken: '2019-06-01T10:00:00.000Z',
            camera: 'Canon R5',
            width: 4000,
            height: 3000,
            colors: [{ hex: '#ff0000', share: 0.6 }],
          },
        },
      })
    ).file_id,
    berlin: (
      await storeFile(api, ours, {
        ...image,
        name: 'Berlin.png',
        type: 'image/png',
        created: at(2),
        metadata: { system: { taken: '2019-06-20T10:00:00.000Z', camera: 'Canon R5', colors: [{ hex: '#0000ff', share: 0.5 }] } },
      })
    ).file_id,
    clip: (await storeFile(api, ours, { name: 'Clip.mp4', type: 'video/mp4', kind: 'video', created: at(3) })).file_id,
    brief: (await storeFile(api, ours, { name: 'Brief.pdf', type: 'application/pdf', kind: 'document', created: at(4) })).file_id,
    plain: (await storeFile(api, ours, { name: 'plain.txt', created: at(5) })).file_id,
  };
  await storeFile(api, ours, { name: 'elsewhere.md', repo: 'docs' });
  album = (await ours.owner.client.post('/albums', { album_name: 'Tour' }).expect(201)).body.album_id as string;
  await ours.owner.client.post(`/albums/${album}/files`, { file_ids: [files.paris, files.clip] }).expect(200);
  await ours.owner.client.patch(`/files/${files.berlin}/favorite`).expect(200);
});
afterAll(() => api.close());

const list = async (query: string, workspace = ours, path = '/media-files'): Promise<PageBody> =>
  (await workspace.owner.client.get(`${path}?${query}`).expect(200)).body as PageBody;
const names = async (query: string): Promise<string[]> => (await list(query)).data.map((row) => row.file_name);
const json = (value: object): string => encodeURIComponent(JSON.stringify(value));

describe('the media library', () => {
  it('lists its own files, newest first, each with its albums, tags and marks', async () => {
    const page = await list('');
    expect(page.data.map((row) => row.file_name)).toEqual(['plain.txt', 'Brief.pdf', 'Clip.mp4', 'Berlin.png', 'Paris.jpg']);
    expect(page.data.at(-1)).toMatchObject({
      file_id: files.paris,
      file_albums: [{ album_id: album, album_name: 'Tour' }],
      media_tags: {},
      file_thumb_url: null,
      file_pref: { favorite: false },
    });
    expect(page.data.at(-1)).not.toHaveProperty('similarity');
    expect(page.data[3]).toMatchObject({ file_pref: { favorite: true }, file_albums: [] });
  });

  it.each([
    ['album', () => `album=${album}`, ['Clip.mp4', 'Paris.jpg']],
    ['any of several albums', () => `album_any=${album}&album_any=${newId()}`, ['Clip.mp4', 'Paris.jpg']],
    ['no album', () => 'no_album=true', ['plain.txt', 'Brief.pdf', 'Berlin.png']],
    ['some album', () => 'no_album=false', ['Clip.mp4', 'Paris.jpg']],
    ['kind', () => 'kind=image', ['Berlin.png', 'Paris.jpg']],
    ['format', () => 'file_format=PNG', ['Berlin.png']],
    ['favorite', () => 'favorite=true', ['Berlin.png']],
    ['no favorite', () => 'favorite=false&kind=image', ['Paris.jpg']],
    ['time taken, from', () => 'taken=2019-06-10&kind=image', ['Berlin.png']],
    ['time taken, between', () => 'taken=2019-06-01&taken=2019-06-10', ['Paris.jpg']],
    ['color', () => 'color=%23ee1100', ['Paris.jpg']],
    ['words', () => 'q=berlin', ['Berlin.png']],
    ['a part of the name', () => 'file_name=LI', ['Clip.mp4', 'Berlin.png']],
    ['type', () => 'file_type=image/', ['Berlin.png', 'Paris.jpg']],
    ['metadata', () => 'file_metadata[project]=tour', ['Paris.jpg']],
    [
      'a query',
      () =>
        `query=${json({
          where: {
            any: [
              { field: 'kind', op: 'eq', value: 'video' },
              { field: 'camera', op: 'contains', value: 'canon' },
            ],
          },
        })}&file_format=jpg`,
      ['Paris.jpg'],
    ],
    ['several at once', () => `album=${album}&kind=image&taken=2019-01-01`, ['Paris.jpg']],
  ])('is narrowed by %s', async (_, query, expected) => {
    expect(await names(query())).toEqual(expected);
  });

  it('is narrowed by a saved search, which may say the order', async () => {
    const saved = await ours.owner.client
      .post('/saved-searches', {
        sq_name: 'Pictures',
        sq_scope: 'media',
        sq_query: { where: { field: 'kind', op: 'eq', value: 'image' }, sort: 'file_name' },
      })
      .expect(201);
    expect(await names(`saved_search=${saved.body.sq_id}`)).toEqual(['Berlin.png', 'Paris.jpg']);
    expect(await names(`saved_search=${saved.body.sq_id}&sort=-file_name`)).toEqual(['Paris.jpg', 'Berlin.png']);
    await ours.owner.client.get(`/media-files?saved_search=${newId()}`).expect(404);
    await theirs.owner.client.get(`/media-files?saved_search=${saved.body.sq_id}`).expect(404);
  });

  it('pages by cursor in every order without gaps or repeats', async () => {
    for (const sort of ['file_created', '-file_name', 'file_size', '-file_updated', 'taken', '-taken', 'file_type', 'no_such_order']) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: PageBody = await list(`limit=2&sort=${sort}${cursor ? `&cursor=${cursor}` : ''}`);
        seen.push(...page.data.map((row) => row.file_id));
        cursor = page.next_cursor;
      }
      expect({ sort, seen: [...seen].sort() }).toEqual({ sort, seen: Object.values(files).sort() });
    }
    expect(await names('sort=taken&limit=2')).toEqual(['Paris.jpg', 'Berlin.png']);
  });

  it('refuses what it cannot read, naming the parameter', async () => {
    for (const [query, path] of [
      [`query=${encodeURIComponent('{')}`, 'query'],
      [`query=${json({ where: { field: 'kind', op: 'resembles', value: 'image' } })}`, 'query.where.op'],
      [
        `query=${json({ where: { field: 'file_name', op: 'in', value: Array.from({ length: 200 }, (_, i) => `a-long-name-of-a-file-${i}.jpg`) } })}`,
        'query',
      ],
      ['album=nonsense', 'album'],
      ['facets=shape', 'facets'],
    ] as const) {
      const answer = await ours.owner.client.get(`/media-files?${query}`).expect(400);
      expect({ query, path: answer.body.errors[0].path }).toEqual({ query, path });
    }
    expect((await ours.owner.client.get('/media-files/facets?facets=kind&facets=shape').expect(400)).body.errors[0].path).toBe('facets[1]');
  });

  it('is closed to callers who may not view it, and shows nothing of another workspace', async () => {
    const outsider = await ours.member('viewer', ['document:view']);
    for (const path of ['', '/facets', '/timeline', '/formats', `/${files.paris}`]) {
      const denied = await outsider.client.get(`/media-files${path}`).expect(403);
      expect(denied.body.detail).toContain('media:view');
    }
    for (const query of ['', `album=${album}`, `album_any=${album}`]) expect((await list(query, theirs)).data).toEqual([]);
    await theirs.owner.client.get(`/media-files/${files.paris}`).expect(404);
    await theirs.owner.client.get(`/albums/${album}/files`).expect(404);
    await theirs.owner.client.get(`/media-files?similar_to=${files.paris}`).expect(404);
  });
});

describe('an album closed to the caller', () => {
  it('[media 3] is in no list, unknown by id, and not named by the files in it; memberships filter by file', async () => {
    const viewer = await ours.member('viewer');
    const closed = (
      await ours.owner.client.post('/albums', { album_name: 'Closed', album_acl: { users: { [ours.owner.user_id]: 'owner' } } }).expect(201)
    ).body.album_id as string;
    await ours.owner.client.post(`/albums/${closed}/files`, { file_ids: [files.brief] }).expect(200);
    const beside = (await ours.owner.client.post('/albums', { album_name: 'Beside' }).expect(201)).body.album_id as string;
    await ours.owner.client.post(`/albums/${beside}/files`, { file_ids: [files.berlin] }).expect(200);
    const of = async (client: TestWorkspace['owner']['client']): Promise<string[]> =>
      ((await client.get(`/albums/memberships?af_file=${files.brief}`).expect(200)).body.data as { af_album: string }[]).map(
        ({ af_album }) => af_album,
      );
    const albumsOf = async (client: TestWorkspace['owner']['client']): Promise<string[]> =>
      ((await client.get(`/media-files?file_id=${files.brief}`).expect(200)).body as PageBody).data[0]?.file_albums.map(
        ({ album_id }) => album_id,
      ) ?? [];
    expect(await of(ours.owner.client)).toEqual([closed]);
    expect(await albumsOf(ours.owner.client)).toEqual([closed]);
    expect(await of(viewer.client)).toEqual([]);
    expect(await albumsOf(viewer.client)).toEqual([]);
    expect(
      ((await viewer.client.get('/albums?limit=1000').expect(200)).body.data as { album_id: string }[]).map(({ album_id }) => album_id),
    ).not.toContain(closed);
    await viewer.client.get(`/albums/${closed}`).expect(404);
    await viewer.client.get(`/albums/${closed}/files`).expect(404);
    expect((await viewer.client.get(`/media-files?album=${closed}`).expect(200)).body.data).toEqual([]);
    for (const album of [closed, beside]) await ours.owner.client.delete(`/albums/${album}`).expect(204);
  });
});

describe('pictures that look like one', () => {
  it('come by similarity, the most alike first, page by page, narrowed by filters', async () => {
    const workspace = await api.workspace();
    const picture = async (name: string, phash: string): Promise<string> =>
      (await storeFile(api, workspace, { name, type: 'image/jpeg', kind: 'image', metadata: { system: { phash } } })).file_id;
    const original = await picture('original.jpg', 'f0f0f0f0f0f0f0f0');
    const near = await picture('near.jpg', 'f0f0f0f0f0f0f0f1');
    const farther = await picture('farther.png', 'f0f0f0f0f0f0f0ff');
    await picture('other.jpg', '0f0f0f0f0f0f0f0f');
    const found = (await list(`similar_to=${original}&similarityThreshold=0.85`, workspace)) as unknown as {
      data: { file_id: string; similarity: number }[];
    };
    expect(found.data.map(({ file_id }) => file_id)).toEqual([near, farther]);
    expect(found.data.map(({ similarity }) => similarity)).toEqual([0.9844, 0.9375]);
    expect(
      (await list(`similar_to=${original}&similarityThreshold=0.85&file_format=png`, workspace)).data.map(({ file_id }) => file_id),
    ).toEqual([farther]);
    const first = await list(`similar_to=${original}&similarityThreshold=0.85&limit=1`, workspace);
    expect(first).toMatchObject({ has_more: true, data: [{ file_id: near }] });
    expect(await list(`similar_to=${original}&similarityThreshold=0.85&limit=1&cursor=${first.next_cursor}`, workspace)).toMatchObject({
      has_more: false,
      next_cursor: null,
      data: [{ file_id: farther }],
    });
    await workspace.owner.client.get(`/media-files?similar_to=${newId()}`).expect(404);
  });
});

describe('one file of the library', () => {
  it('shows all that is known of it, with its version', async () => {
    const answer = await ours.owner.client.get(`/media-files/${files.paris}`).expect(200);
    expect(answer.body).toMatchObject({
      file_id: files.paris,
      file_albums: [{ album_id: album, album_name: 'Tour' }],
      media_tags: {},
      people: [],
      analyses: [],
      publication: null,
      version_count: 1,
    });
    expect(answer.headers.etag).toBe('"1"');
    await ours.owner.client.get(`/media-files/${newId()}`).expect(404);
  });
});

describe('what the library is made of', () => {
  const filters = ['', 'kind=image', `no_album=true`, 'taken=2019-01-01&taken=2019-12-31'];

  it('[media 9] formats, facets and timeline count what the list shows under the same filter', async () => {
    for (const filter of [...filters, `album=${album}`]) {
      const all = (await list(filter)).data;
      const facets = (await ours.owner.client.get(`/media-files/facets?${filter}`).expect(200)).body as {
        data: { facet: string; values: { value: string; count: number }[] }[];
        counted: number;
        sampled: boolean;
      };
      expect({ filter, counted: facets.counted, sampled: facets.sampled }).toEqual({ filter, counted: all.length, sampled: false });
      for (const { value, count } of facets.data.find(({ facet }) => facet === 'kind')?.values ?? [])
        expect({ filter, value, count }).toEqual({
          filter,
          value,
          count: (await list(`${filter}&query=${json({ where: { field: 'kind', op: 'eq', value } })}`)).data.length,
        });
      for (const { value, count } of facets.data.find(({ facet }) => facet === 'camera')?.values ?? [])
        expect(count).toBe((await list(`${filter}&query=${json({ where: { field: 'camera', op: 'eq', value } })}`)).data.length);
      const timeline = (await ours.owner.client.get(`/media-files/timeline?${filter}&by=year`).expect(200)).body as {
        data: { bucket: string; count: number }[];
      };
      expect(timeline.data.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
      for (const { bucket, count } of timeline.data)
        expect(count).toBe(
          (
            await list(
              `${filter}&query=${json({ where: { field: 'taken', op: 'between', value: [`${bucket}-01-01T00:00:00Z`, `${bucket}-12-31T23:59:59.999Z`] } })}`,
            )
          ).data.length,
        );
    }
    const formats = (await ours.owner.client.get('/media-files/formats').expect(200)).body as {
      data: { format: string; count: number }[];
      counted: boolean;
      has_more: boolean;
    };
    expect(formats).toMatchObject({ counted: true, has_more: false, next_cursor: null });
    expect(formats.data).toHaveLength(5);
    for (const { format, count } of formats.data)
      expect({ format, count }).toEqual({ format, count: (await list(`file_format=${format}`)).data.length });
    const inAlbum = (await ours.owner.client.get(`/media-files/formats?album=${album}`).expect(200)).body as { data: object[] };
    expect(inAlbum.data).toEqual([
      { format: 'jpg', file_type: 'image/jpeg', kind: 'image', count: 1 },
      { format: 'mp4', file_type: 'video/mp4', kind: 'video', count: 1 },
    ]);
  });

  it('is counted by day, month and year, and by the facets asked for alone', async () => {
    const by = async (size: string): Promise<string[]> =>
      (
        (await ours.owner.client.get(`/media-files/timeline?kind=image&by=${size}`).expect(200)).body as { data: { bucket: string }[] }
      ).data.map(({ bucket }) => bucket);
    expect(await by('day')).toEqual(['2019-06-20', '2019-06-01']);
    expect(await by('month')).toEqual(['2019-06']);
    expect(await by('year')).toEqual(['2019']);
    const facets = (await ours.owner.client.get('/media-files/facets?facets=year').expect(200)).body as { data: object[] };
    expect(facets.data).toEqual([
      {
        facet: 'year',
        group: null,
        values: [
          { value: '2026', label: null, count: 3 },
          { value: '2019', label: null, count: 2 },
        ],
      },
    ]);
  });
});

describe('a page of the library', () => {
  it('costs at most six statements, however many rows and albums it has', async () => {
    const workspace = await api.workspace();
    const many = await storeMany(api, workspace, 60);
    const made: string[] = [];
    for (let i = 0; i < 5; i++)
      made.push((await workspace.owner.client.post('/albums', { album_name: `Album ${i}` }).expect(201)).body.album_id as string);
    for (const id of made) await workspace.owner.client.post(`/albums/${id}/files`, { file_ids: many }).expect(200);
    const counter = new MessageCounter(api);
    try {
      const statements = async (path: string): Promise<number> => {
        counter.reset();
        const body = (await workspace.owner.client.get(path).expect(200)).body as PageBody;
        expect(body.data[0]?.file_albums).toHaveLength(5);
        return counter.texts.filter((text) => /FROM (file|album|file_tag|saved_search)\b/.test(text)).length;
      };
      for (const path of ['/media-files?', `/media-files?album=${made[0]}&`, `/albums/${made[0]}/files?sort=af_position&`]) {
        await statements(`${path}limit=5`);
        const few = await statements(`${path}limit=5`);
        expect(few).toBeLessThanOrEqual(6);
        expect(await statements(`${path}limit=50`)).toBe(few);
      }
    } finally {
      counter.close();
    }
  });
});
