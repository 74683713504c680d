// The database named by DATABASE_URL.
import { withClient } from './embedded-database.mjs';

const APP_ROLE = 'atrium_app';

/**
 * A role that may create roles is the owner: it migrates, and the service gets the restricted role of the migrations
 * with a password of this installation. Any other role is used as it is.
 */
export async function useGivenDatabase({ secrets }) {
  const given = process.env.DATABASE_URL;
  const mayCreateRoles = await withClient(given, async (client) => {
    const { rows } = await client.query('SELECT rolsuper OR rolcreaterole AS may FROM pg_roles WHERE rolname = current_user');
    return rows[0]?.may === true;
  }).catch((error) => {
    throw new Error(`The database of DATABASE_URL does not respond: ${error.message}`, { cause: error });
  });
  if (!mayCreateRoles) {
    const ownerUrl = process.env.DATABASE_OWNER_URL || undefined;
    return {
      url: given,
      ownerUrl,
      remark: ownerUrl ? 'DATABASE_URL and DATABASE_OWNER_URL' : 'DATABASE_URL; without DATABASE_OWNER_URL no migrations are run',
    };
  }
  const app = new URL(given);
  app.username = APP_ROLE;
  app.password = secrets.values.app_password;
  return { url: app.href, ownerUrl: given, remark: `DATABASE_URL as owner, the service as ${APP_ROLE}` };
}

/** After the migrations: the restricted role, if it is there by now, can log in with the password that its URL carries. */
export async function openRuntimeRole({ url, ownerUrl }) {
  const app = new URL(url);
  if (!ownerUrl || ownerUrl === process.env.DATABASE_OWNER_URL || app.username !== APP_ROLE) return;
  const password = decodeURIComponent(app.password).replaceAll("'", "''");
  await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query('SELECT to_regrole($1) AS role', [APP_ROLE]);
    if (rows[0].role !== null) await client.query(`ALTER ROLE ${APP_ROLE} LOGIN PASSWORD '${password}'`);
  });
}
