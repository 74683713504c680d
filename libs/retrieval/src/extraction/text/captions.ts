import { escapeMarkdown, oneLine } from './markdown-syntax';

const TIMES = /^((?:\d{1,3}:)?\d{1,2}:\d{2})[.,]\d{1,3}[ \t]+-->[ \t]+((?:\d{1,3}:)?\d{1,2}:\d{2})[.,]\d{1,3}/;
/** A pause after which a new paragraph begins, and the captions one has at most. */
const PAUSE_S = 2;
const MOST_TOGETHER = 8;

/** Captions of SubRip and WebVTT as lines, each with the time at which it begins. */
export function captionText(text: string): string {
  const paragraphs: string[][] = [];
  let ended = Number.NEGATIVE_INFINITY;
  for (const block of text.split(/\n[ \t]*\n/)) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => TIMES.test(line));
    if (at < 0) continue;
    const [, from = '', to = ''] = TIMES.exec(lines[at] ?? '') ?? [];
    const words = escapeMarkdown(
      oneLine(
        lines
          .slice(at + 1)
          .join(' ')
          .replace(/<\/?[a-z][^>]*>|\{\\[^}]*\}/gi, ''),
      ),
    );
    if (words === '') continue;
    const last = paragraphs.at(-1);
    const line = `[${clock(from)}] ${words}`;
    if (last && last.length < MOST_TOGETHER && seconds(from) - ended < PAUSE_S) last.push(line);
    else paragraphs.push([line]);
    ended = seconds(to);
  }
  return paragraphs.map((lines) => lines.join('\n')).join('\n\n');
}

const seconds = (time: string): number => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

const clock = (time: string): string => {
  const parts = time.split(':').map((part) => part.padStart(2, '0'));
  return parts.length === 2 ? `00:${parts.join(':')}` : parts.join(':');
};
