import type { PageLines } from './page-of-lines';
import type { Line } from './page-lines';

/** Parts of the pages that a line repeats on to be a header or footer, and pages there must be. */
const REPEATED = 0.6;
const LEAST_PAGES = 3;
/** Part of the height at the top and bottom that headers and footers are in, and how far their places differ, in parts of their size. */
const EDGE = 0.13;
const SAME_PLACE = 1.5;
/** Lines at the edges of one page that are compared. */
const MOST_AT_EDGES = 100;
const SAME_PARAGRAPH = 1.6;
/** Part of the steps from page to page in which a page number counts them. */
const COUNTING = 0.8;
/** How far a page number is from the number of its page in the file, which covers and contents are part of. */
const FARTHEST_NUMBER = 50;
const SAME_SIZE = 0.5;

const PAGE_WORDS = new Set(
  'page pages pg seite blatt página pagina pág pag стр страница strona str sida sivu oldal sayfa σελίδα trang halaman ページ'.split(' '),
);
/** Around a number they are words for page, and others without each other: 第1課 is a lesson, and records have a side 1. */
const AROUND: readonly (readonly [before: RegExp, behind: RegExp])[] = [
  [/^第$/, /^(?:页|頁|面|ページ)/],
  [/^side$/, /^(?:af|av)$/],
];
/** So few words beside a number may say what it counts. */
const LONGEST_LABEL = 2;
const OF_WORDS = new Set('of von de di sur из van av af ze z od dari'.split(' '));
const TOKEN = /\p{L}+|\p{N}+/gu;
const MOST_TOKENS = 200;
const PAGE_NUMBER = '#';

interface Occurrence {
  readonly edge: string;
  readonly page: number;
  readonly line: Line;
  readonly place: number;
  readonly numbers: readonly number[];
}

/**
 * Lines that pages have in common at their edges, by page. A line that differs from page to page in anything but a page number stays: it
 * may be all that says what the page is about. So does a line without which a page has no text, or that of another page.
 */
export function runningLines(pages: readonly PageLines[], body: number): ReadonlyMap<PageLines, ReadonlySet<Line>> {
  const running = new Map<PageLines, Set<Line>>();
  if (pages.length < LEAST_PAGES) return running;
  for (const [, occurrences] of occurrencesOn(pages)) {
    const place = median(occurrences.map((each) => each.place));
    const alike = occurrences.filter((each) => Math.abs(each.place - place) <= SAME_PLACE * each.line.size);
    const counting = countingSlots(alike);
    if (new Set(alike.map(({ page }) => page)).size <= pages.length * REPEATED || !counting.every((slot) => countsPages(alike, slot, body)))
      continue;
    for (const { page, line, edge, numbers } of alike) {
      // A stamp is said once, and so is what all pages have at their head: it may be the first row of a table.
      if (page === alike[0]?.page && (edge === 'side' || (edge === 'head' && counting.length === 0))) continue;
      const of = pages[page];
      if (of && (numbers.length > 0 || !isInParagraph(line, of))) running.set(of, (running.get(of) ?? new Set()).add(line));
    }
  }
  keepMeaning(running);
  return running;
}

function occurrencesOn(pages: readonly PageLines[]): Map<string, Occurrence[]> {
  const found = new Map<string, Occurrence[]>();
  for (const [page, { lines, aside, height }] of pages.entries()) {
    const edges = lines.flatMap((line) => edgeOf(line, height) ?? []).slice(0, MOST_AT_EDGES);
    for (const { line, edge, place } of [
      ...edges,
      ...aside
        .flat()
        .slice(0, MOST_AT_EDGES)
        .map((line) => ({ line, edge: 'side', place: 0 })),
    ]) {
      const { text, numbers } = withoutPageNumber(line.parts);
      const key = `${edge} ${text}`;
      const all = found.get(key);
      if (all) all.push({ edge, page, line, place, numbers });
      else found.set(key, [{ edge, page, line, place, numbers }]);
    }
  }
  return found;
}

/** A line of the same size is so close above or below that both may be one sentence. */
const isInParagraph = (line: Line, { lines }: PageLines): boolean =>
  lines.some((other) => {
    const distance = Math.abs(other.y - line.y);
    return distance > 0 && distance <= SAME_PARAGRAPH * line.size && Math.abs(other.size - line.size) < 0.5 && goesOn(line, other);
  });

/** Neither ends before the other begins. */
function goesOn(one: Line, other: Line): boolean {
  const [above, below] = one.y > other.y ? [one, other] : [other, one];
  return /^\p{Ll}/u.test(below.text) && !/[.!?:]$/.test(above.text);
}

function edgeOf(line: Line, height: number): { line: Line; edge: string; place: number } | undefined {
  const place = line.y / Math.max(1, height);
  if (place > EDGE && place < 1 - EDGE) return undefined;
  return place < 0.5 ? { line, edge: 'foot', place: line.y } : { line, edge: 'head', place: height - line.y };
}

/**
 * A line with a sign for each page number: a number that is alone in its part of the line, or behind a word for page. Beside a word or
 * two, it may count what they name.
 */
function withoutPageNumber(parts: readonly string[]): { readonly text: string; readonly numbers: readonly number[] } {
  const numbers: number[] = [];
  const pieces = parts
    .flatMap((part) => part.split(/ [|·•–—-] /))
    .map((part) => ({ part, tokens: (part.toLowerCase().match(TOKEN) ?? []).slice(0, MOST_TOKENS) }));
  const label = pieces.flatMap(({ tokens }) => (isNumberAlone(tokens) ? [] : tokens.filter((token) => /\p{L}/u.test(token))));
  const isLabelled = label.length > 0 && label.length <= LONGEST_LABEL && !label.some((word) => PAGE_WORDS.has(word));
  const shown = pieces.map(({ part, tokens }) => {
    if (tokens.length === 0) return part;
    const own = numberOf(tokens[0] ?? '');
    if (own !== undefined && !isLabelled && isNumberAlone(tokens)) {
      numbers.push(own);
      return [PAGE_NUMBER, ...tokens.slice(1)].join(' ');
    }
    return tokens
      .map((token, at) => {
        const number = isOfPage(tokens, at) ? numberOf(token) : undefined;
        if (number === undefined) return token;
        numbers.push(number);
        return PAGE_NUMBER;
      })
      .join(' ');
  });
  return { text: shown.join('|'), numbers };
}

function isNumberAlone([first = '', second, third, more]: readonly string[]): boolean {
  if (numberOf(first) === undefined || more !== undefined) return false;
  return second === undefined || (third === undefined ? isDigits(second) : OF_WORDS.has(second) && isDigits(third));
}

function isOfPage(tokens: readonly string[], at: number): boolean {
  const [before = '', behind = ''] = [tokens[at - 1], tokens[at + 1]];
  return PAGE_WORDS.has(before) || AROUND.some(([one, other]) => one.test(before) && other.test(behind));
}

const isDigits = (token: string | undefined): boolean => /^\d{1,5}$/.test(token ?? '');

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function numberOf(token: string): number | undefined {
  if (isDigits(token)) return Number(token);
  if (!/^[ivxlc]{1,9}$/.test(token)) return undefined;
  const values = [...token].map((letter) => ROMAN[letter] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}

/** The numbers that are not the same everywhere. */
const countingSlots = (occurrences: readonly Occurrence[]): number[] => {
  const first = occurrences[0]?.numbers ?? [];
  return [...first.keys()].filter((slot) => occurrences.some(({ numbers }) => numbers[slot] !== first[slot]));
};

/** A number goes up with the pages, is near their own, and is no larger than the text: rooms and invoices are counted, too. */
function countsPages(occurrences: readonly Occurrence[], slot: number, body: number): boolean {
  let counted = 0;
  for (const [at, { page, line, numbers }] of occurrences.entries()) {
    const number = numbers[slot] ?? 0;
    if (line.size > body + SAME_SIZE || Math.abs(number - (page + 1)) > FARTHEST_NUMBER) return false;
    const before = occurrences[at - 1];
    if (before && number - (before.numbers[slot] ?? 0) === page - before.page) counted++;
  }
  return counted >= (occurrences.length - 1) * COUNTING;
}

/** Pages that would have no words, or the words of another page, keep all of their lines. */
function keepMeaning(running: Map<PageLines, Set<Line>>): void {
  const alike = new Map<string, PageLines[]>();
  for (const [page, left] of running) {
    const rest = [...page.lines, ...page.aside.flat()].flatMap((line) => (left.has(line) ? [] : [line.text])).join('\n');
    const same = alike.get(rest);
    if (!/[\p{L}\p{N}]/u.test(rest)) running.delete(page);
    else if (same) same.push(page);
    else alike.set(rest, [page]);
  }
  for (const pages of alike.values()) {
    const texts = new Set(pages.map((page) => [...(running.get(page) ?? [])].map(({ text }) => text).join('\n')));
    if (texts.size > 1) for (const page of pages) running.delete(page);
  }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
