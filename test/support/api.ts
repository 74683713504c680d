import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Global, Module, type INestApplicationContext } from '@nestjs/common';
import { INSPECTION_SCRIPT } from '@atrium/files';
import { ProvisioningService } from '@atrium/identity';
import { Database, type LongUnit } from '@atrium/platform/database';
import { migrateQueue } from '@atrium/platform/messaging';
import { startApi, type RunningApi } from '@atrium/platform/testing';
import { EXTRACTION_SCRIPT } from '@atrium/retrieval';
import { ApiModule } from '../../apps/api/src/api.module';
import { WorkerModule } from '../../apps/worker/src/worker.module';
import { TestObjects } from './object-store';
import { TestQueue } from './queue';

const BUILT = join(__dirname, '../../dist/libs/files/src/inspection/infrastructure/inspection-process.js');
const BUILT_EXTRACTION = join(__dirname, '../../dist/libs/retrieval/src/extraction/extraction-process.js');

const SCRIPTS = [
  { provide: INSPECTION_SCRIPT, useValue: BUILT },
  { provide: EXTRACTION_SCRIPT, useValue: BUILT_EXTRACTION },
];

/** The processes that look into files run from the build, also under the test runner. */
@Global()
@Module({ providers: SCRIPTS, exports: SCRIPTS })
class BuiltInspection {}

@Module({ imports: [BuiltInspection, WorkerModule] })
export class TestWorker {}

/** For tests that kill a worker: another takes its jobs soon. */
export const BRIEF_LEASES = { WORKER_LEASE_SECONDS: '4' };

/** The whole API as it is composed for production, on a database of its own. The objects of one test file are shared, and so is its queue. */
export async function startAtrium(environment: Readonly<Record<string, string>> = {}): Promise<RunningApi> {
  const [objects, queue] = [await TestObjects.settings(), await TestQueue.settings()];
  const api = await startApi(ApiModule, ProvisioningService, { ...objects.environment, ...queue.environment, ...environment });
  warnOfLongUnits(api, api.app);
  const close = api.close.bind(api);
  if (objects.isFirst || queue.isFirst) {
    api.close = () =>
      close().finally(async () => {
        if (objects.isFirst) await TestObjects.stop();
        if (queue.isFirst) await TestQueue.stop();
      });
  }
  return api;
}

/** Names at the end the operations that had a unit of work with too many statements, each with the most that one had. */
function warnOfLongUnits(api: RunningApi, context: INestApplicationContext): void {
  const most = new Map<string, number>();
  const listen = ({ by, operation, statements }: LongUnit): void => {
    if (by === 'statements') most.set(operation, Math.max(most.get(operation) ?? 0, statements));
  };
  context.get(Database, { strict: false }).longUnits.addListener(listen);
  const close = api.close.bind(api);
  api.close = () =>
    close().finally(() => {
      for (const [operation, statements] of most) process.stderr.write(`Long unit of work: ${operation}, ${statements} statements\n`);
    });
}

/** A worker in this process, beside the API. */
export async function startWorker(api: RunningApi): Promise<INestApplicationContext> {
  if (!existsSync(BUILT)) throw new Error('The inspecting process is not built: run `npm run build` first.');
  await migrateQueue(api.database.ownerUrl);
  const worker = await api.startWorker(TestWorker);
  warnOfLongUnits(api, worker);
  return worker;
}

/** The API with a worker beside it. */
export async function startAtriumWithWorker(environment?: Readonly<Record<string, string>>): Promise<RunningApi> {
  const api = await startAtrium(environment);
  await startWorker(api);
  return api;
}
