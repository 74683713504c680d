import { OutboundModule } from '@atrium/platform/outbound';
import { Global, Module } from '@nestjs/common';
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

const CORE = [
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
@Global()
@Module({ imports: [OutboundModule], providers: CORE, exports: CORE })
export class StoredBytesModule {}

@Module({ controllers: [StorageController, StorageProvidersController, OperatorQuotaController] })
export class StoredBytesHttpModule {}

@Module({ providers: [StorageSchedules] })
export class StoredBytesWorkerModule {}
