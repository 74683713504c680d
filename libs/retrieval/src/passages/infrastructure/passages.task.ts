import { jsonPieces } from '@atrium/platform/kernel';
import { loadTokenCount } from '../../../../models/src/infrastructure/token-count';
import { passagesOf, type Passage, type SourceKey } from '../domain/passage';
import { cutDocument, type CutOrder } from './cut-document';
import { languageOf } from './language';
import { passageWords, type PassageWords } from './passage-words';
import { stemmingOf } from './stemmers';

/** Characters of passages that are parsed in one turn of the event loop of who asks. */
const PIECE = 128 * 1024;
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
  /** Passages, `IndexedPassage[]`, in pieces of JSON: all of a long text at once would take long to receive. */
  readonly pieces: readonly string[];
  readonly language: string | null;
  /** There were more passages than a source may have. */
  readonly truncated: boolean;
}

const SAMPLE: TextToCut = { source: { kind: '', id: '' }, title: '', language: null, markdown: 'The words of a text that is long enough.' };

/** A small text loads all that a large one needs. */
export const prepare = (): Promise<unknown> => perform(SAMPLE);

export async function perform({ source, title, language: said, ...order }: TextToCut): Promise<CutText> {
  const chunks = await cutDocument(order, await loadTokenCount());
  const language = said ?? (await languageOf(order.markdown));
  const stemmings = await stemmingOf(language);
  const passages = passagesOf(source, chunks.slice(0, MOST_PASSAGES));
  function* indexed(): Generator<IndexedPassage> {
    for (const passage of passages) yield { ...passage, ...passageWords(title, passage, stemmings) };
  }
  return {
    pieces: Array.from(jsonPieces(indexed(), { longest: PIECE }), ({ text }) => text),
    language,
    truncated: chunks.length > MOST_PASSAGES,
  };
}
