import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { DataSource } from 'typeorm';
import { ActiveWorkspaces } from './active-workspaces';
import { createDataSource } from './data-source';
import { Database } from './database';
import { PoolGauges } from './pool-gauges';
import { TimeZones } from './time-zones';
import { inspectIsolation } from './isolation';

/** Runs before a host starts: on a database that does not isolate workspaces nothing starts. */
async function assertIsolation(runtimeUrl: string): Promise<void> {
  const faults = await inspectIsolation(runtimeUrl);
  if (faults.length > 0)
    throw new Error(
      `This database does not isolate workspaces, so the service does not start:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
}

/** The pool of this process. Imported once, by the application that is composed. */
@Global()
@Module({})
export class DatabaseModule {
  /** With `inspected` the application starts only on a database that keeps workspaces apart: for all that serve or do jobs. */
  static forApplication(applicationName: string, { inspected = false } = {}): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        {
          provide: DataSource,
          inject: [Settings],
          useFactory: async (settings: Settings) => {
            if (inspected) await assertIsolation(settings.DATABASE_URL);
            return createDataSource({
              url: settings.DATABASE_URL,
              pool: settings.DATABASE_POOL,
              acquireTimeoutMs: settings.DATABASE_ACQUIRE_TIMEOUT_MS,
              applicationName,
            }).initialize();
          },
        },
        {
          provide: Database,
          inject: [DataSource, Settings],
          useFactory: (source: DataSource, settings: Settings) =>
            new Database(source, {
              prepared: settings.DATABASE_PREPARED,
              pool: settings.DATABASE_POOL,
              acquireTimeoutMs: settings.DATABASE_ACQUIRE_TIMEOUT_MS,
            }),
        },
        ActiveWorkspaces,
        PoolGauges,
        TimeZones,
      ],
      exports: [ActiveWorkspaces, Database, DataSource, TimeZones],
    };
  }
}
