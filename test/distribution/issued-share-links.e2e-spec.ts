import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import sharp from 'sharp';
import { storeFile } from '../files/stored-files';
import { sharedAtrium } from '../support/shared-atrium';
import { filesSeen, guest, publicPath, shareLink, tokenOf, type OwnLink } from './sharing';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let files: string[];

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
  files = [(await storeFile(api, ours)).file_id, (await storeFile(api, ours)).file_id];
}, 60_000);
afterAll(() => api.close());

const filesLink = (more: Record<string, unknown> = {}): Promise<OwnLink> =>
  shareLink(ours.owner.client, { share_type: 'files', share_file_ids: files, ...more });

describe('links of others', () => {
  it('[distribution 7] are listed with neither token nor password to those who administer links, and revoked by them', async () => {
    const mine = await filesLink({ share_password: 'open sesame' });
    const colleague = await ours.member('editor');
    const own = (await colleague.client.get('/share-links').expect(200)).body.data as OwnLink[];
    expect(own).toEqual([]);
    const theirsOwn = await shareLink(colleague.client, { share_type: 'files', share_file_ids: [files[0]] });
    const listedOwn = (await colleague.client.get('/share-links').expect(200)).body.data as OwnLink[];
    expect(listedOwn.map(({ share_id, share_url }) => ({ share_id, share_url }))).toEqual([
      { share_id: theirsOwn.share_id, share_url: theirsOwn.share_url },
    ]);
    await colleague.client.get(`/share-links/${mine.share_id}`).expect(404);
    const denied = await colleague.client.get('/admin/share-links').expect(403);
    expect(denied.body.detail).toContain('admin:share-links');
    const all = await ours.owner.client.get('/admin/share-links?limit=200').expect(200);
    const seen = new Set((all.body.data as OwnLink[]).map(({ share_id }) => share_id));
    expect(seen.has(mine.share_id) && seen.has(theirsOwn.share_id)).toBe(true);
    for (const secret of [tokenOf(mine), tokenOf(theirsOwn), 'open sesame', 'share_url', 'argon2', 'token'])
      expect(JSON.stringify(all.body)).not.toContain(secret);
    const byName = await ours.owner.client
      .get(`/admin/share-links?share_created_by_name=editor&share_state=live&share_created_by=${colleague.user_id}`)
      .expect(200);
    expect((byName.body.data as OwnLink[]).map(({ share_id }) => share_id)).toEqual([theirsOwn.share_id]);
    await ours.owner.client.patch(`/admin/share-links/${theirsOwn.share_id}`, { share_active: false }).expect(200);
    await guest(api).get(publicPath(theirsOwn)).expect(410);
    await ours.owner.client.patch(`/admin/share-links/${theirsOwn.share_id}`, { share_active: true }).expect(200);
    await ours.owner.client.delete(`/admin/share-links/${theirsOwn.share_id}`).expect(204);
    await guest(api).get(publicPath(theirsOwn)).expect(410);
    const [, second] = [
      await shareLink(colleague.client, { share_type: 'files', share_file_ids: files }),
      await shareLink(colleague.client, { share_type: 'files', share_file_ids: files }),
    ];
    expect((await ours.owner.client.post('/admin/share-links/revoke', { share_created_by: colleague.user_id }).expect(200)).body).toEqual({
      revoked: 2,
    });
    await guest(api).get(publicPath(second)).expect(410);
    await ours.owner.client.post('/admin/share-links/revoke', {}).expect(400);
    await colleague.client.post('/admin/share-links/revoke', { no_password: true }).expect(403);
  });

  it('are named by the history of a file to their maker and to administrators of links alone', async () => {
    const colleague = await ours.member('editor');
    const viewer = await ours.member('viewer');
    const link = await shareLink(colleague.client, { share_type: 'files', share_file_ids: [files[0]] });
    const [file] = await filesSeen(guest(api), link);
    await guest(api)
      .get(`${publicPath(link)}/files/${file?.public_id}/download-url`)
      .expect(200);
    const named = async (client: Client): Promise<unknown[]> => {
      const { body } = await client.get(`/files/${files[0]}/history`).expect(200);
      const lines = (body as { data: { fh_action: string; fh_details: { share_id?: string } }[] }).data;
      return lines.filter(({ fh_action }) => fh_action === 'downloaded').map(({ fh_details }) => fh_details.share_id ?? fh_details);
    };
    expect(await named(colleague.client)).toEqual([link.share_id]);
    expect(await named(ours.owner.client)).toEqual([link.share_id]);
    expect(await named(viewer.client)).toEqual([{}]);
    await colleague.client.delete(`/share-links/${link.share_id}`).expect(204);
    expect(await named(viewer.client)).toEqual([{}]);
  });

  it('[distribution 17] (shares) do not exist in another workspace', async () => {
    const link = await filesLink();
    const { client } = theirs.owner;
    for (const path of ['', '/events', '/qr', '/uploads']) await client.get(`/share-links/${link.share_id}${path}`).expect(404);
    await client.patch(`/share-links/${link.share_id}`, { share_name: 'x' }).expect(404);
    await client.delete(`/share-links/${link.share_id}`).expect(404);
    await client.post(`/share-links/${link.share_id}/rotate`).expect(404);
    await client.post(`/share-links/${link.share_id}/send`, { emails: ['a@example.com'] }).expect(404);
    await client.post(`/share-links/${link.share_id}/uploads/review`, { accept: [newId()] }).expect(404);
    await client.get(`/admin/share-links/${link.share_id}`).expect(404);
    await client.patch(`/admin/share-links/${link.share_id}`, { share_active: false }).expect(404);
    await client.delete(`/admin/share-links/${link.share_id}`).expect(404);
    expect((await client.post('/admin/share-links/revoke', { share_ids: [link.share_id] }).expect(200)).body).toEqual({ revoked: 0 });
    expect((await client.post('/distribution/evaluate', { share_id: link.share_id })).status).toBe(400);
    await guest(api).get(publicPath(link)).expect(200);
  });

  it('[distribution 14] (shares) are kept from where the baseline denies, at once, as what-if predicts; taking it back heals', async () => {
    const link = await filesLink();
    const free = await filesLink({ share_options: { apply_restrictions: false } });
    const restriction = (
      await ours.owner.client
        .post('/distribution/restrictions', {
          dr_name: 'not from here',
          dr_kind: 'ip',
          dr_effect: 'deny',
          dr_values: ['127.0.0.0/8', '::1/128'],
        })
        .expect(201)
    ).body as { dr_id: string };
    await ours.owner.client.put('/distribution/baseline', { restriction_ids: [restriction.dr_id] }).expect(200);
    const refused = await guest(api).get(publicPath(link)).expect(403);
    expect(refused.body).toMatchObject({ code: 'permission_denied', errors: [expect.objectContaining({ code: 'ip' })] });
    await guest(api).get(publicPath(free)).expect(200);
    const told = await ours.owner.client.post('/distribution/evaluate', { share_id: link.share_id, ip: '127.0.0.2' }).expect(200);
    expect(told.body).toMatchObject({ decision: 'refuse', reason: 'ip' });
    await ours.owner.client.put('/distribution/baseline', { restriction_ids: [] }).expect(200);
    await guest(api).get(publicPath(link)).expect(200);
  });

  it('says 501 when no mail can leave, and draws the address as a square', async () => {
    const link = await filesLink();
    expect(
      (await ours.owner.client.post(`/share-links/${link.share_id}/send`, { emails: ['grace@example.com'] }).expect(501)).body.code,
    ).toBe('not_configured');
    await ours.owner.client.post(`/share-links/${link.share_id}/send`, { emails: ['no address'] }).expect(400);
    const { data_url } = (await ours.owner.client.get(`/share-links/${link.share_id}/qr?size=256`).expect(200)).body as {
      data_url: string;
    };
    expect((await sharp(Buffer.from(data_url.split(',')[1] ?? '', 'base64')).metadata()).width).toBe(256);
    await ours.owner.client.get(`/share-links/${link.share_id}/qr?size=64`).expect(400);
  });
});
