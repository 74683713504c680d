import { NestFactory } from '@nestjs/core';
import { AppLogger, FrameworkLogger } from '@atrium/platform/observability';
import { WorkerModule } from './worker.module';

async function run(): Promise<void> {
  const worker = await NestFactory.createApplicationContext(WorkerModule, { bufferLogs: true, abortOnError: false });
  const logger = worker.get(AppLogger);
  worker.useLogger(new FrameworkLogger(logger));
  worker.enableShutdownHooks(['SIGTERM', 'SIGINT', 'SIGHUP'], { useProcessExit: true });
  logger.info({}, 'worker started');
}

/** Runs until it is told to stop; what keeps it from starting is said in one line. */
export function start(): void {
  run().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
