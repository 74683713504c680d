import { folded, normalized } from '@atrium/platform/kernel';
import { sentencesOf as linesOf } from '@atrium/models';
import { alignSentences, sentencesOf, type Evidence } from '@atrium/retrieval';
import type { MessageCitation } from '../../../threads/domain/message';
import type { RunSource } from '../../records/domain/run-source';

/** How well a quote says what the answer says. */
export type CitationCheck = 'exact' | 'overlap' | 'none';

/** So many words in a row are the same words. */
const SAME_WORDS = 8;
/** A shorter claim is quoted where the source has the whole of it, and it says something. */
const LEAST_CLAIM = 4;
const LONGEST_QUOTE = 500;
/** Each is compared with the whole of its source; what an answer says beyond them has its number, and no quote of its own. */
const MOST_CLAIMS = 200;
/** `[1]`, `[1, 2]`; a link (`[1](…)`) and what is code are none. */
const MARKER = /[ \t]?\[(\d{1,4}(?:\s*,\s*\d{1,4})*)\](?!\()/g;
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
const WORDS = /[\p{L}\p{N}\p{M}]+/gu;

/** A text without numbers of sources that there are not, and the numbers that are left in it. */
export function withKnownMarkers(text: string, known: ReadonlySet<number>): { readonly text: string; readonly cited: ReadonlySet<number> } {
  const cited = new Set<number>();
  const cleaned = outsideOfCode(text, (prose) =>
    prose.replace(MARKER, (marker: string, list: string) => {
      const numbers = list.split(',').map(Number);
      const kept = numbers.filter((n) => known.has(n));
      for (const n of kept) cited.add(n);
      if (kept.length === numbers.length) return marker;
      return kept.length === 0 ? '' : `${marker.startsWith('[') ? '' : marker.slice(0, 1)}[${kept.join(', ')}]`;
    }),
  );
  return { text: cleaned, cited };
}

function outsideOfCode(text: string, change: (prose: string) => string): string {
  let [result, at] = ['', 0];
  for (const { 0: code, index } of text.matchAll(CODE)) {
    result += change(text.slice(at, index)) + code;
    at = index + code.length;
  }
  return result + change(text.slice(at));
}

/** What the answer cites, in the order of the numbers: of each source the sentence that says best what the answer says of it. */
export function citationsOf(texts: readonly string[], sources: readonly RunSource[]): MessageCitation[] {
  const claims = new Map<number, string[]>();
  let left = MOST_CLAIMS;
  for (const { n, claim } of texts.flatMap((text) => claimsIn(text))) {
    const said = claims.get(n) ?? [];
    // A source that is cited has a quote, however late it is cited.
    if (said.length === 0 || left-- > 0) claims.set(n, [...said, claim]);
  }
  return sources.flatMap((source) => {
    const said = claims.get(source.n);
    return said ? [citationOf(source, said)] : [];
  });
}

/**
 * The sentences that bear numbers: each with the number, without the markers. A number behind a full stop belongs to what is before it,
 * and one in code is part of the code.
 */
function claimsIn(text: string): { readonly n: number; readonly claim: string }[] {
  const prose = text.replace(CODE, (code) => ' '.repeat(code.length));
  let from = 0;
  let last = '';
  return [...prose.matchAll(MARKER)].flatMap((marker) => {
    const before = text.slice(from, marker.index);
    from = marker.index + marker[0].length;
    const span = sentencesOf(before).at(-1);
    // Numbers side by side rest the same sentence on several sources.
    if (span && /[\p{L}\p{N}]/u.test(before)) last = before.slice(span.start, span.end);
    const claim = last;
    return (marker[1] ?? '').split(',').map((n) => ({ n: Number(n), claim }));
  });
}

function citationOf({ text, heading: _, ...source }: RunSource, claims: readonly string[]): MessageCitation {
  const passage = new Passage(text);
  const best = [...new Set(claims)]
    .map((claim) => passage.quoteFor(claim))
    .sort((a, b) => RANK[a.check] - RANK[b.check] || b.overlap - a.overlap)[0];
  const { n, source_kind, title, url, score } = source;
  const place = source_kind === 'web' ? { n, source_kind, title, url, score } : source;
  return { ...place, quote: best?.quote ?? '', check: best?.check ?? 'none' };
}

const RANK: Readonly<Record<CitationCheck, number>> = { exact: 0, overlap: 1, none: 2 };

/** The text of a source, read once for all that is said of it. */
export class Passage {
  private readonly sentences: readonly Evidence[];
  private readonly words: string;

  constructor(private readonly text: string) {
    this.sentences = linesOf(text).map(({ start, text: sentence }) => ({ passage_id: String(start), text: sentence }));
    this.words = ` ${wordsOf(text).join(' ')} `;
  }

  /** The sentence that says most of a claim; always a substring of the passage. */
  quoteFor(claim: string): { readonly quote: string; readonly check: CitationCheck; readonly overlap: number } {
    const said = this.wordFor(claim);
    if (said !== null) return { quote: cut(said), check: this.sharesWords(claim) ? 'exact' : 'overlap', overlap: 1 };
    const aligned = bestOf(claim, this.sentences);
    const sentence = this.sentences.find(({ passage_id }) => passage_id === aligned?.passage_id) ?? this.sentences[0];
    const whole = bestOf(claim, [{ passage_id: '', text: this.text }]);
    const overlap = Math.max(aligned?.overlap ?? 0, whole?.overlap ?? 0);
    const isSupported = (aligned?.supported ?? false) || (whole?.supported ?? false);
    const check = this.sharesWords(claim) ? 'exact' : isSupported ? 'overlap' : 'none';
    return { quote: cut(sentence?.text ?? this.text), check, overlap };
  }

  /** The sentence of the passage that the claim is, word for word; null where it is none. */
  private wordFor(claim: string): string | null {
    const words = wordsOf(claim).join(' ');
    return words === '' ? null : (this.sentences.find(({ text }) => wordsOf(text).join(' ') === words)?.text ?? null);
  }

  /** Whether both have so many words in a row in common, or the whole claim where it is a short sentence. */
  private sharesWords(claim: string): boolean {
    const said = wordsOf(claim);
    const run = Math.min(SAME_WORDS, said.length);
    if (run < LEAST_CLAIM) return false;
    for (let at = 0; at + run <= said.length; at++) if (this.words.includes(` ${said.slice(at, at + run).join(' ')} `)) return true;
    return false;
  }
}

const bestOf = (claim: string, evidence: readonly Evidence[]): ReturnType<typeof alignSentences>[number] | undefined =>
  alignSentences(claim, evidence).sort((a, b) => b.overlap - a.overlap)[0];

const wordsOf = (text: string): string[] => folded(normalized(text, 'NFKC')).match(WORDS) ?? [];

/** Not within a character of two halves. */
function cut(text: string): string {
  if (text.length <= LONGEST_QUOTE) return text;
  const end = /[\ud800-\udbff]/.test(text[LONGEST_QUOTE - 1] ?? '') ? LONGEST_QUOTE - 1 : LONGEST_QUOTE;
  return text.slice(0, end);
}
