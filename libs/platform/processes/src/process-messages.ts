/** What is asked of a bounded process: one task, and no other before the answer. */
export interface ProcessRequest<Task> {
  readonly task: Task;
}

/**
 * What a bounded process says: that it has loaded what it works with, how much memory it holds, how far it is, what came out,
 * or that this machine (not the task) kept it from finishing.
 */
export type ProcessReport<Answer, Progress = unknown> =
  | { readonly say: 'ready' }
  | { readonly say: 'memory'; readonly rss: number }
  | { readonly say: 'progress'; readonly progress: Progress }
  | { readonly say: 'answered'; readonly answer: Answer; readonly rss: number }
  | { readonly say: 'failed'; readonly message: string; readonly code?: string | undefined };

/** Why a process ended before it answered: its time, its memory, or itself. */
export type ProcessEnd = 'timed_out' | 'out_of_memory' | 'crashed';

/** What became of a task: its answer, or the end of the process that worked on it. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly ended: ProcessEnd };
