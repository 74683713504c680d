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

/** What is stored, how much of it, and where. */
export const STORAGE = [StorageRows, StorageProvidersRepository, StorageMeter, StorageRollup, StorageService, StorageProviderCheck, StorageProviders, WorkspaceStores];

export const STORAGE_CONTROLLERS = [StorageController, StorageProvidersController, OperatorQuotaController];
