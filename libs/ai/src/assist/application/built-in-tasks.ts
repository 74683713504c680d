import { fillSchema, JsonSchema, loadReader, type Sentence } from '@atrium/models';
import { Problem, type JsonObject } from '@atrium/platform/kernel';
import { fittingValues, missingFrom, withoutRequired } from './fitting-values';
import { allowedKeywords, keyPhrases, titleOf, type KeyPhrase } from './key-phrases';
import { applyEdits, plainEdits, type Edit } from '../domain/proofread';
import { centralSentences, shownAs, type SummaryLength, type SummaryStyle } from './summary';

/** Tasks without a model that writes: what they answer is part of the text. */
export const proofreadPlainly = (text: string): { readonly text: string; readonly edits: Edit[] } => {
  const edits = plainEdits(text);
  return { text: applyEdits(text, edits), edits };
};

export async function summarizePlainly(
  text: string,
  length: SummaryLength,
  style: SummaryStyle,
): Promise<{ readonly text: string; readonly sentences: Pick<Sentence, 'start' | 'end'>[]; readonly limits: string | null }> {
  const { sentences, limits } = centralSentences(text, length, await loadReader(text));
  return { text: shownAs(sentences, style), sentences: sentences.map(({ start, end }) => ({ start, end })), limits };
}

export async function titlePlainly(text: string, max: number): Promise<string | null> {
  return titleOf(text, max, await loadReader(text));
}

export async function keywordsPlainly(text: string, max: number, allowed?: readonly string[]): Promise<KeyPhrase[]> {
  const found = allowed ? allowedKeywords(text, allowed) : keyPhrases(text, await loadReader(text));
  return found.slice(0, max);
}

/** Values that were found and do not fit the schema are left out. */
export async function extractPlainly(
  text: string,
  schema: JsonObject,
): Promise<{ readonly data: JsonObject; readonly missing: readonly string[] }> {
  const found = fillSchema(schema, [{ n: null, kind: 'attachment', text }], await loadReader(text));
  const data = fittingValues(JsonSchema.of(withoutRequired(schema)), found.data);
  if (typeof data === 'string')
    throw new Problem('unprocessable_content', `The values found in the text do not match the schema: the object ${data}.`);
  return { data, missing: missingFrom(schema, data) };
}

/** What each task takes. */
export interface BuiltInInputs {
  readonly proofread: Parameters<typeof proofreadPlainly>;
  readonly summarize: Parameters<typeof summarizePlainly>;
  readonly title: Parameters<typeof titlePlainly>;
  readonly keywords: Parameters<typeof keywordsPlainly>;
  readonly extract: Parameters<typeof extractPlainly>;
}

/** What each task answers. */
export interface BuiltInAnswers {
  readonly proofread: ReturnType<typeof proofreadPlainly>;
  readonly summarize: Awaited<ReturnType<typeof summarizePlainly>>;
  readonly title: Awaited<ReturnType<typeof titlePlainly>>;
  readonly keywords: Awaited<ReturnType<typeof keywordsPlainly>>;
  readonly extract: Awaited<ReturnType<typeof extractPlainly>>;
}

export type BuiltInTask = keyof BuiltInInputs;

const TASKS: { readonly [K in BuiltInTask]: (input: BuiltInInputs[K]) => Promise<BuiltInAnswers[K]> } = {
  proofread: (input) => Promise.resolve(proofreadPlainly(...input)),
  summarize: (input) => summarizePlainly(...input),
  title: (input) => titlePlainly(...input),
  keywords: (input) => keywordsPlainly(...input),
  extract: (input) => extractPlainly(...input),
};

/** Does the task of that name. */
export const performBuiltIn = <K extends BuiltInTask>(task: K, input: BuiltInInputs[K]): Promise<BuiltInAnswers[K]> => TASKS[task](input);
