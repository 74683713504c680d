import type { SharedV3ProviderOptions } from '@ai-sdk/provider';

/** A text that an answer may quote. */
export interface ModelSource {
  /** Its number in the run; null: it may be quoted, but there is nothing to cite. */
  readonly n: number | null;
  readonly kind: 'passage' | 'memory' | 'attachment' | 'subject' | 'tool';
  readonly text: string;
  /** How well the passage fits the question, 0 to 1. */
  readonly score?: number;
}

/** What the built-in model gets beside the prompt. Other providers ignore options that are not theirs. */
export interface Grounding {
  readonly sources?: readonly ModelSource[];
  /** What it answers to a message without content, such as "hello". */
  readonly greeting?: string;
}

const OPTIONS_OF = 'atrium';

/** Provider options of a message, of a part, of a tool result or of a whole call, for the built-in model. */
export const groundingOptions = ({ sources, greeting }: Grounding): SharedV3ProviderOptions => ({
  [OPTIONS_OF]: {
    ...(sources === undefined ? {} : { sources: sources.map((source) => ({ ...source })) }),
    ...(greeting === undefined ? {} : { greeting }),
  },
});

/** The reverse; only this service writes these options. */
export const groundingOf = (options: SharedV3ProviderOptions | undefined): Grounding => options?.[OPTIONS_OF] ?? {};
