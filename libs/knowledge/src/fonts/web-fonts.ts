import { FONT_FAMILIES } from './font-families';

export const FONT_CATEGORIES = ['sans-serif', 'serif', 'display', 'handwriting', 'monospace'] as const;
export type FontCategory = (typeof FONT_CATEGORIES)[number];

/** A family of fonts that browsers load from the web. */
export interface WebFont {
  readonly family: string;
  readonly category: FontCategory;
}

/** All families by their names. Nothing of a workspace is in it: it is the same for everybody and is built once. */
export const WEB_FONTS: readonly WebFont[] = FONT_CATEGORIES.flatMap((category) =>
  FONT_FAMILIES[category]
    .trim()
    .split(/,\s*/)
    .map((family) => ({ family, category })),
).sort((a, b) => (a.family < b.family ? -1 : 1));
