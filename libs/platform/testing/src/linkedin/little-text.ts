/** What the network shows of a commentary. */
export interface LittleText {
  readonly text: string;
  readonly hashtags: readonly string[];
  readonly mentions: readonly { readonly name: string; readonly urn: string }[];
  /** A bare reserved character ended the text silently. */
  readonly isCut: boolean;
}

const RESERVED = new Set('\\|{}[]()<>@*_~#');
const HASHTAG = /^#([\p{L}\p{N}]+)/u;
const MENTION = /^@\[((?:\\.|[^\\\]])+)\]\((urn:li:(?:organization|person):[A-Za-z0-9_-]+)\)/s;

/** Reads little text as the network does: the first reserved character that is neither escaped nor part of an element cuts it. */
export function parseLittleText(commentary: string): LittleText {
  const hashtags: string[] = [];
  const mentions: { name: string; urn: string }[] = [];
  let text = '';
  let at = 0;
  while (at < commentary.length) {
    const sign = commentary.charAt(at);
    const rest = commentary.slice(at);
    const hashtag = HASHTAG.exec(rest);
    const mention = MENTION.exec(rest);
    if (sign === '\\' && RESERVED.has(commentary.charAt(at + 1))) {
      text += commentary.charAt(at + 1);
      at += 2;
    } else if (hashtag?.[1]) {
      hashtags.push(hashtag[1]);
      text += hashtag[0];
      at += hashtag[0].length;
    } else if (mention?.[1] && mention[2]) {
      const name = mention[1].replace(/\\(.)/gs, '$1');
      mentions.push({ name, urn: mention[2] });
      text += `@[${name}](${mention[2]})`;
      at += mention[0].length;
    } else if (RESERVED.has(sign)) {
      return { text, hashtags, mentions, isCut: true };
    } else {
      text += sign;
      at++;
    }
  }
  return { text, hashtags, mentions, isCut: false };
}
