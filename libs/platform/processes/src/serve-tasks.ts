import { endWithParent } from './end-with-parent';
import type { ProcessReport, ProcessRequest } from './process-messages';

const MEMORY_REPORT_MS = 250;

/**
 * Makes this process a bounded one: it does one task after the other and lives no longer than the process that started it. To
 * be called last in its script, when everything it works with is loaded. What `perform` throws is trouble of this machine;
 * whatever is wrong with a task belongs into its answer. `begin` says that what came before was
 * loading, for tasks that say when they begin.
 */
export function serveTasks<Task, Answer, Progress = unknown>(
  perform: (task: Task, report: (progress: Progress) => void, begin: () => void) => Promise<Answer>,
): void {
  const say = (report: ProcessReport<Answer, Progress>): void => {
    process.send?.(report);
  };
  const answer = async ({ task }: ProcessRequest<Task>): Promise<void> => {
    const reports = setInterval(() => say({ say: 'memory', rss: process.memoryUsage.rss() }), MEMORY_REPORT_MS);
    try {
      const found = await perform(
        task,
        (progress) => say({ say: 'progress', progress }),
        () => say({ say: 'ready' }),
      );
      say({ say: 'answered', answer: found, rss: process.memoryUsage.rss() });
    } catch (error) {
      const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error), code: undefined };
      say({ say: 'failed', message, code });
    } finally {
      clearInterval(reports);
    }
  };
  process.on('message', (request: ProcessRequest<Task>) => void answer(request));
  process.on('disconnect', endWithTools);
  endWithParent();
  say({ say: 'ready' });
}

/** Ends this process and the tools it may have started, which share its group. */
function endWithTools(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(0);
  }
}
