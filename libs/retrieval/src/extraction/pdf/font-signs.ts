/** How many signs a font draws, and how many of these stand for nothing that is known. */
export type FontSigns = ReadonlyMap<string, { readonly signs: number; readonly private: number; readonly controls: number }>;

/** Signs of private use and the sign for what is unknown; and controls, where a font counts its glyphs instead of naming letters. */
const PRIVATE = /[\uE000-\uF8FF\uFFFD\u{F0000}-\u{10FFFD}]/gu;
const CONTROL = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]/g;
/** Fewer signs than these decide nothing: a few bullets are no text. */
const ENOUGH = 8;
const MOST_PRIVATE = 0.3;
const MOST_CONTROLS = 0.05;

/** Gathers what the fonts of a document draw. */
export class FontTally {
  private readonly fonts = new Map<string, { signs: number; private: number; controls: number }>();

  add(font: string, text: string): void {
    const trimmed = text.trim();
    // Bullets and ornaments are drawn one by one.
    if (trimmed.length < 2) return;
    const tally = this.fonts.get(font) ?? { signs: 0, private: 0, controls: 0 };
    tally.signs += trimmed.length;
    tally.private += trimmed.match(PRIVATE)?.length ?? 0;
    tally.controls += trimmed.match(CONTROL)?.length ?? 0;
    this.fonts.set(font, tally);
  }

  get all(): FontSigns {
    return this.fonts;
  }

  /** Whether there are fonts whose text means nothing. */
  get hidesText(): boolean {
    return [...this.fonts.keys()].some((font) => !isLegibleFont(this.fonts, font));
  }
}

function isLegibleFont(fonts: FontSigns, font: string): boolean {
  const tally = fonts.get(font);
  if (!tally || tally.signs < ENOUGH) return true;
  return tally.private <= tally.signs * MOST_PRIVATE && tally.controls <= tally.signs * MOST_CONTROLS;
}

/** Whether the signs of a piece are letters, and no numbers of glyphs that only the font itself can draw. */
export const isLegible = (fonts: FontSigns, { font, text }: { readonly font: string; readonly text: string }): boolean =>
  isLegibleFont(fonts, font) || text.trim().length < 2;
