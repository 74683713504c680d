import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { published } from '../distribution/publishing';
import { filesSeen, guest, picture, publicPath, shareLink, tokenOf } from '../distribution/sharing';
import { upload } from '../files/uploading';
import type { Ground } from '../http/creating-routes';
import { makeSchema } from '../objects/objects';
import { operatorOf } from '../support/operating';
import { made, type PartyName, type Planted } from './closed-parties';

const FONTS = join(dirname(require.resolve('pdfjs-dist/package.json')), 'standard_fonts');
const MEMBERS: readonly PartyName[] = ['owner', 'admin', 'editor', 'viewer', 'key for media'];
const SHARERS: readonly PartyName[] = ['owner', 'admin', 'key for media'];
const VISITED: readonly PartyName[] = ['owner', 'key for media', 'visitor'];
/** Members, and keys of theirs. */
const INSIDERS: readonly PartyName[] = [...MEMBERS, 'key for designs', 'key for reading objects', 'key for conversations'];
const OWNER_AND_KEYS: readonly PartyName[] = INSIDERS.filter((name) => !['editor', 'viewer'].includes(name));
/** What no answer shows, to no one. */
const NOBODY: readonly PartyName[] = [];

const credential = (of: string): string => `zqcred${of}${Math.random().toString(36).slice(2, 10)}`;

/** What belongs to one person, and open things beside it. */
export async function ownThings({ workspace, session }: Ground): Promise<Planted> {
  const { client } = workspace.owner;
  const uploading = { file_repo: { library: ['media'] }, file_name: 'zqupload.txt', file_size: 12 };
  const upl_id = await made(client, '/uploads', uploading, 'upl_id');
  const key = await made(session, '/me/api-keys', { key_name: 'zqkey' }, 'key_id');
  const seen = await picture(workspace, 'plain.jpg', 78);
  await published(client, seen.file_id);
  const font = await upload(client, 'brand.ttf', await readFile(join(FONTS, 'LiberationSans-Bold.ttf')));
  const query_search = { where: { field: 'file_name', op: 'contains', value: 'plain' } };
  const smart = await made(client, '/albums/smart', { album_name: 'Plain ones', query_search }, 'album_id');
  return {
    secrets: [
      { value: 'zqupload', of: 'an upload that somebody has begun', readers: ['owner', 'key for media', 'key for conversations'] },
      { value: 'zqkey', of: 'the name of a key', readers: ['owner', 'admin'] },
    ],
    closed: { '/uploads/{id}': [upl_id], '/me/api-keys/{id}': [key] },
    open: {
      '/media-files/{id}': [seen.file_id],
      '/files/{id}': [seen.file_id, font.file_id],
      '/albums/{id}': [smart],
      '/stock-photos/{stock_id}': ['unsplash:u1'],
    },
  };
}

/** Links for people from outside: one that is open, one for uploads, and one behind a password. */
export async function links({ api, workspace }: Ground): Promise<Planted> {
  const { client } = workspace.owner;
  const behind = await picture(workspace, 'zqbehindlock.jpg', 77);
  const locked = await shareLink(client, {
    share_name: 'zqlinkname',
    share_type: 'files',
    share_file_ids: [behind.file_id],
    share_password: 'behind the lock',
    share_options: { message: 'zqlinkmessage' },
  });
  const shown = await picture(workspace, 'pier.jpg', 41);
  const open = await shareLink(client, { share_type: 'files', share_file_ids: [shown.file_id] });
  const taking = await shareLink(client, { share_type: 'upload' });
  const kiosk = await shareLink(client, { share_type: 'upload', share_password: 'behind the lock' });
  const [visit, device] = [publicPath(taking), `/public/kiosk/${kiosk.share_id}`];
  const begun = await guest(api).post(`${visit}/uploads`, { file_name: 'zqletter.jpg', file_size: 12 }).expect(201);
  const activated = await guest(api).post(`${device}/activate`, { password: 'behind the lock' }).expect(200);
  const ofDevice = { Authorization: `Bearer ${(activated.body as { device_token: string }).device_token}` };
  const there = await guest(api).with(ofDevice).post(`${device}/uploads`, { file_name: 'zqpostcard.jpg', file_size: 12 }).expect(201);
  const visiting = ({ headers }: { readonly headers: object }) => ({ 'X-Visit': (headers as Record<string, string>)['x-visit'] ?? '' });
  const idOf = ({ body }: { readonly body: unknown }): string => (body as { upl_id: string }).upl_id;
  return {
    secrets: [
      { value: 'zqbehindlock', of: 'the file of a link behind a password', readers: MEMBERS },
      { value: 'zqlinkname', of: 'the name of a link behind a password', readers: SHARERS },
      { value: 'zqlinkmessage', of: 'the message of a link behind a password', readers: SHARERS },
      { value: 'zqletter', of: 'an upload that a visitor has begun', readers: VISITED },
      { value: 'zqpostcard', of: 'an upload that a visitor has begun at a kiosk', readers: VISITED },
    ],
    closed: { '/share-links/{id}': [locked.share_id] },
    open: {
      '/files/{id}': [behind.file_id],
      '/public/shares/{token}': [tokenOf(locked), tokenOf(open), tokenOf(taking)],
      '/public/shares/{token}/files/{public_id}': (await filesSeen(guest(api), open)).map(({ public_id }) => public_id),
      '/public/shares/{token}/uploads/{id}': [idOf(begun)],
      '/public/kiosk/{share_id}': [kiosk.share_id],
      '/public/kiosk/{share_id}/uploads/{id}': [idOf(there)],
    },
    visits: { [visit]: visiting(begun), [device]: { ...ofDevice, ...visiting(there) } },
  };
}

/** Of administration: what one workspace pays, what one person may spend, what is held and why. */
export async function administration({ api, workspace }: Ground): Promise<Planted> {
  const { client, user_id } = workspace.owner;
  const price = { cost_param: 'render', cost_credits_per_unit: 3, cost_note: 'zqagreedprice' };
  await operatorOf(api).post(`/workspaces/${workspace.tenant_id}/costs`, price).expect(201);
  const spending = {
    bud_name: 'zqbudget',
    bud_scope: 'user',
    bud_target: user_id,
    bud_period: 'week',
    bud_credits: 900,
    bud_action: 'warn',
  };
  const bud_id = await made(client, '/admin/budgets', spending, 'bud_id');
  const { user_id: held } = await workspace.member('viewer');
  const hold = { lh_name: 'zqmatter', lh_target_type: 'user', lh_target_id: held, lh_reason: 'zqreason' };
  const lh_id = await made(client, '/admin/legal-holds', hold, 'lh_id');
  return {
    secrets: [
      { value: 'zqagreedprice', of: 'the remark on a price that was agreed with the workspace', readers: ['owner', 'admin'] },
      { value: 'zqbudget', of: 'the budget of a person', readers: OWNER_AND_KEYS },
      ...['zqmatter', 'zqreason'].map((value) => ({ value, of: 'a legal hold', readers: ['owner', 'admin'] as const })),
    ],
    open: { '/admin/budgets/{id}': [bud_id], '/admin/legal-holds/{id}': [lh_id] },
  };
}

/** Credentials in every place that takes one. */
export async function credentials({ workspace, s3, session }: Ground): Promise<Planted> {
  const { client } = workspace.owner;
  const words = { key: credential('key'), header: credential('header'), source: credential('source'), password: credential('pass') };
  const provider = {
    mp_name: 'zq-provider',
    mp_type: 'openai-compatible',
    mp_base_url: 'http://127.0.0.1:9/',
    mp_key: words.key,
    mp_headers: { 'X-Auth': words.header },
  };
  const model = await made(client, '/model-providers', provider, 'mp_id');
  const { form_id } = await makeSchema(client);
  const source = {
    osr_name: 'Shop with a credential',
    osr_kind: 'http_json',
    osr_form: form_id,
    osr_config: { url: 'http://127.0.0.1:9/x', rows: '$.items', auth: { type: 'bearer' } },
    osr_credentials: { token: words.source },
    osr_mapping: { external_id: { path: '$.id' }, name: { path: '$.name' } },
  };
  const osr_id = await made(client, '/object-sources', source, 'osr_id');
  const store = {
    sto_name: 'Archive with a credential',
    sto_endpoint: s3.endpoint,
    sto_region: s3.credentials.region,
    sto_bucket: 'creations',
    sto_access_key: s3.credentials.accessKey,
    sto_secret: s3.credentials.secretKey,
  };
  const sto_id = await made(client, '/admin/storage/providers', store, 'sto_id');
  const { file_id } = await picture(workspace, 'quay.jpg', 42);
  const link = await shareLink(client, {
    share_type: 'files',
    share_file_ids: [file_id],
    share_password: words.password,
  });
  const { key_secret } = (await session.post('/me/api-keys', { key_name: 'Kept' }).expect(201)).body as { key_secret: string };
  return {
    secrets: [...Object.values(words), s3.credentials.secretKey, key_secret].map((value) => ({
      value,
      of: 'a credential',
      readers: NOBODY,
    })),
    open: {
      '/model-providers/{id}': [model],
      '/object-sources/{id}': [osr_id],
      '/admin/storage/providers/{id}': [sto_id],
      '/share-links/{id}': [link.share_id],
    },
  };
}
