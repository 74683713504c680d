import type { SharedV3ProviderOptions } from '@ai-sdk/provider';

/** A text that an answer may quote. */
export interface ModelSource {
  /** Its number in the run; null: it may be quoted, but there is nothing to cite. */
  readonly n: number | null;
  readonly kind: 'passage' | 'memory' | 'attachment' | 'subject' | 'tool';
  readonly text: string;
  /** What its document is called, and the headings that stand above the text. */
  readonly title?: string;
  readonly heading?: string;
  /** How well the passage fits the question, 0 to 1. */
  readonly score?: number;
}

/** How much a model is to think before it answers. */
export type ReasoningEffort = 'off' | 'low' | 'medium' | 'high';

/** What models get beside the prompt: sources and greeting are for the built-in one, the effort is said to others in the words of their protocol. */
export interface Grounding {
  readonly sources?: readonly ModelSource[];
  /** What it answers to a message without content, such as "hello". */
  readonly greeting?: string;
  readonly reasoning?: ReasoningEffort;
}

const OPTIONS_OF = 'atrium';

/** Provider options of a message, of a part, of a tool result or of a whole call; the libraries of protocols ignore what is not theirs. */
export const groundingOptions = ({ sources, greeting, reasoning }: Grounding): SharedV3ProviderOptions => ({
  [OPTIONS_OF]: {
    ...(sources === undefined ? {} : { sources: sources.map((source) => ({ ...source })) }),
    ...(greeting === undefined ? {} : { greeting }),
    ...(reasoning === undefined ? {} : { reasoning }),
  },
});

/** The reverse; only this service writes these options. */
export const groundingOf = (options: SharedV3ProviderOptions | undefined): Grounding => options?.[OPTIONS_OF] ?? {};
