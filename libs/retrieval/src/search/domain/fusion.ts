/** A passage that a channel found; the first is the best. */
export interface Found {
  readonly passage_id: string;
  readonly similarity?: number;
}

/** A passage by both channels. */
export interface Fused {
  readonly passage_id: string;
  /** 1 for what is first in every channel that was asked. */
  readonly score: number;
  readonly text_rank: number | null;
  readonly vector_rank: number | null;
  readonly similarity: number | null;
}

export interface Channels {
  /** Null: the channel was not asked, or could not answer. */
  readonly text: readonly Found[] | null;
  readonly vector: readonly Found[] | null;
  /**
   * The model knows what texts mean. One that counts letters and words knows less than the text channel does, and finds
   * what that does not find: its passages stand behind.
   */
  readonly knowsMeaning: boolean;
}

const FLAT = 60;
const worth = (rank: number): number => (FLAT + 1) / (FLAT + rank);

/** One order of what the channels found, by their ranks; ties by similarity, then by id. */
export function fuseChannels({ text, vector, knowsMeaning }: Channels): Fused[] {
  const found = new Map<string, { text_rank: number | null; vector_rank: number | null; similarity: number | null }>();
  const at = (passage_id: string) => {
    const known = found.get(passage_id) ?? { text_rank: null, vector_rank: null, similarity: null };
    found.set(passage_id, known);
    return known;
  };
  text?.forEach(({ passage_id }, index) => (at(passage_id).text_rank = index + 1));
  vector?.forEach(({ passage_id, similarity }, index) =>
    Object.assign(at(passage_id), { vector_rank: index + 1, similarity: similarity ?? null }),
  );
  const scoreOf = knowsMeaning || text === null || vector === null ? byBoth({ text, vector }) : behind(text.length);
  return [...found]
    .map(([passage_id, ranks]): Fused => ({ passage_id, ...ranks, score: scoreOf(ranks) }))
    .sort((a, b) => b.score - a.score || (b.similarity ?? 0) - (a.similarity ?? 0) || (a.passage_id < b.passage_id ? -1 : 1));
}

type Ranks = Pick<Fused, 'text_rank' | 'vector_rank'>;

function byBoth({ text, vector }: Pick<Channels, 'text' | 'vector'>): (ranks: Ranks) => number {
  const asked = [text, vector].filter((channel) => channel !== null).length;
  return ({ text_rank, vector_rank }) => ((text_rank ? worth(text_rank) : 0) + (vector_rank ? worth(vector_rank) : 0)) / Math.max(1, asked);
}

const behind =
  (texts: number) =>
  ({ text_rank, vector_rank }: Ranks): number =>
    worth(text_rank ?? texts + (vector_rank ?? 0));
