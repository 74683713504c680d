import { createHash } from 'node:crypto';
import type { Chunk } from './chunking';

/** What a source is: its kind (`file`, `record` …) and its id. */
export interface SourceKey {
  readonly kind: string;
  readonly id: string;
}

/** A passage of a source, as it is kept. */
export interface Passage extends Chunk {
  readonly passage_id: string;
  readonly ordinal: number;
  /** Of what a reader of it sees: headings, lead and text. Passages of one hash say the same. */
  readonly hash: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const passageHash = ({ heading, lead, text }: Pick<Chunk, 'heading' | 'lead' | 'text'>): string => sha256(`${heading}\n${lead}\n${text}`);

/** What is embedded of a passage. */
export const embeddedText = (title: string, { heading, lead, text }: Pick<Chunk, 'heading' | 'lead' | 'text'>): string =>
  [title, heading, lead, text].filter(Boolean).join('\n');

/**
 * Chunks as passages. The id follows from the source and what the passage says, so a passage that did not change keeps it
 * however often its document is cut, and a run that begins again finds what was made before.
 */
export function passagesOf({ kind, id }: SourceKey, chunks: readonly Chunk[]): Passage[] {
  const seen = new Map<string, number>();
  return chunks.map((chunk, ordinal) => {
    const hash = passageHash(chunk);
    const occurrence = seen.get(hash) ?? 0;
    seen.set(hash, occurrence + 1);
    return { ...chunk, ordinal, hash, passage_id: idFrom(sha256(`${kind} ${id} ${hash} ${occurrence}`)) };
  });
}

/** A UUID of version 8: its bits are what a hash says. */
const idFrom = (hash: string): string => {
  const variant = ((Number.parseInt(hash[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
};
