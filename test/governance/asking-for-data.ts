import {
  eventually,
  readZip,
  TEST_PASSWORD,
  type Client,
  type Member,
  type RunningApi,
  type TestWorkspace,
} from '@atrium/platform/testing';

export const ADMIN = '/admin/privacy-requests';
export const MINE = '/me/privacy-requests';

export interface TableReport {
  readonly exported: number;
  readonly deleted: number;
  readonly anonymized: number;
  readonly kept: number;
  readonly kept_because: string | null;
}

export interface PrivacyRequest {
  readonly dsr_id: string;
  readonly dsr_kind: string;
  readonly dsr_status: string;
  readonly dsr_subject: string;
  readonly dsr_subject_type: string;
  readonly dsr_execute_after: string;
  readonly dsr_requested_by: string;
  readonly dsr_approved_by: string | null;
  readonly dsr_done: number;
  readonly dsr_total: number;
  readonly dsr_report: Record<string, Record<string, TableReport>>;
  readonly dsr_bytes: number | null;
  readonly dsr_expires_at: string | null;
  readonly dsr_error: string | null;
}

export interface Manifest {
  readonly entries: readonly { readonly name: string; readonly rows?: number; readonly bytes: number; readonly sha256: string }[];
  readonly lost: readonly string[];
  readonly tables: Record<string, Record<string, readonly { readonly column: string }[]>>;
}

export const orderOf = async (client: Client, body: object): Promise<PrivacyRequest> =>
  (await client.post(ADMIN, body).expect(202)).body as PrivacyRequest;

export const readRequest = async (client: Client, dsr_id: string, base = ADMIN): Promise<PrivacyRequest> =>
  (await client.get(`${base}/${dsr_id}`).expect(200)).body as PrivacyRequest;

const OVER = ['completed', 'failed', 'blocked', 'cancelled'];

/** The request once nothing moves it any more. */
export const over = (client: Client, dsr_id: string, { base = ADMIN, withinMs = 60_000 } = {}): Promise<PrivacyRequest> =>
  eventually(
    () => readRequest(client, dsr_id, base),
    ({ dsr_status }) => OVER.includes(dsr_status),
    withinMs,
  );

/** The archive as it is downloaded. */
export async function archiveBytes(client: Client, dsr_id: string, base = ADMIN): Promise<Buffer> {
  const { download_url } = (await client.get(`${base}/${dsr_id}/download-url`).expect(200)).body as { download_url: string };
  const archive = await fetch(download_url);
  expect(archive.status).toBe(200);
  return Buffer.from(await archive.arrayBuffer());
}

/** Everything in the archive, by name. */
export async function archiveOf(client: Client, dsr_id: string, base = ADMIN): Promise<ReadonlyMap<string, Buffer>> {
  return new Map(readZip(await archiveBytes(client, dsr_id, base)).entries.map(({ name, bytes }) => [name, bytes]));
}

/** A person with a password, who has signed in, and with a key. */
export async function personIn(
  api: RunningApi,
  workspace: TestWorkspace,
  email: string,
  user_name: string,
  role = 'editor',
): Promise<Member & { readonly session: Client }> {
  const { user_id } = await api.provisioner.addUser(workspace.tenant_id, { user_email: email, user_name, password: TEST_PASSWORD }, [role]);
  const member = await api.memberWithKey(workspace.tenant_id, user_id, email);
  const { access_token } = (await api.stranger.post('/auth/login', { email, password: TEST_PASSWORD }).expect(200)).body as {
    access_token: string;
  };
  return { ...member, session: api.stranger.with({ Authorization: `Bearer ${access_token}`, 'X-Tenant-Id': workspace.tenant_id }) };
}

/** Every row of every table of the database whose text holds the needle, as `table: row`. */
export async function dumpMatching(api: RunningApi, needle: string): Promise<string[]> {
  const tables = await api.sql<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await api.sql<{ text: string }>(`SELECT t::text AS text FROM ${name} t WHERE strpos(lower(t::text), lower($1)) > 0`, [
      needle,
    ]);
    found.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return found;
}
