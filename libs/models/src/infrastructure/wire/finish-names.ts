/** How an answer ended, by the names of Chat Completions. */
export type ChatFinish = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'error';

const NAMES: Readonly<Record<ChatFinish, readonly string[]>> = {
  stop: [
    'stop',
    'end_turn',
    'eos',
    'eos_token',
    'stop_sequence',
    'stop_token',
    'end',
    'complete',
    'completed',
    'done',
    'finished',
    'normal',
  ],
  length: ['length', 'max_tokens', 'max_output_tokens', 'max_length', 'model_length', 'token_limit', 'model_context_window_exceeded'],
  content_filter: [
    'content_filter',
    'content_filtered',
    'refusal',
    'safety',
    'recitation',
    'sensitive',
    'blocklist',
    'prohibited_content',
    'spii',
    'guardrail_intervened',
  ],
  tool_calls: ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  error: [
    'error',
    'network_error',
    'server_error',
    'insufficient_system_resource',
    'failed',
    'abort',
    'aborted',
    'cancelled',
    'canceled',
    'malformed_function_call',
  ],
};

const BY_NAME = new Map(Object.entries(NAMES).flatMap(([finish, names]) => names.map((name) => [name, finish as ChatFinish] as const)));

/** Null where the answer has not ended; a name that nobody knows is an end. */
export function finishOf(value: unknown): ChatFinish | null {
  if (typeof value !== 'string' || value === '' || value === 'null') return null;
  return BY_NAME.get(value.toLowerCase().replaceAll('-', '_')) ?? 'stop';
}
