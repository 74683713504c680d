import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { operatorOf } from '../support/operating';
import { signedInMember } from './signing-in';

let api: RunningApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  workspace = await api.workspace(['module-documents']);
});
afterAll(() => api.close());

type Outcome = { readonly status: number; readonly body: { readonly code?: string; readonly detail?: string } };

const album = (client: Client): Promise<Outcome> =>
  client.post('/albums', { album_name: 'Harbour' }).then(({ status, body }) => ({ status, body: body as Outcome['body'] }));

/** What requests answered that began after a change was answered, while several loops of them went on throughout. */
async function afterward(request: () => Promise<Outcome>, change: () => Promise<unknown>): Promise<Outcome[]> {
  let changed = false;
  let answered = 0;
  const after: Outcome[] = [];
  const loop = async (): Promise<void> => {
    for (let left = 10; left > 0;) {
      const begun = changed;
      const outcome = await request();
      answered++;
      if (!begun) continue;
      after.push(outcome);
      left--;
    }
  };
  const loops = Promise.all([loop(), loop(), loop()]);
  await eventually(
    () => Promise.resolve(answered),
    (count) => count > 5,
  );
  await change();
  changed = true;
  await loops;
  return after;
}

const only = (outcomes: readonly Outcome[]): (readonly [number, string | undefined])[] => [
  ...new Map(outcomes.map(({ status, body }) => [`${status} ${body.code}`, [status, body.code] as const])).values(),
];

describe('from the first request begun after the answer', () => {
  it('[identity 12] a demoted editor who loops over writes is refused every time', async () => {
    const editor = await signedInMember(api, workspace, 'editor');
    const { role_id } = (await workspace.owner.client.get('/admin/roles?role_key=viewer').expect(200)).body.data[0] as { role_id: string };
    const outcomes = await afterward(
      () => album(editor.client),
      () => workspace.owner.client.patch(`/admin/users/${editor.user_id}`, { user_roles: [role_id] }).expect(200),
    );
    expect(only(outcomes)).toEqual([[403, 'permission_denied']]);
  }, 60_000);

  it('[identity 13] a revoked key, an ended session, a suspended user and a module taken away are refused every time', async () => {
    const owner = workspace.owner.client;
    const keyed = await workspace.member('editor');
    expect(
      only(
        await afterward(
          () => album(keyed.client),
          () => owner.delete(`/admin/api-keys/${keyed.key_id}`).expect(204),
        ),
      ),
    ).toEqual([[401, 'unauthenticated']]);

    const person = await signedInMember(api, workspace, 'editor');
    expect(
      only(
        await afterward(
          () => album(person.client),
          () => api.stranger.post('/auth/logout', { refresh_token: person.tokens.refresh_token }).expect(204),
        ),
      ),
    ).toEqual([[401, 'unauthenticated']]);

    const suspended = await signedInMember(api, workspace, 'editor');
    expect(
      only(
        await afterward(
          () => album(suspended.client),
          () => owner.post(`/admin/users/${suspended.user_id}/suspend`).expect(200),
        ),
      ),
    ).toEqual([[403, 'tenant_forbidden']]);

    const reader = await signedInMember(api, workspace, 'editor');
    const documents = (): Promise<Outcome> =>
      reader.client.get('/files?repo_type=docs').then(({ status, body }) => ({ status, body: body as Outcome['body'] }));
    expect((await documents()).status).toBe(200);
    const unlicensed = await afterward(documents, () =>
      operatorOf(api).delete(`/workspaces/${workspace.tenant_id}/modules/module-documents`),
    );
    expect(only(unlicensed)).toEqual([[403, 'license_required']]);
    expect(unlicensed[0]?.body.detail).toContain('module-documents');
  }, 60_000);
});
