import type { OutlineEntry } from '../extracted-text';
import { oneLine } from './markdown-syntax';

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const NO_PARAGRAPH = /^(?: {4}|\t| {0,3}(?:[-+*>|#]|\d+[.)]\s|$))/;

/** The headings of a markdown, outside of its code. */
export function outlineOf(markdown: string): OutlineEntry[] {
  const outline: OutlineEntry[] = [];
  let fence: string | undefined;
  let above: { readonly text: string; readonly start: number } | undefined;
  for (let start = 0; start < markdown.length;) {
    const end = markdown.indexOf('\n', start);
    const line = markdown.slice(start, end < 0 ? undefined : end);
    const ticks = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (ticks?.startsWith(fence) && line.trim() === ticks) fence = undefined;
    } else if (ticks !== undefined) fence = ticks;
    else {
      const [, signs, words = ''] = ATX.exec(line) ?? [];
      const underline = above && UNDERLINE.exec(line)?.[1];
      if (signs !== undefined) add(outline, signs.length, words, start);
      else if (above && underline !== undefined) add(outline, underline.startsWith('=') ? 1 : 2, above.text, above.start);
      above = signs === undefined && underline === undefined && !NO_PARAGRAPH.test(line) ? { text: line, start } : undefined;
    }
    if (end < 0) break;
    start = end + 1;
  }
  return outline;
}

function add(outline: OutlineEntry[], level: number, words: string, char_start: number): void {
  const title = plainWords(words);
  if (title !== '') outline.push({ level, title, page: null, char_start });
}

/** The words of a line of markdown, without its syntax. */
export const plainWords = (line: string): string =>
  oneLine(
    line
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/(?<!\\)(?:\*{1,3}|_{2}|`+|~~)/g, '')
      .replace(/(?<![\\\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '')
      .replace(/\\([!-/:-@[-`{-~])/g, '$1'),
  );
