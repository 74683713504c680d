import { escapeXml } from './xml-text';
import { textOf } from './paragraphs';

/** Fonts whose letters are other signs. Their converter knows them. */
const SYMBOL_FONTS = /^(?:Symbol|Webdings|Wingdings(?: [23])?)$/;
/** Where programs keep the signs of such fonts. */
const OWN_SIGNS = /([\uF020-\uF0FF])/;
const CODE = /^[0-9A-Fa-f]{2,6}$/;
const LAST_SIGN = 0x10ffff;

export const isSymbolFont = (font: string): boolean => SYMBOL_FONTS.test(font);

/** Text of a font of signs, with each sign as its converter knows it. */
export const symbolsOf = (text: string, font: string, tag: (name: string) => string): string =>
  text
    .split(OWN_SIGNS)
    .map((piece, at) => (at % 2 === 1 ? symbolOf(piece, font, tag) : piece === '' ? '' : textOf(piece, tag)))
    .join('');

const symbolOf = (sign: string, font: string, tag: (name: string) => string): string =>
  `<${tag('sym')} ${tag('font')}="${escapeXml(font)}" ${tag('char')}="${sign.charCodeAt(0).toString(16).toUpperCase()}"></${tag('sym')}>`;

/** The sign of a font of letters; undefined for one of a font of signs. */
export function plainSign(font: string, code: string): string | undefined {
  const sign = CODE.test(code) ? parseInt(code, 16) : 0;
  const isOwn = isSymbolFont(font) || sign < 0x20 || (sign >= 0xd800 && sign < 0xf900) || sign > LAST_SIGN;
  return isOwn ? undefined : String.fromCodePoint(sign);
}
