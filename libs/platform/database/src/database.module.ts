import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { DataSource } from 'typeorm';
import { createDataSource } from './data-source';
import { Database } from './database';

/** The pool of this process. Imported once, by the application that is composed. */
@Global()
@Module({})
export class DatabaseModule {
  static forApplication(applicationName: string): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        {
          provide: DataSource,
          inject: [Settings],
          useFactory: (settings: Settings) =>
            createDataSource({ url: settings.DATABASE_URL, pool: settings.DATABASE_POOL, acquireTimeoutMs: settings.DATABASE_ACQUIRE_TIMEOUT_MS, applicationName }).initialize(),
        },
        { provide: Database, inject: [DataSource, Settings], useFactory: (source: DataSource, settings: Settings) => new Database(source, { prepared: settings.DATABASE_PREPARED }) },
      ],
      exports: [Database, DataSource],
    };
  }
}
