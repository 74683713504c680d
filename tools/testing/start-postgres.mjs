// Before jest's first test: a server for the run, unless TEST_PG_ADMIN_URL names one.
import { startThrowaway } from '../postgres/throwaway.mjs';

export default async function startPostgres() {
  if (process.env.TEST_PG_ADMIN_URL) return;
  const server = await startThrowaway({ inMemory: true });
  process.env.TEST_PG_ADMIN_URL = server.adminUrl;
  globalThis.atriumTestPostgres = server;
}
