import type { JsonObject } from '@atrium/platform/kernel';

/** The instruction to a model for a task, and the form of its answer. */
export interface Order {
  readonly order: string;
  readonly schema: JsonObject;
}

const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required: Object.keys(properties),
});
const TEXT = { type: 'string' } as const;
const inLanguage = (language: string | undefined): string =>
  language === undefined ? 'Answer in the language of the text.' : `Answer in the language ${language}.`;
const sentence = (words: readonly (string | undefined | false)[]): string =>
  words.filter((one) => one !== undefined && one !== false).join(' ');

export const rewriteOrder = (wish: {
  readonly tone?: string;
  readonly instruction?: string;
  readonly length?: string;
  readonly language?: string;
}): Order => ({
  order: sentence([
    'Write the text again and keep its meaning, its facts and its Markdown.',
    wish.tone !== undefined && `The tone is: ${wish.tone}.`,
    wish.length !== undefined && wish.length !== 'same' && `Make it ${wish.length}.`,
    wish.instruction,
    inLanguage(wish.language),
  ]),
  schema: object({ text: TEXT }),
});

export const proofreadOrder = (): Order => ({
  order:
    'Find the mistakes of spelling, grammar, spaces and capitals in the text. Name each correction in the order of the text: `from`, the shortest run of characters that holds the mistake, exactly as it is written there; `to`, what takes its place; `kind`. Do not change style or meaning.',
  schema: object({
    edits: {
      type: 'array',
      items: object({ from: TEXT, to: TEXT, kind: { enum: ['whitespace', 'repeated_word', 'capital', 'spelling', 'grammar', 'style'] } }),
    },
  }),
});

export const translateOrder = ({
  to,
  from,
  lost = [],
}: {
  readonly to: string;
  readonly from?: string;
  readonly lost?: readonly string[];
}): Order => ({
  order: sentence([
    `Translate the text ${from === undefined ? '' : `from ${from} `}into the language ${to} (BCP 47).`,
    'Keep placeholders such as {name} or %s, HTML tags, URLs, code and marks of Markdown exactly as they are, each as often as it is there.',
    lost.length > 0 && `The translation before this one changed these: ${JSON.stringify(lost)}. Keep them.`,
  ]),
  schema: object({ text: TEXT }),
});

export const summarizeOrder = ({
  length,
  style,
  language,
}: {
  readonly length: string;
  readonly style: string;
  readonly language?: string;
}): Order => ({
  order: sentence([
    `Summarize the text; the summary is ${length}.`,
    style === 'bullets' ? 'Write it as Markdown bullets.' : 'Write it as prose.',
    'State nothing that the text does not.',
    inLanguage(language),
  ]),
  schema: object({ text: TEXT }),
});

export const titleOrder = ({ max, language }: { readonly max: number; readonly language?: string }): Order => ({
  order: `Find three titles for the text, each at most ${max} characters long, without quotation marks. ${inLanguage(language)}`,
  schema: object({ titles: { type: 'array', minItems: 1, items: TEXT } }),
});

export const keywordsOrder = ({
  max,
  allowed,
  language,
}: {
  readonly max: number;
  readonly allowed?: readonly string[];
  readonly language?: string;
}): Order => ({
  order: sentence([
    `Find at most ${max} keywords of the text, the most important first, each with a score from 0 to 1.`,
    allowed !== undefined && `Choose only from these: ${JSON.stringify(allowed)}.`,
    allowed === undefined && inLanguage(language),
  ]),
  schema: object({ keywords: { type: 'array', items: object({ text: TEXT, score: { type: 'number' } }) } }),
});

export const extractOrder = (schema: JsonObject): Order => ({
  order: 'Read from the text the values that the JSON Schema describes. Leave out what the text does not say; make nothing up.',
  // What the text does not say is reported as missing, not made up to satisfy the schema.
  schema: { ...schema, required: [] },
});

export const ALT_ORDER =
  'Describe the image for someone who cannot see it, in one sentence of at most 250 characters, without "image of". `decorative` is true when it only decorates.';
export const ALT_SCHEMA: JsonObject = object({ alt: TEXT, decorative: { type: 'boolean' } });
