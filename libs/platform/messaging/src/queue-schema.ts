import { Client } from 'pg';

/** Where BullMQ keeps its tables when there is no Redis. */
export const QUEUE_SCHEMA = 'atrium_queue';

/** Brings the queue's tables up to date as their owner and lets the service use them. Safe to repeat, and to run concurrently. */
export async function migrateQueue(ownerUrl: string): Promise<void> {
  const { runMigrations } = await import('bullmq');
  const client = new Client({ connectionString: ownerUrl, application_name: 'atrium-migrate' });
  await client.connect();
  try {
    await runMigrations(client, QUEUE_SCHEMA);
    await client.query(`
      BEGIN;
      SELECT pg_advisory_xact_lock(hashtext('${QUEUE_SCHEMA}'));
      GRANT USAGE ON SCHEMA ${QUEUE_SCHEMA} TO atrium_app;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${QUEUE_SCHEMA} TO atrium_app;
      REVOKE INSERT, UPDATE, DELETE ON ${QUEUE_SCHEMA}.migration FROM atrium_app;
      GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${QUEUE_SCHEMA} TO atrium_app;
      REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${QUEUE_SCHEMA} FROM PUBLIC;
      GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${QUEUE_SCHEMA} TO atrium_app;
      COMMIT`);
  } finally {
    await client.end();
  }
}
