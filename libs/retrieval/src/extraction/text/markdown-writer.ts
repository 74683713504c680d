import type { OutlineEntry, PageStart } from '../extracted-text';
import { cleanText } from './clean-text';
import { escapeMarkdown, oneLine } from './markdown-syntax';

const BETWEEN = '\n\n';

/** Puts a markdown together, block by block, up to a length, and remembers where headings and pages begin. */
export class MarkdownWriter {
  readonly outline: OutlineEntry[] = [];
  private readonly starts: PageStart[] = [];
  private readonly blocks: string[] = [];
  private length = 0;
  private page: number | null = null;
  /** Something was left out because of the length. */
  full = false;

  constructor(private readonly most: number) {}

  /** What follows is on this page. */
  beginPage(page: number): void {
    this.page = page;
    if (!this.full) this.starts.push({ page, char_start: this.next });
  }

  heading(level: number, title: string): void {
    const words = oneLine(cleanText(title));
    if (words === '') return;
    const char_start = this.next;
    const before = this.blocks.length;
    this.block(`${'#'.repeat(level)} ${escapeMarkdown(words)}`);
    if (this.blocks.length > before) this.outline.push({ level, title: words, page: this.page, char_start });
  }

  /** A paragraph, list, table or fence. The last one that has no room ends at its last line that has. */
  block(markdown: string): void {
    const text = cleanText(markdown).replace(/^\n+/, '').trimEnd();
    if (text === '' || this.full) return;
    const start = this.next;
    const room = this.most - start;
    this.full = text.length > room;
    const kept = this.full ? cutText(text, room) : text;
    if (kept === '') return;
    this.blocks.push(kept);
    this.length = start + kept.length;
  }

  /** Characters that the next block may have. */
  get room(): number {
    return this.full ? 0 : Math.max(0, this.most - this.next);
  }

  get markdown(): string {
    return this.blocks.join(BETWEEN);
  }

  /** A page behind the last block begins at the end. */
  get pageMap(): PageStart[] {
    return this.starts.map(({ page, char_start }) => ({ page, char_start: Math.min(char_start, this.length) }));
  }

  private get next(): number {
    return this.blocks.length === 0 ? 0 : this.length + BETWEEN.length;
  }
}

/** The beginning of a text, up to its last line break or space, and never half of a pair. */
export function cutText(text: string, room: number): string {
  if (room <= 0) return '';
  const head = text.slice(0, room);
  const end = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' '));
  return cleanText(end > room / 2 ? head.slice(0, end) : head)
    .replace(/\uFFFD$/, '')
    .trimEnd();
}
