import { invalidFields, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';

export const REASONING = ['off', 'low', 'medium', 'high'] as const;
export const RETRIEVAL_MODES = ['off', 'tool', 'always'] as const;
export const OVERRIDABLE = ['model', 'params', 'knowledge', 'tools'] as const;
export const SUBJECT_TYPES = ['file', 'design', 'presentation', 'object', 'node', 'ds', 'infographic'] as const;

export type Overridable = (typeof OVERRIDABLE)[number];
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** What a model is asked with; what is absent is the model's own default. */
export type ModelParams = {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_output_tokens?: number;
  readonly reasoning?: (typeof REASONING)[number];
  readonly stop?: readonly string[];
};

/** How an agent looks into its sources. */
export type AgentRetrieval = {
  /** `tool`: the model decides when to search; `always`: each question is searched for before the model is asked. */
  readonly mode: (typeof RETRIEVAL_MODES)[number];
  readonly k: number;
  readonly min_score: number;
  /** With whose rights sources are read. */
  readonly audience: 'asker';
  /** Answers only with citations. */
  readonly require: boolean;
};

export const RETRIEVAL: AgentRetrieval = { mode: 'tool', k: 8, min_score: 0, audience: 'asker', require: false };

type Rule = (value: JsonValue) => string | null;
type Rules = Readonly<Record<string, Rule>>;

const within =
  (least: number, most: number, whole = false): Rule =>
  (value) =>
    typeof value === 'number' && (!whole || Number.isInteger(value)) && value >= least && value <= most
      ? null
      : `must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}`;
const oneOf =
  (words: readonly string[]): Rule =>
  (value) =>
    words.some((word) => word === value) ? null : `must be one of ${words.join(', ')}`;
const flag: Rule = (value) => (typeof value === 'boolean' ? null : 'must be true or false');

const MOST_STOPS = 4;
const LONGEST_STOP = 100;
const stops: Rule = (value) =>
  Array.isArray(value) &&
  value.length <= MOST_STOPS &&
  value.every((text: JsonValue) => typeof text === 'string' && text.length > 0 && text.length <= LONGEST_STOP)
    ? null
    : `must be at most ${MOST_STOPS} texts of 1 to ${LONGEST_STOP} characters`;

const PARAMS: Rules = {
  temperature: within(0, 2),
  top_p: within(0, 1),
  max_output_tokens: within(1, 64_000, true),
  reasoning: oneOf(REASONING),
  stop: stops,
};
const RETRIEVALS: Rules = {
  mode: oneOf(RETRIEVAL_MODES),
  k: within(1, 50, true),
  min_score: within(0, 1),
  audience: oneOf(['asker']),
  require: flag,
};

/** Parameters of a model as somebody enters them, refused with an entry for each fault. */
export function checkedParams(field: string, params: JsonObject): ModelParams {
  assertBy(PARAMS, field, params);
  return params;
}

/** Settings of retrieval as somebody enters them, completed with the defaults. */
export function checkedRetrieval(field: string, retrieval: JsonObject): AgentRetrieval {
  assertBy(RETRIEVALS, field, retrieval);
  return { ...RETRIEVAL, ...retrieval };
}

/** A list whose items are words of a closed list, each once. */
export function checkedWords<T extends string>(field: string, words: readonly string[], known: readonly T[]): T[] {
  const faults = words.flatMap((word, at): FieldFault[] =>
    known.some((one) => one === word) ? [] : [{ path: `${field}[${at}]`, code: 'choice', message: `must be one of ${known.join(', ')}` }],
  );
  if (faults.length > 0) throw invalidFields(faults);
  return known.filter((word) => words.includes(word));
}

function assertBy(rules: Rules, field: string, values: JsonObject): void {
  const faults = Object.entries(values).flatMap(([key, value]): FieldFault[] => {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (!rule)
      return [{ path: `${field}.${key}`, code: 'unknown_field', message: `is unknown; there are ${Object.keys(rules).join(', ')}` }];
    const message = rule(value);
    return message === null ? [] : [{ path: `${field}.${key}`, code: 'invalid', message }];
  });
  if (faults.length > 0) throw invalidFields(faults);
}
