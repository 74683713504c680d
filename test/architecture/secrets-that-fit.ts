import { TEST_PASSWORD, type Client, type RunningApi, type StrictS3Server, type TestWorkspace } from '@atrium/platform/testing';
import { signedInMember } from '../identity/signing-in';
import { makeSchema } from '../objects/objects';
import { FIELDS, MAPPING } from '../objects/syncing';

interface Around {
  readonly api: RunningApi;
  readonly workspace: TestWorkspace;
  /** A store with the bucket `canary`. */
  readonly s3: StrictS3Server;
  /** Where a source of objects finds its rows. */
  readonly page: string;
}

/** A body that succeeds; a secret that is named in it has to be that one, and is planted so. Without a client the owner asks by a key. */
export interface Fit {
  readonly body: Readonly<Record<string, unknown>>;
  readonly client?: Client;
}

/** Bodies of operations that succeed, so that what they keep is looked at as well. */
export async function bodiesThatFit({ api, workspace, s3, page }: Around): Promise<Readonly<Record<string, Fit>>> {
  const { client } = workspace.owner;
  const { album_id } = (await client.post('/albums', { album_name: 'Shown' }).expect(201)).body as { album_id: string };
  const { form_id } = await makeSchema(client, FIELDS);
  const { invite_url } = (
    await client.post('/admin/users', { user_email: 'invited@people.example', user_name: 'Invited', send_invite: false }).expect(201)
  ).body as { invite_url: string };
  const [signedIn, changing] = [await signedInMember(api, workspace, 'viewer'), await signedInMember(api, workspace, 'viewer')];
  const config = { url: page, rows: '$.items', auth: { type: 'bearer' } };
  const bodies: Readonly<Record<string, object>> = {
    acceptInvitation: { token: invite_url.split('/').at(-1) },
    login: { email: workspace.owner.email, password: TEST_PASSWORD },
    refreshToken: { refresh_token: signedIn.tokens.refresh_token },
    changeMyPassword: { current_password: TEST_PASSWORD },
    createStorageProvider: {
      sto_name: 'Canary',
      sto_endpoint: s3.endpoint,
      sto_region: s3.credentials.region,
      sto_bucket: 'canary',
      sto_access_key: s3.credentials.accessKey,
      sto_secret: s3.credentials.secretKey,
    },
    testObjectSource: { osr_kind: 'http_json', osr_form: form_id, osr_config: config, osr_mapping: MAPPING },
    createModelProvider: { mp_name: 'canary', mp_type: 'openai-compatible', mp_base_url: 'http://127.0.0.1:9/' },
    createShareLink: { share_name: 'Canary', share_type: 'album', share_album_id: album_id },
    createObjectSource: {
      osr_name: 'Canary',
      osr_kind: 'http_json',
      osr_form: form_id,
      osr_config: { url: 'http://127.0.0.1:9/page', rows: '$.items', auth: { type: 'bearer' } },
      osr_mapping: MAPPING,
    },
  };
  const clients: Readonly<Record<string, Client>> = {
    acceptInvitation: api.stranger,
    login: api.stranger,
    refreshToken: api.stranger,
    changeMyPassword: changing.client,
  };
  return Object.fromEntries(
    Object.entries(bodies).map(([id, body]) => [id, { body: { ...body }, ...(clients[id] ? { client: clients[id] } : {}) }]),
  );
}
