import { colord, type RgbaColor } from 'colord';
import type { Brand, BrandColor, BrandFont } from './brand';

export const CONTRAST_LEVELS = ['AAA', 'AA', 'AA-large', 'fail'] as const;

/** How well a text reads on a background (WCAG 2.2, 1.4.3 and 1.4.6). */
export interface ContrastCheck {
  readonly text: string;
  readonly background: string;
  readonly text_hex: string;
  readonly background_hex: string;
  /** To two decimals; the level is decided on the exact ratio. */
  readonly ratio: number;
  readonly level: (typeof CONTRAST_LEVELS)[number];
}

export interface FontCheck {
  readonly role: BrandFont['role'];
  readonly family: string;
  readonly missing_weights: readonly number[];
}

export interface LogoCheck {
  readonly role: string;
  readonly file_id: string;
  readonly min_width_px: number;
  /** Null when the file is gone or its width is not known. */
  readonly width_px: number | null;
}

/** What a brand's own parts say against it; empty lists when nothing does. Contrasts are all listed, good ones too. */
export interface BrandChecks {
  readonly contrast: readonly ContrastCheck[];
  readonly fonts: readonly FontCheck[];
  readonly logos: readonly LogoCheck[];
}

/** A width in pixels; `any` for pictures that are drawn at every size. */
export type PictureWidth = number | 'any';

/** What pages and mails set in each role: regular text, and bold. */
const WEIGHTS_NEEDED: Readonly<Record<BrandFont['role'], readonly number[]>> = {
  heading: [700],
  body: [400, 700],
  accent: [400],
  mono: [400],
};

export function checkBrand(brand: Brand, widths: ReadonlyMap<string, PictureWidth>): BrandChecks {
  const texts = brand.colors.filter(({ role }) => role === 'text');
  const backgrounds = brand.colors.filter(({ role }) => role === 'background' || role === 'surface');
  return {
    contrast: texts.flatMap((text) => backgrounds.map((background) => contrastOf(text, background))),
    fonts: brand.fonts.flatMap(fontCheck),
    logos: brand.logos.flatMap(({ role, file_id, min_width_px }) => {
      const width = widths.get(file_id) ?? null;
      if (min_width_px === null || width === 'any' || (width !== null && width >= min_width_px)) return [];
      return [{ role, file_id, min_width_px, width_px: width }];
    }),
  };
}

function contrastOf(text: BrandColor, background: BrandColor): ContrastCheck {
  const ground = over(colord(background.hex).toRgb(), WHITE);
  const ratio = contrast(over(colord(text.hex).toRgb(), ground), ground);
  return {
    text: text.key,
    background: background.key,
    text_hex: text.hex,
    background_hex: background.hex,
    ratio: Math.round(ratio * 100) / 100,
    level: levelOf(ratio),
  };
}

function levelOf(ratio: number): ContrastCheck['level'] {
  if (ratio >= 7) return 'AAA';
  if (ratio >= 4.5) return 'AA';
  return ratio >= 3 ? 'AA-large' : 'fail';
}

const WHITE: RgbaColor = { r: 255, g: 255, b: 255, a: 1 };

/** A colour as it is seen on an opaque one. */
const over = (color: RgbaColor, ground: RgbaColor): RgbaColor => {
  const mixed = (part: 'r' | 'g' | 'b'): number => color[part] * color.a + ground[part] * (1 - color.a);
  return { r: mixed('r'), g: mixed('g'), b: mixed('b'), a: 1 };
};

/** The ratio of WCAG, unrounded: colord's own plugin cuts it to two decimals, which shows #777777 on white as 4.47. */
function contrast(a: RgbaColor, b: RgbaColor): number {
  const [lighter, darker] = [luminance(a), luminance(b)].sort((one, other) => other - one) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

const luminance = ({ r, g, b }: RgbaColor): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

const linear = (part: number): number => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);

/** Without named weights a font counts as having the regular one. */
function fontCheck({ role, family, weights }: BrandFont): FontCheck[] {
  const present = weights.length > 0 ? weights : [400];
  const missing_weights = WEIGHTS_NEEDED[role].filter((weight) => !present.includes(weight));
  return missing_weights.length > 0 ? [{ role, family, missing_weights }] : [];
}
