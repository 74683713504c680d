import { LinkifyIt } from 'linkify-it';

/** Parameters by which a campaign counts the visits that a link brings. */
export interface Utm {
  readonly source?: string | null;
  readonly medium?: string | null;
  readonly campaign?: string | null;
  readonly term?: string | null;
  readonly content?: string | null;
}

const NAMES = ['source', 'medium', 'campaign', 'term', 'content'] as const;
const links = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

/** The addresses in a text, each with its place. */
export const findLinks = (text: string): readonly { readonly url: string; readonly start: number; readonly end: number }[] =>
  (links.match(text) ?? [])
    .filter(({ schema }) => schema === 'http:' || schema === 'https:')
    .map(({ raw, index, lastIndex }) => ({ url: raw, start: index, end: lastIndex }));

/** The address with the parameters that it does not have yet; it is otherwise left as it was written. */
export function taggedUrl(url: string, utm: Utm | null): string {
  if (!utm || !URL.canParse(url)) return url;
  const present = new URL(url).searchParams;
  const added = NAMES.flatMap((name) => {
    const value = utm[name];
    return value && !present.has(`utm_${name}`) ? [`utm_${name}=${encodeURIComponent(value)}`] : [];
  });
  if (added.length === 0) return url;
  const [address = '', fragment] = url.split(/#(.*)/s);
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${joint}${added.join('&')}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** The text with the parameters on each of its links. */
export function taggedText(text: string, utm: Utm | null): string {
  if (!utm) return text;
  let [written, after] = ['', 0];
  for (const { url, start, end } of findLinks(text)) {
    written += text.slice(after, start) + taggedUrl(url, utm);
    after = end;
  }
  return written + text.slice(after);
}
