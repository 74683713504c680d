// What delivery is compared with: node:http and pg, nothing between. `/page` answers the one row of a live page with its content,
// `/known` reads that row without it and answers 304 to who has it; each in a transaction of the workspace, under the same policies.
import { createServer } from 'node:http';
import pg from 'pg';

const [port, databaseUrl, tenant, site] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });

const LIVE = `p.tenant_id = $1 AND p.np_site = $2 AND p.np_locale = 'en' AND p.np_path_hash = $3 AND p.np_to_seq IS NULL AND p.np_kind = 'page'`;
const ROW = 'p.np_node, p.np_path, p.np_name, p.np_template_key, p.np_hash, p.np_from_seq, p.np_published, p.np_first_published';
const STATEMENTS = {
  page: `SELECT ${ROW}, d.snap_doc FROM page_publication p JOIN page_snapshot d ON d.tenant_id = p.tenant_id AND d.snap_id = p.np_snapshot WHERE ${LIVE}`,
  known: `SELECT ${ROW} FROM page_publication p WHERE ${LIVE}`,
};

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const name = url.pathname.slice(1);
  const client = await pool.connect();
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL app.tenant_id = '${tenant}'`);
    const { rows } = await client.query({ name, text: STATEMENTS[name], values: [tenant, site, url.searchParams.get('hash')] });
    await client.query('COMMIT');
    if (rows.length !== 1) throw new Error(`${rows.length} rows`);
    const headers = { ETag: `"${rows[0].np_hash}"` };
    if (name === 'known') response.writeHead(304, headers).end();
    else response.writeHead(200, { ...headers, 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(rows[0]));
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    response.writeHead(500).end(String(error));
  } finally {
    client.release();
  }
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
