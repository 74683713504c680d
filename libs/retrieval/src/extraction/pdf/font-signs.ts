interface SignsOfFont {
  signs: number;
  /** Those of them that were looked at. */
  seen: number;
  /** Of private use, or unknown. */
  private: number;
  controls: number;
  /** Small letters, and A, B and C. */
  usual: number;
  /** Letters from D to Z, and those of them that are the glyphs of vowels where glyphs are numbered in the usual order. */
  capitals: number;
  vowels: number;
}

/** How many signs the fonts of a document draw, and how many of these stand for nothing that is known. */
export type FontSigns = ReadonlyMap<string, Readonly<SignsOfFont>>;

/** Signs of private use and the sign for what is unknown; and controls, where a font counts its glyphs instead of naming letters. */
const PRIVATE = /[\uE000-\uF8FF\uFFFD\u{F0000}-\u{10FFFD}]/gu;
const CONTROL = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]/g;
const USUAL = /[a-zA-C]/g;
const CAPITAL = /[D-Z]/g;
const VOWEL_GLYPH = /[DHLRX]/g;
/** Capitals are numbers of glyphs when there are so many, hardly any small letters or A to C, and so many of those for vowels. */
const ENOUGH_CAPITALS = 20;
const MOST_USUAL = 0.03;
const LEAST_VOWELS = 0.3;
/** Fewer signs than these decide nothing: a few bullets are no text. */
const ENOUGH = 8;
/** So many say what a font is. */
const MOST_SEEN = 3_000;
const MOST_PRIVATE = 0.3;
const MOST_CONTROLS = 0.05;

/** Gathers what the fonts of a document draw. */
export class FontTally {
  private readonly fonts = new Map<string, SignsOfFont>();

  add(font: string, text: string): void {
    const trimmed = text.trim();
    // Bullets and ornaments are drawn one by one.
    if (trimmed.length < 2) return;
    const tally = this.fonts.get(font) ?? { signs: 0, seen: 0, private: 0, controls: 0, usual: 0, capitals: 0, vowels: 0 };
    tally.signs += trimmed.length;
    if (tally.seen < MOST_SEEN) look(tally, trimmed);
    this.fonts.set(font, tally);
  }

  get all(): FontSigns {
    return this.fonts;
  }

  /** Whether there are fonts whose text means nothing. */
  get hidesText(): boolean {
    return this.hiddenShare > 0;
  }

  /** Part of all signs that such fonts draw. */
  get hiddenShare(): number {
    const signs = (fonts: readonly [string, SignsOfFont][]): number => fonts.reduce((sum, [, tally]) => sum + tally.signs, 0);
    const all = [...this.fonts];
    const hidden = signs(all.filter(([font]) => !isLegibleFont(this.fonts, font)));
    return hidden === 0 ? 0 : Math.max(0.0001, Math.round((hidden / signs(all)) * 10_000) / 10_000);
  }
}

function look(tally: SignsOfFont, text: string): void {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  tally.seen += text.length;
  tally.private += count(PRIVATE);
  tally.controls += count(CONTROL);
  tally.usual += count(USUAL);
  tally.capitals += count(CAPITAL);
  tally.vowels += count(VOWEL_GLYPH);
}

function isLegibleFont(fonts: FontSigns, font: string): boolean {
  const tally = fonts.get(font);
  if (!tally || tally.seen < ENOUGH) return true;
  if (tally.private > tally.seen * MOST_PRIVATE || tally.controls > tally.seen * MOST_CONTROLS) return false;
  return tally.usual > tally.seen * MOST_USUAL || tally.capitals < ENOUGH_CAPITALS || tally.vowels < tally.capitals * LEAST_VOWELS;
}

/** Whether the signs of a piece are letters, and no numbers of glyphs that only the font itself can draw. */
export const isLegible = (fonts: FontSigns, { font, text }: { readonly font: string; readonly text: string }): boolean =>
  isLegibleFont(fonts, font) || text.trim().length < 2;
