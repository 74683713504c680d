import { AccessLogWriter } from '@atrium/governance';
import { eventually, type RunningApi } from '@atrium/platform/testing';

/** Every request answered so far has its row in the log: it is written behind the answers, so a test that reads it asks for that first. */
export async function accessLogWritten(api: RunningApi): Promise<void> {
  const writer = api.app.get(AccessLogWriter, { strict: false });
  await eventually(
    async () => writer.flushBacklog().then(() => writer.backlog),
    (backlog) => backlog === 0,
  );
}
