import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Model } from './model';

/** How a model is opened for the calls of one piece of work. */
export interface TextModelOptions {
  /** Ends every call that is made with it. */
  readonly signal?: AbortSignal | undefined;
  /** Times a provider is asked in all while it is busy or fails, before the first token; 4 unless said otherwise. */
  readonly tries?: number | undefined;
}

/** A model that writes text, whatever protocol its provider speaks. */
export interface TextModel {
  readonly model: Model;
  /** Whether it is the built-in model, which quotes and does not write. */
  readonly isBuiltIn: boolean;
  /**
   * The model of the protocol library, without a loop, downloads or retries of its own. It throws, and streams as `error`
   * parts, nothing but `Problem`s and the reason of an abort; the problem says `upstream_failed`, `upstream_timeout`,
   * `rate_limited` or `unprocessable_content`. A stream that a provider breaks off ends with an `error` part and never with `finish`.
   * The input of a `tool-call` is the text the model wrote: it may be no JSON.
   */
  openModel(options?: TextModelOptions): Promise<LanguageModelV3>;
}
