import { loadTokenCount } from '../../../../models/src/infrastructure/token-count';
import { passagesOf, type Passage, type SourceKey } from '../domain/passage';
import { cutDocument, type CutOrder } from './cut-document';
import { languageOf } from './language';
import { passageWords, type PassageWords } from './passage-words';
import { stemmingOf } from './stemmers';

/** Passages a source has at most; what is beyond is not searched. */
const MOST_PASSAGES = 20_000;

/** A text that passages are made of. */
export interface TextToCut extends CutOrder {
  readonly source: SourceKey;
  readonly title: string;
  /** By ISO 639-1; null: it is found out from the text. */
  readonly language: string | null;
}

/** A passage with its words as the index keeps them. */
export type IndexedPassage = Passage & PassageWords;

/** What was made of a text. */
export interface CutText {
  readonly passages: readonly IndexedPassage[];
  readonly language: string | null;
  /** There were more passages than a source may have. */
  readonly truncated: boolean;
}

export async function perform({ source, title, language: said, ...order }: TextToCut): Promise<CutText> {
  const chunks = await cutDocument(order, await loadTokenCount());
  const language = said ?? (await languageOf(order.markdown));
  const stemmings = await stemmingOf(language);
  const passages = passagesOf(source, chunks.slice(0, MOST_PASSAGES));
  return {
    passages: passages.map((passage) => ({ ...passage, ...passageWords(title, passage, stemmings) })),
    language,
    truncated: chunks.length > MOST_PASSAGES,
  };
}
