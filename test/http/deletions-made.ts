import type { Client } from '@atrium/platform/testing';
import { newId } from '@atrium/platform/kernel';
import { URI, type TOTP } from 'otpauth';
import { openThread } from '../ai/talking';
import { guest, publicPath, shareLink } from '../distribution/sharing';
import { signedInMember } from '../identity/signing-in';
import { siteWithCms } from './creating-in-sites';
import { CREATIONS, type Ground } from './creating-routes';

/** Something to delete: where it is, by whom and with which body; and where its end is read. */
export interface Doomed {
  readonly by: Client;
  readonly at: string;
  readonly body?: object;
  readonly read?: string;
}

type Make = (ground: Ground) => Promise<Doomed>;

async function created(ground: Ground, route: string): Promise<{ readonly url: string; readonly body: unknown }> {
  const { ids = [], body } = (await CREATIONS[`POST ${route}`]?.(ground)) ?? {};
  const url = ids.reduce((left, id) => left.replace(/\{\w+\}/, id), route);
  const made = await ground.workspace.owner.client.post(url, body);
  expect([201, 202]).toContain(made.status);
  return { url, body: made.body };
}

async function withFactor({
  api,
  workspace,
}: Ground): Promise<{ readonly user_id: string; readonly client: Client; readonly code: () => string }> {
  const { user_id, client } = await signedInMember(api, workspace, 'viewer');
  const { otpauth_uri } = (await client.post('/me/mfa/totp').expect(200)).body as { readonly otpauth_uri: string };
  const authenticator = URI.parse(otpauth_uri) as TOTP;
  await client.post('/me/mfa/totp/verify', { code: authenticator.generate() }).expect(200);
  return { user_id, client, code: () => authenticator.generate() };
}

/** An upload of a visitor who is at the address, and the visit in which it was begun. */
async function uploadAt(by: Client, path: string): Promise<Doomed> {
  const opened = await by.post(`${path}/uploads`, { file_name: 'harbour.jpg', file_size: 10 }).expect(201);
  const at = `${path}/uploads/${(opened.body as { upl_id: string }).upl_id}`;
  const visit = opened.headers['x-visit'];
  return { by: visit ? by.with({ 'X-Visit': visit }) : by, at, read: at };
}

/** They end: a second request returns 204 as well. */
export const ENDED_TWICE: Readonly<Record<string, Make>> = {
  '/admin/legal-holds/{id}': async (ground) => {
    const { body } = await created(ground, '/admin/legal-holds');
    return { by: ground.workspace.owner.client, at: `/admin/legal-holds/${(body as { lh_id: string }).lh_id}` };
  },
  '/admin/share-links/{id}': async (ground) => {
    const { body } = await created(ground, '/share-links');
    const at = `/admin/share-links/${(body as { share_id: string }).share_id}`;
    return { by: ground.workspace.owner.client, at, read: at };
  },
  '/admin/users/{id}/invite': async (ground) => {
    const { body } = await created(ground, '/admin/users');
    const read = `/admin/users/${(body as { user_id: string }).user_id}`;
    return { by: ground.workspace.owner.client, at: `${read}/invite`, read };
  },
  '/admin/users/{id}/mfa': async (ground) => {
    const read = `/admin/users/${(await withFactor(ground)).user_id}`;
    return { by: ground.session, at: `${read}/mfa`, read };
  },
  '/me/api-keys/{id}': async (ground) => {
    const made = await ground.session.post('/me/api-keys', { key_name: `Key ${newId()}` }).expect(201);
    return { by: ground.session, at: `/me/api-keys/${(made.body as { key_id: string }).key_id}` };
  },
  '/me/mfa/totp': async (ground) => {
    const { client, code } = await withFactor(ground);
    return { by: client, at: '/me/mfa/totp', body: { code: code() } };
  },
  '/sites/{id}/cms': async (ground) => {
    const at = `/sites/${await siteWithCms(ground)}/cms`;
    return { by: ground.workspace.owner.client, at, read: at };
  },
  '/sites/{id}/cms/webhook': async (ground) => {
    const site_id = await siteWithCms(ground);
    await ground.api.sql(
      `UPDATE cms_connection SET cms_hook_key = $2, cms_hook_external = '1', cms_hook_created = now() WHERE cms_site = $1`,
      [site_id, newId()],
    );
    const cms = `/sites/${site_id}/cms`;
    return { by: ground.workspace.owner.client, at: `${cms}/webhook`, read: `${cms}/automation` };
  },
  '/sites/{id}/schedules/{sch_id}': async (ground) => {
    const { body } = await created(ground, '/sites/{id}/publish');
    const { sch_site, sch_id } = body as { readonly sch_site: string; readonly sch_id: string };
    const at = `/sites/${sch_site}/schedules/${sch_id}`;
    return { by: ground.workspace.owner.client, at, read: at };
  },
  '/public/kiosk/{share_id}/uploads/{id}': async ({ api, workspace }) => {
    const { share_id } = await shareLink(workspace.owner.client, { share_type: 'upload', share_password: 'open sesame' });
    const path = `/public/kiosk/${share_id}`;
    const { device_token } = (await guest(api).post(`${path}/activate`, { password: 'open sesame' }).expect(200)).body as {
      readonly device_token: string;
    };
    return uploadAt(guest(api).with({ Authorization: `Bearer ${device_token}` }), path);
  },
  '/public/shares/{token}/uploads/{id}': async ({ api, workspace }) =>
    uploadAt(guest(api), publicPath(await shareLink(workspace.owner.client, { share_type: 'upload' }))),
};

/** They are gone: a second request returns 404. */
export const GONE_TWICE: Readonly<Record<string, Make>> = {
  '/admin/social/slots/{id}': async (ground) => {
    const { url, body } = await created(ground, '/admin/social/slots');
    return { by: ground.workspace.owner.client, at: `${url}/${(body as { sls_id: string }).sls_id}` };
  },
  '/documents/{id}/relations/{relation_id}': async (ground) => {
    const { url, body } = await created(ground, '/documents/{id}/relations');
    return { by: ground.workspace.owner.client, at: `${url}/${(body as { rel_id: string }).rel_id}` };
  },
  '/files/{id}/hold': async (ground) => ({ by: ground.workspace.owner.client, at: (await created(ground, '/files/{id}/hold')).url }),
  '/knowledge-bases/{id}/crawls/{crawl_id}': async (ground) => {
    const { url, body } = await created(ground, '/knowledge-bases/{id}/crawls');
    const at = `${url}/${(body as { crawl: { crw_id: string } }).crawl.crw_id}`;
    return { by: ground.workspace.owner.client, at, read: at };
  },
  '/media-tags/{id}': async (ground) => {
    const { body } = await created(ground, '/media-tags');
    return { by: ground.workspace.owner.client, at: `/media-tags/${(body as { mt_id: string }).mt_id}` };
  },
  '/memories/{id}': async (ground) => {
    const { body } = await created(ground, '/memories');
    return { by: ground.workspace.owner.client, at: `/memories/${(body as { mem_id: string }).mem_id}` };
  },
  '/sites/{id}/preview-links/{prv_id}': async (ground) => {
    const { url, body } = await created(ground, '/sites/{id}/preview-links');
    return { by: ground.workspace.owner.client, at: `${url}/${(body as { prv_id: string }).prv_id}` };
  },
  '/sites/{id}/redirects/{red_id}': async (ground) => {
    const { url, body } = await created(ground, '/sites/{id}/redirects');
    return { by: ground.workspace.owner.client, at: `${url}/${(body as { red_id: string }).red_id}` };
  },
  '/spaces/{id}/members/{member_id}': async (ground) => {
    const { url, body } = await created(ground, '/spaces/{id}/members');
    return { by: ground.workspace.owner.client, at: `${url}/${(body as { sm_principal: string }).sm_principal}` };
  },
  '/threads/{id}/members/{member_id}': async ({ workspace }) => {
    const { client } = workspace.owner;
    const member_id = (await workspace.member('viewer')).user_id;
    const members = `/threads/${(await openThread(client)).thread_id}/members`;
    await client.post(members, { member_type: 'user', member_id, member_level: 'view' }).expect(201);
    return { by: client, at: `${members}/${member_id}` };
  },
};
