import type { JsonObject } from '@atrium/platform/kernel';
import type { RunRow } from '../../records/infrastructure/runs.repository';

/** What an agent answered without a thread, as its asker receives it. */
export const agentAnswerOf = ({ run_id, run_output, run_usage }: Pick<RunRow, 'run_id' | 'run_output' | 'run_usage'>): JsonObject => ({
  output: run_output?.['output'] ?? '',
  data: run_output?.['data'] ?? null,
  citations: run_output?.['citations'] ?? [],
  usage: run_usage,
  run_id,
});
