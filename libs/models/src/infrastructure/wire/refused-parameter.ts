import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import type { ProviderWords } from '../../domain/provider-words';

/** A parameter that a model was asked with and refused; with a value where another value of it might be taken. */
export interface RefusedParameter {
  readonly name: string;
  /** The value as JSON, or its hash where that is long; null: no value of it is taken. */
  readonly value: string | null;
}

/** Parameters without which a question is the same question. What is not among them is never left out. */
const OPTIONAL = [
  'max_completion_tokens',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'stop_sequences',
  'response_format',
  'stream_options',
  'reasoning_effort',
  'parallel_tool_calls',
  'tool_choice',
  'thinking',
  'output_config',
  'seed',
  'user',
  'verbosity',
] as const;
/** What a provider sent with a step goes back in messages under these names. */
const IN_MESSAGES = ['reasoning_content', 'reasoning_details', 'reasoning', 'extra_content'] as const;

/** What providers call a parameter besides its name. */
const OTHER_NAMES: readonly (readonly [(typeof OPTIONAL)[number], RegExp])[] = [
  ['reasoning_effort', /\b(?:think(?:ing)?|reasoning)\b/i],
  ['response_format', /\bjson[ _](?:mode|object|schema)\b|\bresponse (?:format|mime type)|\bstructured outputs?\b/i],
  ['parallel_tool_calls', /\bparallel (?:tool|function) calls?\b/i],
];

/** Instructions of the system, which templates of some models have no place for: they go with the first question instead. */
const SYSTEM = 'system';
const NO_SYSTEM =
  /system (?:role|message|prompt|instruction)s?\b.{0,40}(?:not|n.t|un)[ -]?(?:support|allow|enabl|permit)|developer instruction is not enabled|roles must alternate|only user(?: and |, | or )assistant|support (?:the )?['"`]?(?:system|developer)['"`]? (?:role|message|prompt|instruction|with)|role: input should be 'user' or 'assistant'|invalid (?:message )?role:? ['"`]?(?:system|developer)/i;

/** The length of an answer has two names. A value that is refused is not left out: the answer would have no bound. */
const LENGTHS = ['max_tokens', 'max_completion_tokens'] as const;
const isLength = (name: string): boolean => LENGTHS.some((one) => one === name);

/** Whether a question says how long its answer may be. */
export const boundsLength = (body: JsonObject): boolean => LENGTHS.some((name) => body[name] !== undefined);

/** A fault of the schema of an answer, which anyone who wrote it can correct: without it, the answer would have another shape. */
const OF_SCHEMA =
  /invalid[_ ](?:json[_ ])?schema|schema (?:is (?:invalid|not valid)|must|has|contains)|(?:format|json_schema)\.schema|additionalProperties/i;

const LONGEST_VALUE = 100;

const REFUSES =
  /support|unknown|unrecogni[sz]ed|not permitted|not allowed|forbidden|deprecated|unexpected|extra (?:inputs?|fields?)|cannot find|does(?: not|n.t) (?:take|accept|exist)|not (?:accepted|available|valid)|invalid (?:parameter|argument|field)|cannot (?:both )?be|may only be|no longer|removed|unavailable/i;
const OF_VALUE =
  /unsupported[_ ]value|invalid[_ ]value|only the default|only (?:be )?(?:set to )?\d|must be|should be|may only be|too (?:large|high|long|many|small|low)|at most|at least|less than|greater than|between|out of range|does not support \S{1,80} with this model|maximum (?:value|allowed)/i;

/** The parameter of a question that an error names as one that is not taken; null where it names none that can be left out. */
export function refusedParameter({ message, code, type, param }: ProviderWords, body: JsonObject): RefusedParameter | null {
  const said = `${code} ${type} ${message}`;
  if (NO_SYSTEM.test(message) && hasSystem(body)) return { name: SYSTEM, value: null };
  if (OF_SCHEMA.test(`${said} ${param}`)) return null;
  if (!REFUSES.test(said) && !OF_VALUE.test(said)) return null;
  const sent = [...OPTIONAL.filter((name) => body[name] !== undefined), ...IN_MESSAGES.filter((name) => isInMessages(body, name))];
  const places = [...param.split('.'), ...param.split(/[[\]]/)];
  const name =
    sent.find((one) => places.includes(one)) ?? first(sent, withoutAdvice(message)) ?? meant(sent, withoutAdvice(message)) ?? null;
  if (name === null) return null;
  const isOfValue = OF_VALUE.test(said) && !/unsupported[_ ]parameter/i.test(said);
  if (isOfValue && isLength(name)) return null;
  return { name, value: isOfValue ? keptValue(body[name] ?? null) : null };
}

function keptValue(value: JsonValue): string {
  const written = JSON.stringify(value);
  return written.length <= LONGEST_VALUE ? written : createHash('sha256').update(written).digest('hex');
}

/** "Use 'max_completion_tokens' instead" names what is to be used. */
const withoutAdvice = (message: string): string => message.split(/\b(?:use|try|did you mean)\b/i)[0] ?? message;

/** The name that is mentioned first, as a word of its own. */
function first(names: readonly string[], message: string): string | undefined {
  const words = message.toLowerCase().split(/[^a-z_]+/);
  const [found] = names
    .map((name) => ({ name, at: words.indexOf(name) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  return found?.name;
}

const meant = (names: readonly string[], message: string): string | undefined =>
  OTHER_NAMES.find(([name, called]) => names.includes(name) && called.test(message))?.[0];

const isSystem = ({ role }: JsonObject): boolean => role === 'system' || role === 'developer';
const hasSystem = (body: JsonObject): boolean => messagesOf(body).some(isSystem);

const messagesOf = ({ messages }: JsonObject): readonly JsonObject[] =>
  Array.isArray(messages)
    ? (messages as readonly JsonValue[]).filter((one): one is JsonObject => typeof one === 'object' && one !== null)
    : [];

const isInMessages = (body: JsonObject, name: string): boolean =>
  messagesOf(body).some((message) => message[name] !== undefined || callsOf(message).some((call) => call[name] !== undefined));

const callsOf = ({ tool_calls }: JsonObject): readonly JsonObject[] =>
  Array.isArray(tool_calls) ? (tool_calls as readonly JsonObject[]) : [];

/** The question without what was refused. The length of an answer goes by its other name. */
export function withoutRefused(body: JsonObject, refused: readonly RefusedParameter[]): JsonObject {
  const isRefused = (name: string, value: JsonValue | undefined): boolean =>
    refused.some((one) => one.name === name && (one.value === null || (value !== undefined && one.value === keptValue(value))));
  const kept = Object.fromEntries(Object.entries(body).filter(([name, value]) => !isRefused(name, value))) as Record<string, JsonValue>;
  for (const [name, other] of [
    ['max_tokens', 'max_completion_tokens'],
    ['max_completion_tokens', 'max_tokens'],
  ] as const) {
    const most = body[name];
    const isRenamed = most !== undefined && kept[name] === undefined && refused.some((one) => one.name === name && one.value === null);
    if (isRenamed && body[other] === undefined && !isRefused(other, most)) kept[other] = most;
  }
  const inMessages = IN_MESSAGES.filter((name) => refused.some((one) => one.name === name));
  const messages = messagesOf(body).map((message) => without(message, inMessages));
  if (refused.some((one) => one.name === SYSTEM)) return { ...kept, messages: withoutSystem(messages) };
  return inMessages.length === 0 ? kept : { ...kept, messages };
}

function withoutSystem(messages: readonly JsonObject[]): readonly JsonObject[] {
  const text = messages
    .flatMap(({ role, content }) => (isSystem({ role: role ?? null }) && typeof content === 'string' ? [content] : []))
    .join('\n\n');
  const [first, ...rest] = messages.filter((message) => !isSystem(message));
  if (text === '') return messages;
  if (first?.['role'] !== 'user') return [{ role: 'user', content: text }, ...(first ? [first] : []), ...rest];
  const { content } = first;
  const both = Array.isArray(content)
    ? [{ type: 'text', text }, ...(content as readonly JsonValue[])]
    : [text, ...(typeof content === 'string' ? [content] : [])].join('\n\n');
  return [{ ...first, content: both }, ...rest];
}

function without(message: JsonObject, names: readonly string[]): JsonObject {
  const bare = (value: JsonObject): JsonObject => Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
  const calls = callsOf(message).map(bare);
  return { ...bare(message), ...(calls.length > 0 ? { tool_calls: calls } : {}) };
}
