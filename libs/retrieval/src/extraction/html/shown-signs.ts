import type { CheerioAPI } from 'cheerio' with { 'resolution-mode': 'import' };
import type { AnyNode, Element } from 'domhandler' with { 'resolution-mode': 'import' };
import { formatCount } from '../office/word/counted';

/** Elements that stand on lines of their own, which the converter to markdown takes for words of a line. */
const BLOCKS = 'details,summary,legend';
/** References to notes, which books raise by their style alone: in 2024¹ is not in 20241. */
const REFERENCES = 'a[epub\\:type~="noteref"],a[role~="doc-noteref"]';
const FORMATS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman' }),
);
const WHOLE = /^\s*[+-]?\d{1,9}/;

/** Writes what a page shows and the text of its elements does not say: numbers of lists of their own, brackets around readings, line ends. */
export function showSigns($: CheerioAPI): void {
  $(BLOCKS).each((_, element) => void (element.name = 'div'));
  putReadingsInBrackets($);
  $(REFERENCES).each((_, reference) => {
    const isRaised = $(reference).find('sup').length > 0 || $(reference).closest('sup').length > 0;
    if (!isRaised) $(reference).wrapInner('<sup></sup>');
  });
  $('ol').each((_, list) => {
    numberItems($, list);
  });
}

/** Whether words have their brackets is found once for each of them, as there may be thousands of readings in one. */
function putReadingsInBrackets($: CheerioAPI): void {
  const bracketed = new Map<AnyNode | undefined, boolean>();
  $('rt').each((_, reading) => {
    const ruby = $(reading).closest('ruby').get(0);
    const isBracketed = bracketed.get(ruby) ?? (ruby === undefined || $(ruby).find('rp').length > 0);
    bracketed.set(ruby, isBracketed);
    if (!isBracketed) $(reading).prepend('(').append(')');
  });
}

/** Lists of markdown count by themselves, from a number on; the numbers of any other are words of their items. */
function numberItems($: CheerioAPI, list: Element): void {
  const items = list.children.filter((child): child is Element => 'name' in child && child.name === 'li');
  const format = FORMATS.get(list.attribs['type'] ?? '');
  const isReversed = list.attribs['reversed'] !== undefined;
  if (format === undefined && !isReversed && items.every(({ attribs }) => attribs['value'] === undefined)) return;
  let next = wholeOf(list.attribs['start']) ?? (isReversed ? items.length : 1);
  for (const item of items) {
    const count = wholeOf(item.attribs['value']) ?? next;
    next = count + (isReversed ? -1 : 1);
    const first = item.children.find((child) => !('data' in child) || child.data.trim() !== '');
    const target = first && 'name' in first && first.name === 'p' ? first : item;
    $(target).prepend(`${format === undefined ? String(count) : formatCount(count, format)}. `);
  }
  list.name = 'ul';
}

function wholeOf(written: string | undefined): number | undefined {
  const found = WHOLE.exec(written ?? '')?.[0];
  return found === undefined ? undefined : Number(found);
}
