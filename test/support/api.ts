import { startApi, type RunningApi } from '@atrium/platform/testing';
import { ProvisioningService } from '@atrium/identity';
import { ApiModule } from '../../apps/api/src/api.module';
import { WorkerModule } from '../../apps/worker/src/worker.module';

/** The whole API as it is composed for production, on a database of its own. */
export const startAtrium = (environment?: Readonly<Record<string, string>>): Promise<RunningApi> => startApi(ApiModule, ProvisioningService, environment);

/** The same with a worker beside it. */
export async function startAtriumWithWorker(environment?: Readonly<Record<string, string>>): Promise<RunningApi> {
  const api = await startAtrium(environment);
  await api.startWorker(WorkerModule);
  return api;
}
