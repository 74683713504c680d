import { colord, extend } from 'colord';
import a11y from 'colord/plugins/a11y';

extend([a11y]);

/** A colour of a brand, and what the brand uses it for. */
export interface RoleColor {
  readonly hex: string;
  readonly role: string;
}

/** How well one opaque colour reads on another (WCAG 2.2), from 1 to 21. */
export const contrastRatio = (one: string, other: string): number => colord(one).contrast(other);

/** Colours of a page, six hex digits each: the accent by day and by night, and the background by day if the brand sets one. */
export interface PageColors {
  readonly day: string;
  readonly night: string;
  readonly paper: string | null;
}

/** Contrast that text needs on what is behind it (WCAG 2.2, level AA). */
const READABLE = 4.5;
const DAY_PAPER = '#fbfbfa';
const NIGHT_PAPER = '#141618';
/** The text of the pages by day, strong and soft; a paper on which either cannot be read is not taken. */
const INKS = ['#1c1f23', '#656c76', '#a4342a', '#2f6b45'];
const STEP = 0.02;

/** The colours of a brand as far as they can be read: an accent that is too light by day is darkened until it can, and the other way round by night. Null: the brand has none. */
export function pageColors(colors: readonly RoleColor[]): PageColors | null {
  const accent = (['primary', 'accent', 'secondary'] as const)
    .map((role) => colors.find((color) => color.role === role))
    .find((color) => color !== undefined);
  const background = colors.find(({ role }) => role === 'background');
  const paper = background && INKS.every((ink) => contrastRatio(ink, opaque(background.hex)) >= READABLE) ? opaque(background.hex) : null;
  if (!accent && paper === null) return null;
  const wanted = accent ? opaque(accent.hex) : '#2f5d50';
  return {
    day: readable(wanted, [paper ?? DAY_PAPER, '#ffffff']),
    night: readable(wanted, [NIGHT_PAPER, '#1c1f22']),
    paper: paper && bare(paper),
  };
}

/** The same hue, as dark or light as every ground asks for. */
function readable(hex: string, grounds: readonly string[]): string {
  const isDay = colord(grounds[0] ?? DAY_PAPER).isLight();
  let color = colord(hex);
  for (let tries = 0; tries < 1 / STEP && grounds.some((ground) => contrastRatio(color.toHex(), ground) < READABLE); tries++)
    color = isDay ? color.darken(STEP) : color.lighten(STEP);
  return bare(color.toHex());
}

/** What is written on an accent: black or white, whichever reads better. */
export const inkOn = (hex: string): string =>
  contrastRatio('#ffffff', `#${hex}`) >= contrastRatio('#10161a', `#${hex}`) ? 'ffffff' : '10161a';

const opaque = (hex: string): string => colord(hex).alpha(1).toHex();

const bare = (hex: string): string => hex.slice(1);
