// A workspace to try things in: provisioned once, remembered in secrets.json.
import { createHash, randomBytes } from 'node:crypto';
import { operateJson } from './operator.mjs';

const EMAIL = 'owner@atrium.example';
/** Enough to try agents and analyses; the operator grants more. */
const CREDITS = 10_000;

/** Databases are distinguished, so that trying another DATABASE_URL does not lose the workspace of the first one. */
const databaseKey = (database) => {
  if (!process.env.DATABASE_URL) return 'embedded';
  const { host, pathname } = new URL(database.url);
  return createHash('sha256').update(`${host}${pathname}`).digest('hex').slice(0, 12);
};

/** The workspace of this database as remembered, or null before the first start. */
export const rememberedWorkspace = (secrets, database) => secrets.values.workspaces[databaseKey(database)] ?? null;

/** Creates workspace, owner, key and licences; the record is kept before the key is, so that a kill in between is mended. */
export async function provisionWorkspace({ secrets, database, env, signal }) {
  const password = randomBytes(12).toString('base64url');
  const slug = Object.keys(secrets.values.workspaces).length === 0 ? 'demo' : `demo-${randomBytes(3).toString('hex')}`;
  const create = (name) =>
    operateJson(
      [
        'workspace',
        'create',
        '--name',
        'Demo',
        '--slug',
        name,
        '--owner-email',
        `${name}-${EMAIL}`,
        '--owner-name',
        'Demo Owner',
        '--all-modules',
        '--credits',
        String(CREDITS),
      ],
      { env, input: `${password}\n`, signal },
    );
  let name = slug;
  const workspace = await create(name).catch((error) => {
    // The slug is taken when the data folder was lost and the database was not.
    if (!/already_exists|already|exists|taken/i.test(error.message)) throw error;
    name = `demo-${randomBytes(3).toString('hex')}`;
    return create(name);
  });
  const record = { tenant_id: workspace.ws_id, email: `${name}-${EMAIL}`, password, api_key: '' };
  secrets.values.workspaces[databaseKey(database)] = record;
  secrets.save();
  return renewKey({ secrets, record, env, signal });
}

export async function renewKey({ secrets, record, env, signal }) {
  const key = await operateJson(['key', 'create', '--workspace', record.tenant_id, '--user-email', record.email, '--name', 'demo'], {
    env,
    signal,
  });
  record.api_key = key.key_secret;
  secrets.save();
  return record;
}

/** Whether the running API accepts the remembered key. */
export async function keyWorks(origin, record) {
  if (!record.api_key) return false;
  const response = await fetch(`${origin}/api/v1/me`, { headers: { 'X-Api-Key': record.api_key, 'X-Tenant-Id': record.tenant_id } });
  await response.arrayBuffer();
  return response.status !== 401 && response.status !== 403;
}
