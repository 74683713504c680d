import { availableParallelism } from 'node:os';
import { Module, type Provider } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { SECOND } from '@atrium/platform/kernel';
import { MediaInspector } from './infrastructure';

/** The path of the compiled entry of the inspecting processes, for hosts that do not run from the build (tests). */
export const INSPECTION_SCRIPT = Symbol('inspection-script');

const INSPECTOR: Provider = {
  provide: MediaInspector,
  inject: [Settings, { token: INSPECTION_SCRIPT, optional: true }],
  useFactory: (settings: Settings, script?: string) =>
    new MediaInspector({
      processes: settings.MEDIA_PROCESSES || availableParallelism(),
      vectorTimeoutMs: settings.MEDIA_VECTOR_SECONDS * SECOND,
      timeoutMs: settings.MEDIA_TIMEOUT_SECONDS * SECOND,
      memoryMib: settings.MEDIA_MEMORY_MIB,
      togetherMib: settings.PROCESSES_MEMORY_MIB,
      ...(script ? { script } : {}),
    }),
};

/** Processes that look into files; a host that composes this may start some. */
@Module({ providers: [INSPECTOR], exports: [INSPECTOR] })
export class InspectionWorkerModule {}
