// The image has no curl. Of an API: is it ready? Of a worker (`worker`): does the one in this container hold its connections?
const outcome = process.argv[2] === 'worker' ? worker() : ready();
outcome.then(
  (well) => process.exit(well ? 0 : 1),
  () => process.exit(1),
);

async function ready() {
  const response = await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/health/ready`, { signal: AbortSignal.timeout(2_500) });
  return response.ok;
}

/** Workers serve no requests: the database tells whether one is connected from this container's address. */
async function worker() {
  const { Client } = require('pg');
  const client = new Client({ connectionString: process.env.DATABASE_URL, application_name: 'atrium-health', connectionTimeoutMillis: 2_500, query_timeout: 2_500 });
  await client.connect();
  const { rows } = await client.query("SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'atrium-worker' AND client_addr IS NOT DISTINCT FROM inet_client_addr()) AS connected");
  await client.end();
  return rows[0].connected;
}
