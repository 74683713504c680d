// What the figures are compared with: node:http and pg, nothing between. Every request does the same work under the
// same policies: a transaction, the workspace as its setting, a prepared statement, the commit; it answers the same JSON.
import { createServer } from 'node:http';
import pg from 'pg';

const [port, databaseUrl, tenant, user] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });

const FILE = `r.file_repo, r.file_id, r.file_name, r.file_type, r.file_size, r.file_created, r.file_updated, r.file_metadata, r.file_provider_id, r.file_bucket, r.file_folder,
  r.file_hash, r.file_status, r.file_processing, r.file_added_by, r.file_replicas, r.file_summary, r.file_version, '{"favorite":false}'::json AS file_pref`;
const ALBUM = `album_id, album_name, album_description, album_cover_file, album_metadata, album_acl, album_active, album_smart, album_parent, album_file_count, album_created, album_updated,
  album_created_by, 0 AS album_child_count, NULL AS album_cover_preview, 'owner' AS album_access, '[]'::json AS album_path`;

const LIVE = `SELECT ${FILE} FROM file r WHERE r.tenant_id = $1 AND r.repo_key = 'media' AND r.file_deleted IS NULL`;
const NEWEST = 'r.file_created DESC, r.file_id DESC';
const PAGES = new Set(['list', 'after', 'offset', 'filter']);

const routes = {
  get: ({ id }) => [`SELECT ${FILE} FROM file r WHERE r.tenant_id = $1 AND r.file_id = $2 AND r.file_deleted IS NULL`, [tenant, id]],
  list: ({ limit }) => [`${LIVE} ORDER BY ${NEWEST} LIMIT $2`, [tenant, Number(limit)]],
  after: ({ created, id }) => [`${LIVE} AND (r.file_created, r.file_id) < ($2, $3) ORDER BY ${NEWEST} LIMIT 50`, [tenant, created, id]],
  offset: ({ offset }) => [`${LIVE} ORDER BY ${NEWEST} LIMIT 50 OFFSET $2`, [tenant, Number(offset)]],
  filter: ({ status }) => [`${LIVE} AND r.file_status = $2 ORDER BY r.file_size DESC, r.file_id DESC LIMIT 50`, [tenant, status]],
  create: (_, { album_name }) => [
    `INSERT INTO album (tenant_id, album_id, album_name, album_created_by) VALUES ($1, gen_random_uuid(), $2, $3) RETURNING ${ALBUM}`,
    [tenant, album_name, user],
  ],
  update: ({ id }, { album_name }) => [
    `UPDATE album SET album_name = $3, album_updated = now(), row_version = row_version + 1 WHERE tenant_id = $1 AND album_id = $2 RETURNING ${ALBUM}`,
    [tenant, id, album_name],
  ],
};

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : JSON.parse(text);
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const route = url.pathname.slice(1);
  const client = await pool.connect();
  try {
    const body = request.method === 'GET' ? {} : await bodyOf(request);
    const [text, values] = routes[route](Object.fromEntries(url.searchParams), body);
    await client.query(`BEGIN; SET LOCAL app.tenant_id = '${tenant}'`);
    const { rows } = await client.query({ name: route, text, values });
    await client.query('COMMIT');
    const answer = PAGES.has(route) ? { data: rows, has_more: true, next_cursor: null } : rows[0];
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(answer));
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    response.writeHead(500).end(String(error));
  } finally {
    client.release();
  }
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
