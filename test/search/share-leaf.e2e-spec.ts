import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { albumWith } from './albums.pairs';
import { linkTo } from './distribution.pairs';
import { SearchWorld } from './search-world';

let api: RunningApi;
let world: SearchWorld;

beforeAll(async () => {
  api = await sharedAtrium();
  world = await SearchWorld.in(api, await api.workspace(['module-documents']));
});
afterAll(() => api.close());

const leaf = (share: string): object => ({ where: { field: 'share_link', op: 'eq', value: share } });
const kept = (client: Client, share: string, sq_scope = 'media') =>
  client.post('/saved-searches', { sq_name: `Shared ${newId()}`, sq_scope, sq_query: leaf(share) });
const found = async (client: Client, share: string): Promise<string[]> =>
  (
    (await client.post('/saved-searches/preview', { sq_scope: 'media', sq_query: leaf(share) }).expect(200)).body.data as {
      file_id: string;
    }[]
  ).map(({ file_id }) => file_id);
const refused = { path: 'sq_query.where.value', code: 'reference' };

describe('a search by share link', () => {
  it('is not kept with a link that is not there, of another workspace, or of a smart album, and not for documents', async () => {
    const { client } = world.workspace.owner;
    const elsewhere = await SearchWorld.in(api, await api.workspace());
    const album = (
      await client
        .post('/albums/smart', { album_name: 'Wide', query_search: { where: { field: 'width', op: 'gt', value: 1 } } })
        .expect(201)
    ).body as { album_id: string };
    for (const share of [
      newId(),
      await linkTo(elsewhere, { files: [await elsewhere.file()] }),
      await linkTo(world, { album: album.album_id }),
    ]) {
      expect((await kept(client, share).expect(400)).body.errors).toMatchObject([refused]);
    }
    expect((await kept(client, await linkTo(world, {}), 'docs').expect(400)).body.errors[0].path).toBe('sq_query.where.field');
  });

  it('warns of a link that is gone and finds nothing by it', async () => {
    const { client } = world.workspace.owner;
    const share = await linkTo(world, { files: [await world.file()] });
    const { sq_id } = (await kept(client, share).expect(201)).body as { sq_id: string };
    await api.sql('DELETE FROM share_link WHERE share_id = $1', [share]);
    expect((await client.get(`/saved-searches/${sq_id}`).expect(200)).body.sq_warnings).toEqual([
      { path: 'where.value', code: 'reference', message: expect.stringContaining(share) as string },
    ]);
    expect(await found(client, share)).toEqual([]);
  });

  it('is for the creator of the link and for members who administer links', async () => {
    const [maker, other] = [await world.workspace.member('editor'), await world.workspace.member('editor')];
    const file = await world.file();
    const share = await linkTo(world, { files: [file] }, maker.user_id);
    expect([await found(maker.client, share), await found(world.workspace.owner.client, share), await found(other.client, share)]).toEqual([
      [file],
      [file],
      [],
    ]);
    expect((await kept(other.client, share).expect(400)).body.errors).toMatchObject([refused]);
  });

  it('finds nothing of an album that the reader may not see', async () => {
    const maker = await world.workspace.member('editor');
    const file = await world.file();
    const album = await albumWith(world, [file]);
    const share = await linkTo(world, { album }, maker.user_id);
    expect(await found(maker.client, share)).toEqual([file]);
    await api.sql('UPDATE album SET album_acl = $2 WHERE album_id = $1', [
      album,
      JSON.stringify({ users: { [world.workspace.owner.user_id]: 'owner' } }),
    ]);
    expect(await found(maker.client, share)).toEqual([]);
  });
});
