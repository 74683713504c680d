import { Settings } from '@atrium/platform/config';
import { createApi, serveDocs } from '@atrium/platform/http';
import { watchdogOf } from '@atrium/platform/database';
import { AppLogger, exitInTime, LoopWatch, reportStartFailure } from '@atrium/platform/observability';
import { ApiModule } from './api.module';

const STOPPING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];
/** Requests in flight have 20 seconds. */
const END_MS = 28_000;

async function run(): Promise<void> {
  const app = await createApi(ApiModule);
  const settings = app.get(Settings);
  serveDocs(app);
  app.enableShutdownHooks([...STOPPING], { useProcessExit: true });
  exitInTime(STOPPING, settings.SHUTDOWN_DELAY_MS + END_MS, app.get(AppLogger));
  await app.listen(settings.PORT, settings.HOST);
  app.get(LoopWatch).start(watchdogOf('atrium-api', settings));
  app.get(AppLogger).info({ port: settings.PORT }, 'api listening');
}

/** Runs until it is stopped. If it cannot start, the reason is logged in one line. */
export function start(): void {
  run().catch((error: unknown) => {
    reportStartFailure('atrium-api', error);
    process.exit(1);
  });
}
