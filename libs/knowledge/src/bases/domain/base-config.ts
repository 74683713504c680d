import { invalidFields, isId, isObject, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';

export const SEARCH_MODES = ['hybrid', 'text', 'vector'] as const;
export type BaseSearchMode = (typeof SEARCH_MODES)[number];

/** How a base is searched unless a query says otherwise. */
export interface BaseRetrieval {
  readonly mode?: BaseSearchMode;
  readonly top_k?: number;
  readonly similarity_threshold?: number;
  readonly max_per_source?: number;
  readonly neighbors?: number;
}

/** How its records and its own files are cut into passages. */
export interface BaseChunking {
  readonly target_tokens: number;
  readonly overlap_tokens: number;
}

/** The settings of a base as it acts by them. */
export interface BaseConfig {
  readonly form_id: string | null;
  readonly retrieval: BaseRetrieval;
  readonly chunking: BaseChunking;
  /** Language of records that name none (ISO 639-1); null: it is detected. */
  readonly language: string | null;
}

const CHUNKING: BaseChunking = { target_tokens: 400, overlap_tokens: 60 };
export const TOP_K = 8;

type Rule = (value: JsonValue) => string | null;

const within =
  (least: number, most: number, whole = true): Rule =>
  (value) =>
    typeof value === 'number' && (!whole || Number.isInteger(value)) && value >= least && value <= most
      ? null
      : `must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}`;

const RETRIEVAL: Readonly<Record<string, Rule>> = {
  mode: (value) => (SEARCH_MODES.some((mode) => mode === value) ? null : `must be one of ${SEARCH_MODES.join(', ')}`),
  top_k: within(1, 50),
  similarity_threshold: within(0, 1, false),
  max_per_source: within(1, 20),
  neighbors: within(0, 3),
};
const CHUNK_RULES: Readonly<Record<string, Rule>> = { target_tokens: within(100, 1_000), overlap_tokens: within(0, 200) };
const TOP: Readonly<Record<string, Rule>> = {
  form_id: (value) => (isId(value) ? null : 'must be the id of a schema'),
  language: (value) => (typeof value === 'string' && /^[a-z]{2}$/.test(value) ? null : 'must be an ISO 639-1 code, such as `en`'),
};
const GROUPS: Readonly<Record<string, Readonly<Record<string, Rule>>>> = { retrieval: RETRIEVAL, chunking: CHUNK_RULES };

/** Refuses settings that are not known or out of bounds, one entry a fault. */
export function checkedConfig(config: JsonObject): JsonObject {
  const faults = faultsOf(config, TOP, 'ds_config', GROUPS);
  for (const [group, rules] of Object.entries(GROUPS)) {
    const value = config[group];
    if (value === undefined) continue;
    if (isObject(value)) faults.push(...faultsOf(value, rules, `ds_config.${group}`));
    else faults.push({ path: `ds_config.${group}`, code: 'object', message: 'must be an object' });
  }
  const { target_tokens, overlap_tokens } = chunkingOf(config);
  if (faults.length === 0 && overlap_tokens * 2 > target_tokens)
    faults.push({ path: 'ds_config.chunking.overlap_tokens', code: 'range', message: 'must be at most half of target_tokens' });
  if (faults.length > 0) throw invalidFields(faults);
  return typeof config.form_id === 'string' ? { ...config, form_id: config.form_id.toLowerCase() } : config;
}

/** Settings that were checked when they were stored. */
export const configOf = (config: JsonObject): BaseConfig => ({
  form_id: typeof config.form_id === 'string' ? config.form_id : null,
  retrieval: (config.retrieval ?? {}) as BaseRetrieval,
  chunking: chunkingOf(config),
  language: typeof config.language === 'string' ? config.language : null,
});

const chunkingOf = (config: JsonObject): BaseChunking => ({ ...CHUNKING, ...(isObject(config.chunking) ? config.chunking : {}) });

function faultsOf(value: JsonObject, rules: Readonly<Record<string, Rule>>, path: string, groups: object = {}): FieldFault[] {
  return Object.entries(value).flatMap(([key, entry]): FieldFault[] => {
    if (Object.hasOwn(groups, key)) return [];
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (!rule) return [{ path: `${path}.${key}`, code: 'unknown_field', message: 'is not a setting of a knowledge base' }];
    const message = rule(entry);
    return message === null ? [] : [{ path: `${path}.${key}`, code: 'invalid', message }];
  });
}
