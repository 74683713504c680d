import { inspectFile } from './inspect-file';
import type { InspectionReport, InspectionRequest } from './inspection-messages';

/**
 * The process that files are inspected in, so that hostile or huge content can end this process at most. It is started by
 * `InspectingProcess`, answers one request after the other and lives no longer than the process that started it.
 */
const MEMORY_REPORT_MS = 250;

const say = (report: InspectionReport): void => {
  process.send?.(report);
};

async function answer({ task }: InspectionRequest): Promise<void> {
  const reports = setInterval(() => say({ say: 'memory', rss: process.memoryUsage.rss() }), MEMORY_REPORT_MS);
  try {
    const inspection = await inspectFile(task);
    say({ say: 'inspected', inspection, rss: process.memoryUsage.rss() });
  } catch (error) {
    const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error), code: undefined };
    say({ say: 'failed', message, code });
  } finally {
    clearInterval(reports);
  }
}

/** Ends this process and the tools it may have started, which share its group. */
function endWithTools(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(0);
  }
}

process.on('message', (request: InspectionRequest) => void answer(request));
process.on('disconnect', endWithTools);
say({ say: 'ready' });
