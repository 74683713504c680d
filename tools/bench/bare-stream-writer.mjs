// Keeps events and says so, for each line of its input (`{ stream, entry }`): one prepared statement writes the row and sends the whole
// event to all servers that listen. Prints a line when it has.
import { createInterface } from 'node:readline';
import pg from 'pg';

const [databaseUrl] = process.argv.slice(2);
const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
console.log('ready');

const APPEND = `WITH kept AS (INSERT INTO bare_event (be_stream, be_event) VALUES ($1, $2::text::jsonb) RETURNING be_id)
  SELECT pg_notify('bare_events', json_build_array(be_id, $2::text)::text) FROM kept`;

for await (const line of createInterface({ input: process.stdin })) {
  const { stream, entry } = JSON.parse(line);
  await client.query({ name: 'append', text: APPEND, values: [stream, JSON.stringify(entry)] });
  console.log('appended');
}
await client.end();
