import { createHash } from 'node:crypto';

/** A text that was found for a run, numbered once; the answer cites it by its number. */
export interface RunSource {
  readonly n: number;
  /** `file`, `record` …, `memory` or `web`. */
  readonly source_kind: string;
  readonly source_id: string;
  readonly passage_id: string | null;
  readonly version_id: string | null;
  readonly title: string;
  /** The headings above it. */
  readonly heading?: string;
  readonly url: string | null;
  readonly page_from: number | null;
  readonly page_to: number | null;
  readonly char_start: number;
  readonly char_end: number;
  readonly version: string | null;
  readonly updated: string | null;
  readonly score: number;
  readonly text: string;
}

export type FoundSource = Omit<RunSource, 'n'>;

/** A page of the web has no versions: what is read at its address later is a source of its own. */
const keyOf = ({ source_kind, source_id, passage_id, text }: FoundSource): string =>
  `${source_kind} ${source_id} ${source_kind === 'web' ? hashOf(text) : (passage_id ?? '')}`;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The sources of one run. What is found again keeps its number, so that numbers mean the same in every step. */
export class RunSources {
  private readonly byKey = new Map<string, RunSource>();
  private last = 0;

  constructor(known: readonly RunSource[] = []) {
    for (const source of known) this.byKey.set(keyOf(source), source);
    this.last = Math.max(0, ...known.map(({ n }) => n));
  }

  /** The sources with their numbers, in the order in which they were found. */
  addSources(found: readonly FoundSource[]): RunSource[] {
    return found.map((source) => {
      const known = this.byKey.get(keyOf(source));
      if (known) return known;
      const numbered = { ...source, n: ++this.last };
      this.byKey.set(keyOf(source), numbered);
      return numbered;
    });
  }

  /** Leaves out sources that are gone; their numbers are given to no other. */
  dropSources(gone: readonly RunSource[]): void {
    for (const source of gone) this.byKey.delete(keyOf(source));
  }

  get all(): readonly RunSource[] {
    return [...this.byKey.values()];
  }
}
