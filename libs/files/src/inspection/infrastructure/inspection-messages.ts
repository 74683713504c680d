import type { Inspection, InspectionTask } from './inspection';

/** What a worker asks of its inspecting process: one file, and no other before the answer. */
export interface InspectionRequest {
  readonly task: InspectionTask;
}

/**
 * What an inspecting process says: that it has loaded its decoders, how much memory it holds, what it found,
 * or that this machine (not the file) kept it from finding out.
 */
export type InspectionReport =
  | { readonly say: 'ready' }
  | { readonly say: 'memory'; readonly rss: number }
  | { readonly say: 'inspected'; readonly inspection: Inspection; readonly rss: number }
  | { readonly say: 'failed'; readonly message: string; readonly code?: string };
