import type { Block } from './block';
import { linesOf, type Span } from './sentences';

/** The blocks of a text that is no markdown: its paragraphs, which may be cut between lines. Nothing in it is a heading. */
export function* plainBlocks(text: string): Generator<readonly Block[]> {
  let lines: Span[] = [];
  for (const line of linesOf(text, 0)) {
    if (text.slice(line.start, line.end).trim() !== '') lines.push(line);
    else if (lines.length > 0) {
      yield [paragraphOf(lines)];
      lines = [];
    }
  }
  if (lines.length > 0) yield [paragraphOf(lines)];
}

const paragraphOf = (lines: readonly Span[]): Block => ({
  kind: 'text',
  start: lines[0]?.start ?? 0,
  end: lines.at(-1)?.end ?? 0,
  parts: lines,
});
