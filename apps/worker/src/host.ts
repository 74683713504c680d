import { NestFactory } from '@nestjs/core';
import { AppLogger, FrameworkLogger, reportStartFailure, startLogger } from '@atrium/platform/observability';
import { WorkerModule } from './worker.module';

async function run(): Promise<void> {
  const worker = await NestFactory.createApplicationContext(WorkerModule, { logger: startLogger('atrium-worker'), abortOnError: false });
  const logger = worker.get(AppLogger);
  worker.useLogger(new FrameworkLogger(logger));
  worker.enableShutdownHooks(['SIGTERM', 'SIGINT', 'SIGHUP'], { useProcessExit: true });
  logger.info({}, 'worker started');
}

/** Runs until it is stopped. If it cannot start, the reason is logged in one line. */
export function start(): void {
  run().catch((error: unknown) => {
    reportStartFailure('atrium-worker', error);
    process.exit(1);
  });
}
