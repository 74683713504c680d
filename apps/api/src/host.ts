import { Settings } from '@atrium/platform/config';
import { createApi, serveDocs } from '@atrium/platform/http';
import { AppLogger, reportStartFailure } from '@atrium/platform/observability';
import { ApiModule } from './api.module';

async function run(): Promise<void> {
  const app = await createApi(ApiModule);
  const settings = app.get(Settings);
  serveDocs(app);
  app.enableShutdownHooks(['SIGTERM', 'SIGINT', 'SIGHUP'], { useProcessExit: true });
  await app.listen(settings.PORT, settings.HOST);
  app.get(AppLogger).info({ port: settings.PORT }, 'api listening');
}

/** Runs until it is stopped. If it cannot start, the reason is logged in one line. */
export function start(): void {
  run().catch((error: unknown) => {
    reportStartFailure('atrium-api', error);
    process.exit(1);
  });
}
