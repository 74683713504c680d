import { DataSource, type EntitySchema } from 'typeorm';
import postgres from 'pg';
import { declaredResources } from './fields';

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;

/** `2026-01-02 03:04:05.6+00` as PostgreSQL prints it in UTC → `2026-01-02T03:04:05.600Z`, without a Date in between. */
export function isoTimestamp(text: string): string {
  if (text.length < 22 || !text.endsWith('+00')) return new Date(text).toISOString();
  const fraction = text.charCodeAt(19) === 46 ? text.slice(20, -3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}

const parsers: Record<number, (text: string) => unknown> = { [TIMESTAMPTZ]: isoTimestamp, [INT8]: Number, [NUMERIC]: Number };

/** Read paths hand rows on as they come, so values arrive in the form JSON wants. */
export const jsonReadyTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): ((text: string) => unknown) =>
    (format !== 'binary' && parsers[oid]) || (postgres.types.getTypeParser(oid, format) as (text: string) => unknown),
};

export interface ConnectionSettings {
  readonly url: string;
  readonly pool: number;
  readonly acquireTimeoutMs: number;
  readonly applicationName: string;
}

/** The pool and entity metadata of this process; the connections run in UTC. */
export function createDataSource(
  settings: ConnectionSettings,
  entities: readonly (Function | EntitySchema)[] = declaredResources(),
): DataSource {
  return new DataSource({
    type: 'postgres',
    // Named, for what is looked for by its name is another one than that in the bundle.
    driver: postgres,
    url: settings.url,
    entities: [...entities],
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    applicationName: settings.applicationName,
    poolSize: settings.pool,
    connectTimeoutMS: settings.acquireTimeoutMs,
    logging: false,
    // Statements of one transaction follow each other on the wire without waiting for the answer before (ADR 2).
    extra: { pipeline: true, types: jsonReadyTypes, keepAlive: true, keepAliveInitialDelayMillis: 10_000, idleTimeoutMillis: 60_000 },
    poolErrorHandler: () => undefined,
  });
}
