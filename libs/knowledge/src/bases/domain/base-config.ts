import type { TextForm } from '@atrium/platform/database';
import { isObject, type JsonObject } from '@atrium/platform/kernel';
import { choiceSetting, idSetting, numberSetting, SettingReader, textSetting, wholeSetting } from '@atrium/platform/settings';

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

const RETRIEVAL = {
  mode: choiceSetting(SEARCH_MODES),
  top_k: wholeSetting({ min: 1, max: 50 }),
  similarity_threshold: numberSetting({ min: 0, max: 1 }),
  max_per_source: wholeSetting({ min: 1, max: 20 }),
  neighbors: wholeSetting({ min: 0, max: 3 }),
};
const CHUNKS = { target_tokens: wholeSetting({ min: 100, max: 1_000 }), overlap_tokens: wholeSetting({ min: 0, max: 200 }) };
const LANGUAGE: TextForm = { pattern: /^[a-z]{2}$/, words: 'an ISO 639-1 code, such as `en`' };
const TOP = { form_id: idSetting('the id of a schema'), language: textSetting({ form: LANGUAGE }) };

/** Refuses settings that are not known or out of bounds, one entry a fault. */
export function checkedConfig(config: JsonObject): JsonObject {
  const { form_id } = SettingReader.read(config, 'ds_config', (settings) => {
    settings.within('retrieval', (retrieval) => retrieval.readShape(RETRIEVAL));
    settings.within('chunking', readChunking);
    return settings.readShape(TOP);
  });
  return form_id === undefined ? config : { ...config, form_id: form_id.toLowerCase() };
}

function readChunking(chunking: SettingReader): BaseChunking {
  const read: BaseChunking = { ...CHUNKING, ...chunking.readShape(CHUNKS) };
  if (!chunking.hasFaults && read.overlap_tokens * 2 > read.target_tokens)
    chunking.refuse('overlap_tokens', 'range', 'must be at most half of target_tokens');
  return read;
}

/** Settings that were checked when they were stored. */
export const configOf = (config: JsonObject): BaseConfig => ({
  form_id: typeof config.form_id === 'string' ? config.form_id : null,
  retrieval: (config.retrieval ?? {}) as BaseRetrieval,
  chunking: chunkingOf(config),
  language: typeof config.language === 'string' ? config.language : null,
});

const chunkingOf = (config: JsonObject): BaseChunking => ({ ...CHUNKING, ...(isObject(config.chunking) ? config.chunking : {}) });
