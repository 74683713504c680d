/** What little text reserves: unescaped, it ends the text where it is. */
const RESERVED = /[\\|{}[\]()<>@*_~]/g;
const SIGNS = new Set('\\|{}[]()<>@*_~#');
const MENTION = /@\[([^\]\n]{1,200})\]\(([^()\s]{1,200})\)/gu;
const URN = /^urn:li:(?:organization|person):[A-Za-z0-9_-]+$/;
/** At the start or behind white space, and with something that a tag can be made of. */
const HASHTAG = /(?<=^|\s)#(?=[\p{L}\p{N}])/gu;

export interface LittleTextParts {
  /** The text as it is sent. */
  readonly commentary: string;
  readonly hashtags: readonly string[];
  readonly mentions: readonly string[];
  /** Mentions whose name of an account is malformed; they are sent as literal text. */
  readonly malformed: readonly string[];
}

/** Writes a text so that the network shows all of it: everything reserved is escaped, hashtags and mentions keep their form. */
export function writeLittleText(text: string): LittleTextParts {
  const [hashtags, mentions, malformed]: [string[], string[], string[]] = [[], [], []];
  let [written, after] = ['', 0];
  const literal = (end: number): void => {
    written += escapedWithTags(text.slice(after, end), after === 0 ? '' : text.charAt(after - 1), hashtags);
  };
  for (const found of text.matchAll(MENTION)) {
    const [whole, name = '', urn = ''] = found;
    if (!URN.test(urn)) {
      malformed.push(whole);
      continue;
    }
    literal(found.index);
    written += `@[${escaped(name)}](${urn})`;
    mentions.push(urn);
    after = found.index + whole.length;
  }
  literal(text.length);
  return { commentary: written, hashtags, mentions, malformed };
}

function escapedWithTags(text: string, before: string, hashtags: string[]): string {
  // The sign in front decides whether a `#` at the start begins a tag.
  const begins = new Set([...`${before}${text}`.matchAll(HASHTAG)].map(({ index }) => index - before.length));
  let written = '';
  let from = 0;
  for (let at = text.indexOf('#'); at >= 0; at = text.indexOf('#', at + 1)) {
    written += escaped(text.slice(from, at));
    from = at + 1;
    const tag = begins.has(at) ? /^[\p{L}\p{N}]+/u.exec(text.slice(from, from + 200))?.[0] : undefined;
    if (tag === undefined) written += '\\#';
    else {
      hashtags.push(tag);
      written += '#';
    }
  }
  return written + escaped(text.slice(from));
}

const escaped = (text: string): string => text.replace(RESERVED, '\\$&');

/** The text that little text written by this service means, for comparing it with what the network has. */
export function readLittleText(commentary: string): string {
  let text = '';
  for (let at = 0; at < commentary.length; at++) {
    const next = commentary.charAt(at + 1);
    if (commentary.charAt(at) === '\\' && SIGNS.has(next)) {
      text += next;
      at++;
    } else text += commentary.charAt(at);
  }
  return text;
}
