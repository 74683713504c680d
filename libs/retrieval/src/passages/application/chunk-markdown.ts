import { setImmediate } from 'node:timers/promises';
import { loadTokenCount, type TokenCount } from '@atrium/models';
import { Chunking, CHUNK_OPTIONS, type Chunk, type ChunkedDocument } from '../domain/chunking';
import { blocksOf } from '../infrastructure/markdown-blocks';

let counting: Promise<TokenCount> | undefined;

/** Cuts a markdown document into passages; others have their turn between pieces of a long one. */
export async function chunkMarkdown({
  markdown,
  pages = [],
  options = CHUNK_OPTIONS,
  beginnings = new Set(),
}: Pick<ChunkedDocument, 'markdown'> & Partial<Omit<ChunkedDocument, 'tokens'>>): Promise<readonly Chunk[]> {
  const tokens = await (counting ??= loadTokenCount());
  const chunking = new Chunking({ markdown, pages, options, beginnings, tokens });
  for await (const blocks of blocksOf(markdown)) {
    chunking.add(blocks);
    await setImmediate();
  }
  return chunking.finish();
}
