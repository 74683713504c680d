import { NestFactory } from '@nestjs/core';
import { Settings } from '@atrium/platform/config';
import { watchdogOf } from '@atrium/platform/database';
import { AppLogger, exitInTime, FrameworkLogger, LoopWatch, reportStartFailure, startLogger } from '@atrium/platform/observability';
import { WorkerModule } from './worker.module';

const STOPPING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];
/** Running jobs have 20 seconds; orchestrators commonly grant 30 or more. */
const END_MS = 28_000;

async function run(): Promise<void> {
  const worker = await NestFactory.createApplicationContext(WorkerModule, { logger: startLogger('atrium-worker'), abortOnError: false });
  const logger = worker.get(AppLogger);
  worker.useLogger(new FrameworkLogger(logger));
  worker.enableShutdownHooks([...STOPPING], { useProcessExit: true });
  exitInTime(STOPPING, END_MS, logger);
  worker.get(LoopWatch).start(watchdogOf('atrium-worker', worker.get(Settings)));
  logger.info({}, 'worker started');
}

/** Runs until it is stopped. If it cannot start, the reason is logged in one line. */
export function start(): void {
  run().catch((error: unknown) => {
    reportStartFailure('atrium-worker', error);
    process.exit(1);
  });
}
