import type { ToolPart } from '../../../threads/domain/message-parts';
import type { ToolCallRow } from '../infrastructure/run-steps.repository';
import type { CheckedCall } from './run-records';

/** A call that was just asked for, as a row. */
export const askedCall = (
  { call_id, tool, input, fault, waits_for, idempotent, isInvalid: invalid }: CheckedCall,
  place: Pick<ToolCallRow, 'step' | 'position' | 'attempt'>,
): ToolCallRow => ({
  ...place,
  call_id,
  tool,
  input,
  output: null,
  shown: null,
  error: fault,
  state: fault === null ? 'pending' : 'error',
  waits_for,
  approved: null,
  idempotent,
  invalid,
  started: null,
  finished: null,
});

/** A call as members of the thread see it. */
export const shownCall = (
  { call_id, tool, input, shown, error }: Pick<ToolCallRow, 'call_id' | 'tool' | 'input' | 'shown' | 'error'>,
  state: ToolPart['state'],
  ms?: number,
): ToolPart => ({
  kind: 'tool',
  call_id,
  tool,
  input,
  output: shown,
  state,
  ...(error === null ? {} : { error }),
  ...(ms === undefined ? {} : { ms }),
});

/** Numbers of the passages that a call found, or of the page that it read. */
export function passagesOf({ tool, output }: ToolCallRow): readonly number[] {
  if (output === null) return [];
  const { passages = [], n } = output as { readonly passages?: readonly { readonly n: number }[]; readonly n?: number };
  if (tool === 'search_knowledge') return passages.map((passage) => passage.n);
  return tool === 'fetch_url' && n !== undefined ? [n] : [];
}
