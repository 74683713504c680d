import { encodingExists } from 'iconv-lite';

/** Code pages of the character sets that fonts name. */
const CHARSETS: Readonly<Record<number, string>> = {
  0: 'windows-1252',
  77: 'macroman',
  128: 'shift_jis',
  129: 'cp949',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
  254: 'cp437',
};
const CODE_PAGES: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'cp949',
  950: 'big5',
  10000: 'macroman',
  20866: 'koi8-r',
  65001: 'utf8',
};
const USUAL = 'windows-1252';

export function encodingOfPage(page: number): string {
  const known = CODE_PAGES[page];
  if (known !== undefined) return known;
  const named = page >= 1250 && page <= 1258 ? `windows-${page}` : `cp${page}`;
  return encodingExists(named) ? named : USUAL;
}

/** The encodings of a document's fonts by their numbers. */
export class RtfFonts {
  /** Of text whose font says nothing. */
  usual = USUAL;
  /** The font of text that names none. */
  first = 0;
  private readonly encodings = new Map<number, string>();
  private current = 0;

  begin(font: number): void {
    this.current = font;
  }

  /** What the entry of a font says of it: its character set, or its code page, which counts more. */
  say(word: 'fcharset' | 'cpg', value: number): void {
    const encoding = word === 'cpg' ? encodingOfPage(value) : CHARSETS[value];
    if (encoding !== undefined && value !== 0) this.encodings.set(this.current, encoding);
  }

  encoding(font: number): string {
    return this.encodings.get(font) ?? this.usual;
  }
}
