import { OutboundModule } from '@atrium/platform/outbound';
import { CreditsModule } from '../credits/credits.module';
import { UsageModule } from '../usage/usage.module';
import { Module, type Provider } from '@nestjs/common';
import { StorageMeter } from './application/storage-meter';
import { StorageProviderCheck } from './application/storage-provider-check';
import { StorageProviders } from './application/storage-providers.service';
import { StorageRollup } from './application/storage-rollup';
import { StorageService } from './application/storage.service';
import { WorkspaceStores } from './application/workspace-stores';
import { StorageProvidersController } from './http/storage-providers.controller';
import { OperatorQuotaController, StorageController } from './http/storage.controller';
import { StorageProvidersRepository } from './infrastructure/storage-providers.repository';
import { StorageRows } from './infrastructure/storage.rows';
import { StorageSchedules } from './jobs/storage.schedules';

const STORED_BYTES: Provider[] = [
  StorageRows,
  StorageProvidersRepository,
  StorageMeter,
  StorageRollup,
  StorageService,
  StorageProviderCheck,
  StorageProviders,
  WorkspaceStores,
];

/** What is stored, how much of it, and where. */
@Module({ imports: [OutboundModule, CreditsModule, UsageModule], providers: STORED_BYTES, exports: STORED_BYTES })
export class StoredBytesModule {}

/** Its routes. */
@Module({ imports: [StoredBytesModule], controllers: [StorageController, StorageProvidersController, OperatorQuotaController] })
export class StoredBytesHttpModule {}

/** Its background work. */
@Module({ imports: [StoredBytesModule], providers: [StorageSchedules] })
export class StoredBytesWorkerModule {}
