import { StockPings } from '@atrium/media';
import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { drawPicture, eventually, StockServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { endedJob, type FileJobAnswer } from '../files/file-jobs-of';
import { settled } from '../files/uploading';
import { startAtrium, startAtriumWithWorker } from '../support/api';

interface Photo {
  readonly stock_id: string;
  readonly already_imported: string | null;
}

interface PhotoPage {
  readonly data: readonly Photo[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly warnings: readonly { readonly provider: string; readonly code: string }[];
}

let stock: StockServer;
let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let me: Client;

beforeAll(async () => {
  stock = await StockServer.start();
  stock.picture = await drawPicture({ width: 640, height: 480, format: 'jpeg', seed: 3 });
  api = await startAtriumWithWorker({
    OUTBOUND_ALLOW: '127.0.0.1/32',
    UNSPLASH_ACCESS_KEY: 'unsplash-key',
    UNSPLASH_URL: stock.url,
    PEXELS_API_KEY: 'pexels-key',
    PEXELS_URL: stock.url,
  });
  [ours, theirs] = [await api.workspace(), await api.workspace()];
  me = ours.owner.client;
}, 60_000);
afterEach(() => {
  Object.assign(stock.limited, { unsplash: false, pexels: false });
  Object.assign(stock.broken, { unsplash: false, pexels: false });
  stock.redirect = null;
});
afterAll(async () => {
  await api.close();
  await stock.stop();
});

const search = async (query: string, client = me): Promise<PhotoPage> =>
  (await client.get(`/stock-photos?${query}`).expect(200)).body as PhotoPage;
const imported = async (stock_id: string, body: object = {}, client = me): Promise<FileJobAnswer> =>
  endedJob(client, ((await client.post(`/stock-photos/${stock_id}/import`, body).expect(202)).body as FileJobAnswer).job_id);

/** The reports that Unsplash received, once all are recorded. */
async function pinged(...ids: string[]): Promise<void> {
  await eventually(
    () => api.sql("SELECT 1 FROM outbox WHERE ev_name = 'media.stock-ping' AND ev_done IS NULL"),
    (open) => open.length === 0,
    30_000,
  );
  expect(stock.pings).toEqual(ids);
  expect(await api.sql('SELECT 1 FROM stock_import WHERE si_ping IS NOT NULL AND si_told IS NULL')).toEqual([]);
}

describe('stock photos', () => {
  it('[media 11] answer 501 unconfigured; are searched, imported with rights and a ping once; limits pass on when to ask again', async () => {
    const bare = await startAtrium({ UNSPLASH_ACCESS_KEY: '', PEXELS_API_KEY: '' });
    const alone = (await bare.workspace()).owner.client;
    expect((await alone.get('/stock-photos?q=harbour').expect(501)).body.detail).toContain('UNSPLASH_ACCESS_KEY');
    await alone.get('/stock-photos/unsplash:u1').expect(501);
    expect((await alone.get('/stock-photos/providers').expect(200)).body.data).toMatchObject([
      { key: 'unsplash', configured: false },
      { key: 'pexels', configured: false },
    ]);
    await bare.close();

    const page = await search('q=harbour&provider=unsplash&orientation=square&color=teal');
    expect(page.data).toHaveLength(7);
    expect(page.data[0]).toEqual({
      stock_id: 'unsplash:u1',
      title: 'harbour u1',
      author: 'Ada Lovelace',
      author_url: 'https://unsplash.com/@ada',
      page_url: 'https://unsplash.com/photos/u1',
      preview_url: `${stock.url}/bytes/u1?w=400`,
      width: 4_000,
      height: 3_000,
      color: '#26408c',
      license: 'Unsplash License',
      license_url: 'https://unsplash.com/license',
      already_imported: null,
    });
    expect(Object.fromEntries(stock.searches.at(-1) ?? [])).toMatchObject({ query: 'harbour', orientation: 'squarish', color: 'teal' });

    const album = (await me.post('/albums', { album_name: 'Stock' }).expect(201)).body.album_id as string;
    const job = await imported('unsplash:u1', { album_ids: [album], media_tags: { Subject: ['Harbour'] } });
    expect(job).toMatchObject({ status: 'completed', done: 1, result: { file_id: expect.any(String) } });
    const file = await settled(me, job.result?.file_id ?? '');
    expect(file).toMatchObject({
      file_name: 'harbour u1.jpg',
      file_processing: 'ready',
      file_metadata: {
        rights: {
          license: 'Unsplash License',
          author: 'Ada Lovelace',
          author_url: 'https://unsplash.com/@ada',
          attribution: 'Photo by Ada Lovelace on Unsplash',
          provider: 'unsplash',
          imported: expect.any(String),
        },
      },
    });
    expect((await me.get(`/media-files/${file.file_id}`).expect(200)).body).toMatchObject({
      media_tags: { Subject: ['Harbour'] },
      file_albums: [{ album_id: album }],
    });
    await pinged('u1');

    expect((await me.post('/stock-photos/unsplash:u1/import', {}).expect(200)).body).toMatchObject({ file_id: file.file_id });
    expect((await me.get('/stock-photos/unsplash:u1').expect(200)).body).toMatchObject({ already_imported: file.file_id });
    const second = await imported('unsplash:u1', { duplicate: true, file_name: 'again.jpg' });
    expect(second.result?.file_id).not.toBe(file.file_id);
    expect((await settled(me, second.result?.file_id ?? '')).file_name).toBe('again.jpg');
    await pinged('u1', 'u1');

    stock.limited.unsplash = true;
    expect((await me.get('/stock-photos?q=harbour&provider=unsplash').expect(429)).headers['retry-after']).toBe('3600');
    stock.limited.pexels = true;
    stock.reset = Math.floor(Date.now() / 1_000) + 90;
    const after = Number((await me.get('/stock-photos?q=harbour&provider=pexels').expect(429)).headers['retry-after']);
    expect(after).toBeGreaterThan(80);
    expect(after).toBeLessThanOrEqual(91);
  }, 60_000);

  it('come of each collection in turn, page by page, and a collection that fails is reported', async () => {
    const first = await search('q=boats&limit=4');
    expect(first.data.map(({ stock_id }) => stock_id)).toEqual(['unsplash:u1', 'pexels:1', 'unsplash:u2', 'pexels:2']);
    expect(first).toMatchObject({ has_more: true, warnings: [] });
    const seen = [...first.data];
    for (let cursor = first.next_cursor; cursor !== null;) {
      const next = await search(`q=boats&limit=4&cursor=${cursor}`);
      seen.push(...next.data);
      cursor = next.next_cursor;
    }
    expect(new Set(seen.map(({ stock_id }) => stock_id)).size).toBe(14);
    stock.broken.pexels = true;
    const half = await search('q=boats');
    expect(half.warnings).toMatchObject([{ provider: 'pexels', code: 'upstream_failed' }]);
    expect(half.data.length).toBeGreaterThan(0);
    stock.broken.unsplash = true;
    await me.get('/stock-photos?q=boats').expect(502);
  });

  it('are refused where the request is wrong, and bytes that lead into a private network end the import', async () => {
    await me.get('/stock-photos').expect(400);
    for (const query of ['q=x&provider=nobody', 'q=x&limit=51', 'q=x&cursor=later', 'q=x&orientation=round', 'q=x&color=gold'])
      await me.get(`/stock-photos?${query}`).expect(400);
    for (const id of ['getty:1', 'unsplash:nobody', 'pexels:abc', 'nonsense']) {
      await me.get(`/stock-photos/${id}`).expect(404);
      await me.post(`/stock-photos/${id}/import`, {}).expect(404);
    }
    await me.post('/stock-photos/pexels:1/import', { size: 'huge' }).expect(400);
    stock.redirect = 'http://10.0.0.1/picture.jpg';
    expect(await imported('pexels:2')).toMatchObject({ status: 'failed', errors: [{ file_id: null, code: 'unprocessable_content' }] });
    expect((await me.get('/stock-photos/pexels:2').expect(200)).body.already_imported).toBeNull();
    stock.redirect = null;
    const unknown = await me.post('/stock-photos/pexels:3/import', { album_ids: [newId()] }).expect(400);
    expect(unknown.body.errors).toMatchObject([{ path: 'album_ids[0]', code: 'reference' }]);
  });

  it('are reported to their provider once they are imported: not when nothing came, and again only until it was received', async () => {
    const before = [...stock.pings];
    stock.redirect = 'http://10.0.0.1/picture.jpg';
    expect(await imported('unsplash:u5')).toMatchObject({ status: 'failed' });
    await pinged(...before);
    stock.redirect = null;
    const file_id = (await imported('unsplash:u5')).result?.file_id ?? '';
    await pinged(...before, 'u5');
    const pings = api.app.get(StockPings, { strict: false });
    const tell = (): Promise<void> => inWorkspace(ours.tenant_id, () => pings.sendPing(file_id, AbortSignal.timeout(10_000)));
    await tell();
    await pinged(...before, 'u5');
    await api.sql('UPDATE stock_import SET si_told = NULL WHERE si_file = $1', [file_id]);
    stock.broken.unsplash = true;
    await expect(tell()).rejects.toMatchObject({ code: 'upstream_failed' });
    stock.broken.unsplash = false;
    await tell();
    await pinged(...before, 'u5', 'u5');
  });

  it('are imported by who may upload, and what one workspace imported no other one sees', async () => {
    const job = await imported('pexels:4', { size: 'medium' });
    expect((await me.get('/stock-photos/pexels:4').expect(200)).body.already_imported).toBe(job.result?.file_id);
    expect((await theirs.owner.client.get('/stock-photos/pexels:4').expect(200)).body.already_imported).toBeNull();
    const own = await imported('pexels:4', {}, theirs.owner.client);
    expect(own.result?.file_id).not.toBe(job.result?.file_id);
    const viewer = (await ours.member('viewer')).client;
    await viewer.get('/stock-photos/providers').expect(200);
    expect((await viewer.post('/stock-photos/pexels:4/import', {}).expect(403)).body.detail).toContain('media:upload');
  });
});
