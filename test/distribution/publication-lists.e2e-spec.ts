import { newId } from '@atrium/platform/kernel';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { copied, publicationOf, publish, published, refusalAt, statusAt } from './publishing';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace(['module-publication']);
  theirs = await api.workspace(['module-publication']);
}, 60_000);
afterAll(() => api.close());

const note = async (name = 'Note.txt'): Promise<string> =>
  (await storeFile(api, ours, { name, bytes: Buffer.from(`first ${newId()}`) })).file_id;

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

describe('rules that are not in force yet', () => {
  it('are kept as a draft beside what is live, applied in one step, and dropped', async () => {
    const client = ours.owner.client;
    const file_id = await note();
    await client.get(`/files/${file_id}/publication`).expect(404);
    const draft = (await client.put(`/files/${file_id}/publication/draft`, { distribution: 'restricted', deny: ['FR'] }).expect(200)).body;
    expect(draft).toMatchObject({ pub_state: 'draft', pub_url: null, pub_deny: ['FR'], pub_draft: null });
    const live = (await client.post(`/files/${file_id}/publication/draft/apply`).expect(200)).body;
    expect(live).toMatchObject({ pub_state: 'published', pub_deny: ['FR'] });
    await copied(client, file_id);
    await client.put(`/files/${file_id}/publication/draft`, { distribution: 'worldwide' }).expect(200);
    expect(await publicationOf(client, file_id)).toMatchObject({ pub_deny: ['FR'], pub_draft: { distribution: 'worldwide' } });
    expect(await refusalAt(live.pub_url, { 'X-Country': 'FR' })).toMatchObject({ status: 403 });
    await client.delete(`/files/${file_id}/publication/draft`).expect(204);
    await client.delete(`/files/${file_id}/publication/draft`).expect(404);
    await client.post(`/files/${file_id}/publication/draft/apply`).expect(404);
    await client.put(`/files/${file_id}/publication/draft`, { distribution: 'worldwide' }).expect(200);
    expect((await client.post(`/files/${file_id}/publication/draft/apply`).expect(200)).body).toMatchObject({
      pub_deny: [],
      pub_draft: null,
      pub_url: live.pub_url,
    });
    expect(await statusAt(live.pub_url, { 'X-Country': 'FR' })).toBe(200);
    const history = (await client.get(`/publications/${live.pub_id}/history`).expect(200)).body.data as {
      ph_from: object;
      ph_to: object;
    }[];
    expect(history[0]).toMatchObject({
      ph_action: 'updated',
      ph_from: { deny: ['FR'], distribution: 'restricted' },
      ph_to: { deny: [], distribution: 'worldwide' },
    });
    const other = await note();
    await client.put(`/files/${other}/publication/draft`, { distribution: 'worldwide' }).expect(200);
    await client.delete(`/files/${other}/publication`).expect(204);
    await client.get(`/files/${other}/publication`).expect(404);
    await client.delete(`/files/${other}/publication`).expect(404);
  });

  it('are a draft again when their release was never live; its address stays and answers 404', async () => {
    const client = ours.owner.client;
    const file_id = await note();
    const { pub_url } = await publish(client, file_id, { distribution: 'worldwide', start: inSeconds(3_600) });
    await client.delete(`/files/${file_id}/publication`).expect(204);
    expect(await publicationOf(client, file_id)).toMatchObject({ pub_state: 'draft', pub_url });
    expect(await refusalAt(pub_url)).toMatchObject({ status: 404 });
  });
});

describe('many at once', () => {
  it('publishes, refreshes and takes back in the background, file by file', async () => {
    const client = ours.owner.client;
    const files = [await note(), await note()];
    const done = async (
      path: string,
      body: object,
    ): Promise<{ status: string; done: number; failed: number; errors: { file_id: string; code: string }[] }> => {
      const { headers } = await client.post(path, body).expect(202);
      return eventually(
        async () => (await client.get((headers.location as string).replace('/api/v1', ''))).body,
        ({ status }) => ['completed', 'partial', 'failed'].includes(status),
        60_000,
      );
    };
    const unknown = newId();
    expect(await done('/publications/actions/publish', { file_ids: [...files, unknown], distribution: 'worldwide' })).toMatchObject({
      status: 'partial',
      done: 2,
      failed: 1,
      errors: [{ file_id: unknown, code: 'not_found' }],
    });
    await Promise.all(files.map((file_id) => copied(client, file_id)));
    await client.put(`/files/${files[0]}/content`, { content: `next ${newId()}` }).expect(200);
    await eventually(
      () => client.get(`/files/${files[0]}`),
      ({ body }) => body.file_processing === 'ready',
      60_000,
    );
    expect(await done('/publications/actions/refresh', { file_ids: files })).toMatchObject({ status: 'completed', done: 1, failed: 0 });
    expect(
      await eventually(
        () => publicationOf(client, files[0] ?? ''),
        ({ pub_version }) => pub_version === 2,
        60_000,
      ),
    ).toMatchObject({ pub_stale: false });
    expect(await done('/publications/actions/unpublish', { file_ids: files })).toMatchObject({ status: 'completed', done: 2 });
    expect(await publicationOf(client, files[1] ?? '')).toMatchObject({ pub_state: 'revoked', pub_revoked_reason: 'user' });
    await client.post('/publications/actions/publish', { file_ids: files, distribution: 'restricted' }).expect(400);
  }, 90_000);
});

describe('what is released', () => {
  it('is listed by file, state and text, counted, and leaves out what the caller may not see', async () => {
    const client = ours.owner.client;
    const file_id = await note(`Leuchtturm ${newId()}.txt`);
    const publication = await published(client, file_id);
    await statusAt(publication.pub_url);
    const found = async (query: string): Promise<string[]> =>
      ((await client.get(`/publications?${query}`).expect(200)).body.data as { pub_id: string }[]).map(({ pub_id }) => pub_id);
    expect(await found(`pub_file=${file_id}`)).toEqual([publication.pub_id]);
    expect(await found(`search=${encodeURIComponent('LEUCHTTURM')}&pub_state=published&pub_copy_state=ready`)).toEqual([
      publication.pub_id,
    ]);
    await client.put(`/files/${file_id}`, { file_name: `Renamed ${file_id}.txt` }).expect(200);
    expect(await found(`search=${file_id}`)).toEqual([publication.pub_id]);
    expect(await found('pub_state=draft&search=leuchtturm')).toEqual([]);
    expect(await found(`pub_created=${inSeconds(60)}`)).toEqual([]);
    const elsewhere = await ours.member('owner', ['document:view']);
    expect((await elsewhere.client.get(`/publications?pub_file=${file_id}`).expect(200)).body.data).toEqual([]);
    await elsewhere.client.get(`/publications/${publication.pub_id}`).expect(404);
    await elsewhere.client.get(`/publications/stats?pub_id=${publication.pub_id}`).expect(404);
    const stats = await eventually(
      async () => (await client.get(`/publications/stats?pub_id=${publication.pub_id}`).expect(200)).body,
      ({ total }) => total.hits > 0,
      30_000,
    );
    expect(stats.total).toMatchObject({
      hits: expect.any(Number),
      bytes: expect.any(Number),
      refusals: expect.any(Number),
      hits_by_country: { '??': expect.any(Number) },
    });
    expect((await client.get(`/publications/${publication.pub_id}`).expect(200)).body).toMatchObject({
      pub_hit_count: expect.any(Number),
      pub_last_hit: expect.any(String),
    });
  }, 60_000);

  it('[distribution 17] does not exist for another workspace, on any route', async () => {
    const file_id = await note();
    const { pub_id, pub_url } = await published(ours.owner.client, file_id);
    const { body: rule } = await ours.owner.client
      .post('/distribution/restrictions', { dr_name: `Ours ${newId()}`, dr_kind: 'agent', dr_effect: 'deny', dr_values: ['bot'] })
      .expect(201);
    const { client } = theirs.owner;
    const release = { distribution: 'worldwide' };
    const calls: [string, string, object?][] = [
      ['get', `/files/${file_id}/publication`],
      ['post', `/files/${file_id}/publication`, release],
      ['delete', `/files/${file_id}/publication`],
      ['put', `/files/${file_id}/publication/draft`, release],
      ['delete', `/files/${file_id}/publication/draft`],
      ['post', `/files/${file_id}/publication/draft/apply`],
      ['post', `/files/${file_id}/publication/retry`],
      ['get', `/publications/${pub_id}`],
      ['get', `/publications/${pub_id}/history`],
      ['get', `/publications/stats?pub_id=${pub_id}`],
      ['get', `/distribution/restrictions/${rule.dr_id}`],
      ['patch', `/distribution/restrictions/${rule.dr_id}`, { dr_name: 'x' }],
      ['delete', `/distribution/restrictions/${rule.dr_id}`],
      ['post', '/distribution/evaluate', { pub_id }],
      ['post', '/distribution/evaluate', { file_id }],
      ['post', '/distribution/evaluate', { share_id: newId() }],
    ];
    for (const [method, path, body] of calls) {
      const answer =
        method === 'get'
          ? await client.get(path)
          : method === 'delete'
            ? await client.delete(path)
            : method === 'patch'
              ? await client.patch(path, body ?? {})
              : method === 'put'
                ? await client.put(path, body ?? {})
                : await client.post(path, body);
      const status = path === '/distribution/evaluate' ? 400 : 404;
      expect({ method, path, status: answer.status }).toEqual({ method, path, status });
    }
    await client.put('/distribution/baseline', { restriction_ids: [rule.dr_id] }).expect(400);
    const own = (await storeFile(api, theirs)).file_id;
    await client.post(`/files/${own}/publication`, { distribution: 'restricted', restrictions: [rule.dr_id] }).expect(400);
    expect((await client.get('/publications').expect(200)).body.data).toEqual([]);
    expect(await statusAt(pub_url)).toBe(200);
  });
});
