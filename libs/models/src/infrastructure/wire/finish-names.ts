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

/** What names of failures have in common: half an answer is no whole one. */
const FAILURE = /error|fail|time_?out|timed_?out|overload|abort|cancel|interrupt|exception|unavailable|malformed|unexpected|^other$/;
const LIMIT = /truncat|limit|^max_|length|exceed|repetition/;
const FILTER = /safety|filter|moderat|sensitive|policy|prohibit|blocked|refus/;
/** An answer that goes on. */
const NO_END = /^(?:null|none|in_progress|not_finished|.{0,30}unspecified)$/;

/** Null where the answer has not ended; a name that nobody knows is an end, of the kind that it speaks of. */
export function finishOf(value: unknown): ChatFinish | null {
  if (typeof value !== 'string' || value === '') return null;
  const name = value.toLowerCase().replaceAll('-', '_');
  if (NO_END.test(name)) return null;
  return BY_NAME.get(name) ?? kindOf(name);
}

function kindOf(name: string): ChatFinish {
  if (FAILURE.test(name)) return 'error';
  if (FILTER.test(name)) return 'content_filter';
  return LIMIT.test(name) ? 'length' : 'stop';
}
