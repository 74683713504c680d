// What views of the library are compared with: node:http and pg, nothing between. It runs the very statements that the API sent
// for a view (PUT /statements), in one transaction of the workspace, and answers their rows as JSON (GET /). It prepares them, as the
// API does: PostgreSQL would else parse and plan each of them again for every request of this side alone.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import pg from 'pg';

const [port, databaseUrl, tenant] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
let statements = [];

async function rowsOfAll() {
  const client = await pool.connect();
  try {
    await client.query(`BEGIN; SET LOCAL app.tenant_id = '${tenant}'`);
    const answers = [];
    for (const statement of statements) answers.push((await client.query(statement)).rows);
    await client.query('COMMIT');
    return answers;
  } finally {
    client.release();
  }
}

/** Statements are prepared under the name of their text, once a connection. */
const nameOf = (text) => createHash('sha1').update(text).digest('hex');

/** A value as it was sent; JSON has made an object of bytes. */
const bytes = (value) => (value?.type === 'Buffer' ? Buffer.from(value.data) : value);

const server = createServer(async (request, response) => {
  if (request.method === 'PUT') {
    statements = (await json(request)).map(({ text, values }) => ({ name: nameOf(text), text, values: values.map(bytes) }));
    response.writeHead(204).end();
    return;
  }
  try {
    const rows = await rowsOfAll();
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(rows));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
