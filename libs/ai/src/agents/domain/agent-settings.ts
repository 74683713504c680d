import { invalidFields, type FieldFault, type JsonObject } from '@atrium/platform/kernel';
import { choiceSetting, flagSetting, numberSetting, SettingReader, textsSetting, wholeSetting } from '@atrium/platform/settings';

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

const PARAMS = {
  temperature: numberSetting({ min: 0, max: 2 }),
  top_p: numberSetting({ min: 0, max: 1 }),
  max_output_tokens: wholeSetting({ min: 1, max: 64_000 }),
  reasoning: choiceSetting(REASONING),
  stop: textsSetting({ most: 4, longest: 100 }),
};
const RETRIEVALS = {
  mode: choiceSetting(RETRIEVAL_MODES),
  k: wholeSetting({ min: 1, max: 50 }),
  min_score: numberSetting({ min: 0, max: 1 }),
  audience: choiceSetting(['asker']),
  require: flagSetting,
};

/** Parameters of a model as somebody enters them, refused with an entry for each fault. */
export function checkedParams(field: string, params: JsonObject): ModelParams {
  return SettingReader.read(params, field, (settings) => settings.readShape(PARAMS));
}

/** Settings of retrieval as somebody enters them, completed with the defaults. */
export function checkedRetrieval(field: string, retrieval: JsonObject): AgentRetrieval {
  return { ...RETRIEVAL, ...SettingReader.read(retrieval, field, (settings) => settings.readShape(RETRIEVALS)) };
}

/** A list whose items are words of a closed list, each once. */
export function checkedWords<T extends string>(field: string, words: readonly string[], known: readonly T[]): T[] {
  const faults = words.flatMap((word, at): FieldFault[] =>
    known.some((one) => one === word) ? [] : [{ path: `${field}[${at}]`, code: 'choice', message: `must be one of ${known.join(', ')}` }],
  );
  if (faults.length > 0) throw invalidFields(faults);
  return known.filter((word) => words.includes(word));
}
