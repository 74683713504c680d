import { TEST_PASSWORD, Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly user: { readonly user_id: string; readonly user_email: string; readonly user_name: string };
  readonly workspaces: readonly { readonly ws_id: string; readonly user_status: string; readonly user_roles: readonly string[] }[];
}

/** Signs in with the password that owners of test workspaces have. */
export async function signIn(api: RunningApi, email: string, password = TEST_PASSWORD): Promise<Tokens> {
  return (await api.stranger.post('/auth/login', { email, password }).expect(200)).body as Tokens;
}

/** A caller with a bearer token in a workspace. */
export const bearing = (api: RunningApi, access_token: string, tenant_id: string): Client =>
  new Client(api.url, { Authorization: `Bearer ${access_token}`, 'X-Tenant-Id': tenant_id });

/** A member with a password, signed in. */
export async function signedInMember(
  api: RunningApi,
  workspace: TestWorkspace,
  role: string,
): Promise<{ user_id: string; email: string; tokens: Tokens; client: Client }> {
  const email = `${role}-${Math.random().toString(36).slice(2, 10)}@${workspace.slug}.example`;
  const { user_id } = await api.provisioner.addUser(workspace.tenant_id, { user_email: email, user_name: role, password: TEST_PASSWORD }, [
    role,
  ]);
  const tokens = await signIn(api, email);
  return { user_id, email, tokens, client: bearing(api, tokens.access_token, workspace.tenant_id) };
}

/** Gives a member exactly these built-in roles, as the owner of the database. */
export async function setRoles(
  api: RunningApi,
  tenant_id: string,
  { user_id }: Pick<Member, 'user_id'>,
  role_keys: readonly string[],
): Promise<void> {
  await api.sql(
    `WITH gone AS (DELETE FROM user_role_link l USING role r WHERE r.tenant_id = l.tenant_id AND r.role_id = l.role_id AND l.tenant_id = $1 AND l.user_id = $2 AND r.role_key <> ALL ($3))
     INSERT INTO user_role_link (tenant_id, user_id, role_id) SELECT tenant_id, $2, role_id FROM role WHERE tenant_id = $1 AND role_key = ANY ($3) ON CONFLICT DO NOTHING`,
    [tenant_id, user_id, role_keys],
  );
}
