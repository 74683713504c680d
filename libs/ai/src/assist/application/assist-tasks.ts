import type { JsonObject } from '@atrium/platform/kernel';
import type { TokenUsage } from '@atrium/models';
import type { Edit } from '../domain/proofread';
import type { KeyPhrase } from './key-phrases';
import type { SummaryLength, SummaryStyle } from './summary';
import type { TextInput } from './assist-text';

interface Common extends TextInput {
  readonly language?: string;
  readonly model_id?: string;
}

/** Inputs and results of each task. */
export interface AssistInputs {
  readonly rewrite: Common & { readonly tone?: string; readonly instruction?: string; readonly length?: 'shorter' | 'same' | 'longer' };
  readonly proofread: Common;
  readonly translate: Common & { readonly to: string; readonly from?: string; readonly keep_markup?: boolean };
  readonly summarize: Common & { readonly length?: SummaryLength; readonly style?: SummaryStyle };
  readonly title: Common & { readonly max?: number };
  readonly keywords: Common & { readonly max?: number; readonly allowed?: readonly string[] };
  readonly 'alt-text': { readonly file_id: string; readonly model_id?: string };
  readonly extract: Common & { readonly schema: JsonObject };
}

export interface AssistResults {
  readonly rewrite: { readonly text: string; readonly changed: readonly { readonly start: number; readonly end: number }[] };
  readonly proofread: { readonly text: string; readonly edits: readonly Edit[] };
  readonly translate: { readonly text: string };
  readonly summarize: { readonly text: string; readonly sentences: readonly { readonly start: number; readonly end: number }[] };
  readonly title: { readonly text: string };
  readonly keywords: KeyPhrase;
  readonly 'alt-text': { readonly text: string; readonly decorative: boolean; readonly derived_from: 'image' | 'metadata' };
  readonly extract: { readonly data: JsonObject; readonly missing: readonly string[] };
}

export interface Assisted<R> {
  readonly results: readonly R[];
  readonly model_id: string;
  readonly usage: TokenUsage;
  /** What the answer leaves out; null: nothing. */
  readonly limits: string | null;
}
