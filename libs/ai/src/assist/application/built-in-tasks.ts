import { fillSchema, loadReader, type Sentence } from '@atrium/models';
import type { JsonObject } from '@atrium/platform/kernel';
import { allowedKeywords, keyPhrases, titleOf, type KeyPhrase } from './key-phrases';
import { corrected, plainEdits, type Edit } from '../domain/proofread';
import { centralSentences, shownAs, type SummaryLength, type SummaryStyle } from './summary';

/** Tasks without a model that writes: what they answer stands in the text. */
export const proofreadPlainly = (text: string): { readonly text: string; readonly edits: Edit[] } => {
  const edits = plainEdits(text);
  return { text: corrected(text, edits), edits };
};

export async function summarizePlainly(
  text: string,
  length: SummaryLength,
  style: SummaryStyle,
): Promise<{ readonly text: string; readonly sentences: Pick<Sentence, 'start' | 'end'>[] }> {
  const sentences = centralSentences(text, length, await loadReader(text));
  return { text: shownAs(sentences, style), sentences: sentences.map(({ start, end }) => ({ start, end })) };
}

export async function titlePlainly(text: string, max: number): Promise<string | null> {
  return titleOf(text, max, await loadReader(text));
}

export async function keywordsPlainly(text: string, max: number, allowed?: readonly string[]): Promise<KeyPhrase[]> {
  const found = allowed ? allowedKeywords(text, allowed) : keyPhrases(text, await loadReader(text));
  return found.slice(0, max);
}

export const extractPlainly = async (
  text: string,
  schema: JsonObject,
): Promise<{ readonly data: JsonObject; readonly missing: readonly string[] }> =>
  fillSchema(schema, [{ n: null, kind: 'attachment', text }], await loadReader(text));
