import { LibraryTallies } from '@atrium/files';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { storeFile, storeMany } from './stored-files';
import { talliesThatLag } from './library-tallies';

const DAYS = ['1904-02-29T23:59:59.999Z', '1999-12-31T23:59:59.999Z', '2000-01-01T00:00:00.000Z', '2024-03-31T23:59:59.999Z'];

let api: RunningApi;
let ours: TestWorkspace;
let tallies: LibraryTallies;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace(['module-documents']);
  tallies = api.app.get(LibraryTallies, { strict: false });
});
afterAll(() => api.close());

const taken = (at: number): object => ({ system: { taken: DAYS[at % DAYS.length] } });
const timeline = async (workspace: TestWorkspace, query = ''): Promise<unknown> =>
  (await workspace.owner.client.get(`/media-files/timeline?by=day${query}`).expect(200)).body.data;
const EVERYTHING = `&query=${encodeURIComponent(JSON.stringify({ where: { all: [] } }))}`;

describe('days and words of a library', () => {
  it('are exact while files are added, changed, moved, deleted and counted, all at once', async () => {
    const { client } = ours.owner;
    const stored = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        storeFile(api, ours, { name: `Harbour pier ${at}.jpg`, metadata: taken(at), processing: at % 5 ? 'ready' : 'quarantined' }),
      ),
    );
    const ids = stored.map(({ file_id }) => file_id);
    for (let round = 0; round < 4; round++) {
      await Promise.all([
        storeMany(api, ours, 5, { name: `Garden ${round}.png`, metadata: taken(round) }),
        client.post(`/files/actions/${round % 2 ? 'restore' : 'delete'}`, { file_ids: ids.slice(1, 5) }).expect(200),
        client.put(`/files/${ids[6]!}`, { file_name: `Renamed pier ${'x'.repeat(round + 3)}.jpg` }).expect(200),
        client.post(`/files/${ids[7]!}/move`, { file_repo: { library: [round % 2 ? 'media' : 'docs'] } }).expect(200),
        api.sql(
          "UPDATE file SET file_metadata = $2, file_processing = CASE file_processing WHEN 'ready' THEN 'quarantined' ELSE 'ready' END WHERE file_id = ANY($1::uuid[])",
          [ids.slice(8, 11), JSON.stringify(taken(round + 1))],
        ),
        tallies.rollUpTallies(),
        tallies.rollUpTallies(),
      ]);
      expect(await talliesThatLag(api, ours.tenant_id)).toEqual([]);
    }
    await client.post('/files/actions/delete', { file_ids: [ids[11]] }).expect(200);
    await client.post('/files/actions/purge', { file_ids: [ids[11]] }).expect(200);
    await api.sql('DELETE FROM file WHERE file_id = $1', [ids[10]]);
    expect(await talliesThatLag(api, ours.tenant_id)).toEqual([]);
    expect(await timeline(ours)).toEqual(await timeline(ours, EVERYTHING));
    await tallies.rollUpTallies();
    expect(await talliesThatLag(api, ours.tenant_id)).toEqual([]);
    expect(await timeline(ours)).toEqual(await timeline(ours, EVERYTHING));
  });

  it('are gone with the last file, sums and all', async () => {
    const library = await api.workspace();
    const ids = await storeMany(api, library, 3, { name: 'Lonely windmill.jpg', metadata: taken(0) });
    await tallies.rollUpTallies();
    await api.sql('DELETE FROM file WHERE file_id = ANY($1::uuid[])', [ids]);
    await tallies.rollUpTallies();
    const left =
      'SELECT 1 FROM file_word WHERE tenant_id = $1 UNION ALL SELECT 1 FROM file_word_delta WHERE tenant_id = $1 UNION ALL SELECT 1 FROM file_day WHERE tenant_id = $1 UNION ALL SELECT 1 FROM file_day_delta WHERE tenant_id = $1';
    expect(await api.sql(left, [library.tenant_id])).toEqual([]);
  });
});

describe('a search with typing errors', () => {
  let library: TestWorkspace;
  const found = async (q: string, more = '', workspace = library): Promise<string[]> =>
    (
      (await workspace.owner.client.get(`/files/search?q=${encodeURIComponent(q)}${more}`).expect(200)).body as {
        data: { file_name: string }[];
      }
    ).data.map(({ file_name }) => file_name);

  beforeAll(async () => {
    library = await api.workspace(['module-documents']);
    const names = [
      'Harbour pier 2023.jpg',
      'harbour_pier_2024.jpg',
      'DSC01234.jpg',
      'DSC01235.jpg',
      'Étude nocturne.txt',
      'Sunset over the old lighthouse at low tide 17.png',
      'Garden.jpg',
    ];
    for (const name of names) await storeFile(api, library, { name });
    await storeFile(api, library, { name: 'Hidden windmill.jpg', repo: 'docs' });
  });

  // Before anything was added up, and after.
  it.each([
    ['as they came', false],
    ['added up', true],
  ])('finds names by the words they are made of, %s', async (_, added) => {
    if (added) await tallies.rollUpTallies();
    expect(await found('harbuor 2024')).toEqual(['harbour_pier_2024.jpg', 'Harbour pier 2023.jpg']);
    expect((await found('pire harbour')).sort()).toEqual(['Harbour pier 2023.jpg', 'harbour_pier_2024.jpg']);
    expect((await found('DCS01234'))[0]).toBe('DSC01234.jpg');
    expect(await found('étdue nocturne')).toEqual(['Étude nocturne.txt']);
    expect(await found('lighthuose')).toEqual(['Sunset over the old lighthouse at low tide 17.png']);
    expect(await found('harbuor', '&limit=1')).toHaveLength(1);
    expect(await found('garden harbour')).toEqual(['Garden.jpg']);
    expect(await found('zebra')).toEqual([]);
    expect(await found('zebra quagga harbour')).toEqual([]);
    expect(await found("zeb%ra_qua'gga\\r")).toEqual([]);
    expect(await found('windmlil', '&repo_type=media')).toEqual([]);
    expect(await found('windmlil')).toEqual(['Hidden windmill.jpg']);
    expect(await found('harbuor', '', ours)).not.toContain('harbour_pier_2024.jpg');
  });

  it('finds a word by its new spelling alone once the name was changed', async () => {
    const { file_id } = await storeFile(api, library, { name: 'Caravan.jpg' });
    expect(await found('caravna')).toEqual(['Caravan.jpg']);
    await library.owner.client.put(`/files/${file_id}`, { file_name: 'Bicycle.jpg' }).expect(200);
    expect(await found('caravna')).toEqual([]);
    expect(await found('bicylce')).toEqual(['Bicycle.jpg']);
    await library.owner.client.delete(`/files/${file_id}`).expect(204);
    expect(await found('bicylce')).toEqual([]);
  });
});
