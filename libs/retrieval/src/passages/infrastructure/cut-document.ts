import type { TokenCount } from '@atrium/models';
import { Chunking, CHUNK_OPTIONS, type Chunk, type ChunkedDocument } from '../domain/chunking';
import { plainBlocks } from '../domain/plain-blocks';
import { blocksOf } from './markdown-blocks';

/** How a text is written: what is no markdown has no headings, lists or fences. */
export type TextFormat = 'markdown' | 'plain';

/** What is cut into passages. */
export interface CutOrder extends Pick<ChunkedDocument, 'markdown'>, Partial<Omit<ChunkedDocument, 'tokens' | 'markdown'>> {
  readonly format?: TextFormat | undefined;
}

/** Cuts a document into passages. It takes as long as the document likes: in a bounded process alone. */
export async function cutDocument(
  { markdown, pages = [], options = CHUNK_OPTIONS, beginnings = new Set(), format = 'markdown' }: CutOrder,
  tokens: TokenCount,
): Promise<readonly Chunk[]> {
  const chunking = new Chunking({ markdown, pages, options, beginnings, tokens });
  if (format === 'plain') for (const blocks of plainBlocks(markdown)) chunking.addBlocks(blocks);
  else for await (const blocks of blocksOf(markdown)) chunking.addBlocks(blocks);
  return chunking.finishChunks();
}
