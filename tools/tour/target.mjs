// Which service the tour visits, and as whom.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectRoot } from '../project.mjs';

/** Named by the environment, or the demo workspace that `npm start` left in DATA_DIR/demo.json. */
export function findTarget() {
  const settings = join(projectRoot, '.env');
  if (existsSync(settings)) process.loadEnvFile(settings);
  const dataDir = resolve(projectRoot, process.env.DATA_DIR || '.data');
  const { ATRIUM_URL, ATRIUM_KEY, ATRIUM_TENANT } = process.env;
  if (ATRIUM_URL && ATRIUM_KEY && ATRIUM_TENANT)
    return { base_url: apiRoot(ATRIUM_URL), api_key: ATRIUM_KEY, tenant_id: ATRIUM_TENANT, dataDir };
  if (ATRIUM_URL || ATRIUM_KEY || ATRIUM_TENANT) throw new Error('Set all of ATRIUM_URL, ATRIUM_KEY and ATRIUM_TENANT, or none of them.');
  const file = join(dataDir, 'demo.json');
  if (!existsSync(file)) throw new Error(`No demo workspace in ${file}. Start Atrium first: npm start`);
  const { base_url, api_key, tenant_id } = JSON.parse(readFileSync(file, 'utf8'));
  return { base_url, api_key, tenant_id, dataDir };
}

/** The address may be given with or without the root of the API. */
function apiRoot(url) {
  // eslint-disable-next-line regexp/no-super-linear-move -- ≤ 2,000 characters: an address of the command line
  const bare = url.replace(/\/+$/, '');
  return bare.endsWith('/api/v1') ? bare : `${bare}/api/v1`;
}
