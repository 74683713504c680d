import { Module, type DynamicModule } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { TableInspection } from './table-inspection';
import { Compute, COMPUTE_BOUNDS, type ComputeBounds } from './compute';

/** Somebody waits for the answer. */
const OF_A_REQUEST: ComputeBounds = { timeoutMs: 2_000, longTimeoutMs: 20_000, memoryMib: 512, patienceMs: 20_000 };
const OF_A_JOB: ComputeBounds = { timeoutMs: 300_000, memoryMib: 1_024 };

/** Bounded processes for all contexts of a host. */
@Module({})
export class ComputeModule {
  static forApi(): DynamicModule {
    return moduleWith(OF_A_REQUEST);
  }

  static forWorker(): DynamicModule {
    return moduleWith(OF_A_JOB);
  }
}

const moduleWith = (bounds: ComputeBounds): DynamicModule => ({
  module: ComputeModule,
  global: true,
  providers: [
    Compute,
    TableInspection,
    {
      provide: COMPUTE_BOUNDS,
      inject: [Settings],
      useFactory: ({ PROCESSES_MEMORY_MIB }: Settings): ComputeBounds => ({ ...bounds, togetherMib: PROCESSES_MEMORY_MIB }),
    },
  ],
  exports: [Compute, TableInspection],
});
