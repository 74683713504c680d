/**
 * Work that is done in a bounded process: the path of the module that does it, without its ending. The module ends in `.task`, is loaded
 * by such a process alone and exports `perform`. Input and answer are cloned on their way.
 */
export interface ComputeTask<Input, Answer> {
  readonly module: string;
  /** What is worked on, as the sentences of problems name it: `page`, `text`, `table`. */
  readonly what: string;
  /** The time it may take where that is less than what the host allows. */
  readonly timeoutMs?: number | undefined;
  /** A whole file is worked on: a request waits longer for it than for a text. */
  readonly isLong?: boolean | undefined;
  /** Types alone: what goes in, and what comes out. */
  readonly types?: readonly [Input, Answer];
}

/** What the module of a task exports. */
export interface TaskModule {
  perform(input: unknown): Promise<unknown>;
}

/** A task by the type of its module: `defineTask<typeof import('./page.task')>(…)`. */
export function defineTask<Module extends { perform(input: never): Promise<unknown> }>(
  module: string,
  options: { readonly what: string; readonly timeoutMs?: number; readonly isLong?: boolean },
): ComputeTask<Parameters<Module['perform']>[0], Awaited<ReturnType<Module['perform']>>> {
  return { module, ...options };
}
