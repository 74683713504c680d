import { Choice, Decimal, Nested, NestedList, Ref, Text, type TextForm, TextList, Whole, WholeList } from '@atrium/platform/database';
import { Accepts, Answer } from '@atrium/platform/http';
import { COLOR_ROLES, FONT_ROLES, LOGO_BACKGROUNDS, LOGO_ROLES, type BrandColor, type BrandFont, type BrandLogo } from '../domain/brand';
import { CONTRAST_LEVELS, type BrandChecks } from '../domain/brand-checks';

const HEX: TextForm = { pattern: /^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$/, words: 'a color such as #1d3557 or #1d3557cc' };
const SLUG: TextForm = {
  pattern: /^[a-z][a-z0-9-]{0,63}$/,
  words: 'a name of lowercase letters, digits and hyphens that starts with a letter',
};
const MAX_COLORS = 64;
const MAX_FONTS = 16;
const MAX_LOGOS = 16;
const MAX_TERMS = 500;
const MAX_PROSE = 5_000;
const MAX_WIDTH = 20_000;

@Accepts()
@Answer()
export class BrandColorPart {
  @Text({ min: 1, max: 64, form: SLUG, about: 'Name of the color in templates; unique in the brand.', example: 'ink' }) key!: string;
  @Text({ optional: true, about: 'Display name.', example: 'Harbour ink' }) name!: string | null;
  @Text({ min: 7, max: 9, form: HEX, about: 'Red, green, blue and optionally opacity, two hexadecimal digits each.', example: '#1d3557' })
  hex!: string;
  @Choice(COLOR_ROLES, { about: 'Purpose of the color.', example: 'text' }) role!: BrandColor['role'];
}

@Accepts()
@Answer()
export class BrandFontPart {
  @Choice(FONT_ROLES, { about: 'Purpose of the font.', example: 'body' }) role!: BrandFont['role'];
  @Text({ min: 1, about: 'Name of the family.', example: 'Inter' }) family!: string;
  @WholeList({ optional: true, max: 20, about: 'Available weights, 1 to 1000.', example: [400, 700] }) weights!: number[] | null;
  @Choice(['web', 'file'], { about: 'A family that browsers know or load, or a font file of this workspace.', example: 'web' })
  source!: BrandFont['source'];
  @Ref({ optional: true, about: 'Font file, if the source is `file`.' }) file_id!: string | null;
}

@Accepts()
@Answer()
export class BrandLogoPart {
  @Choice(LOGO_ROLES, { about: 'Purpose of the logo.', example: 'primary' }) role!: BrandLogo['role'];
  @Ref({ about: 'Image file of this workspace.' }) file_id!: string;
  @Choice(LOGO_BACKGROUNDS, { optional: true, about: 'Backgrounds on which the logo may be shown. Default: any.', example: 'light' })
  background!: BrandLogo['background'] | null;
  @Whole({ optional: true, min: 1, max: MAX_WIDTH, about: 'Minimum width in pixels at which the logo may be shown.', example: 160 })
  min_width_px!: number | null;
}

@Accepts()
@Answer()
export class BrandTermPart {
  @Text({ min: 1, about: 'Word or name.', example: 'Harbour Media' }) term!: string;
  @Text({ optional: true, about: 'Preferred spelling.', example: 'Harbour Media, never shortened' }) use!: string | null;
  @Text({ optional: true, about: 'Spellings to avoid.', example: 'HM' }) avoid!: string | null;
}

@Accepts()
@Answer()
export class BrandVoicePart {
  @Text({ optional: true, max: MAX_PROSE, about: 'Brand voice in a few sentences.' }) summary!: string | null;
  @TextList({ optional: true, max: 50, about: 'Adjectives for the tone.', example: ['calm', 'precise'] }) tone!: string[] | null;
  @TextList({ optional: true, max: 100, about: 'Rules for writers to follow.' }) do!: string[] | null;
  @TextList({ optional: true, max: 100, about: 'Practices for writers to avoid.' }) dont!: string[] | null;
  @NestedList(() => BrandTermPart, { optional: true, max: MAX_TERMS, about: 'Terms with a preferred spelling.' })
  glossary!: BrandTermPart[] | null;
}

@Accepts()
@Answer()
export class BrandLegalPart {
  @Text({ optional: true, max: MAX_PROSE, about: 'Copyright notice.', example: '© 2026 Harbour Media' }) copyright!: string | null;
  @Text({ optional: true, max: MAX_PROSE, about: 'Text that must be shown.' }) disclaimer!: string | null;
}

/** A brand, or members of one; at most 64 KB. */
@Accepts()
export class BrandBody {
  @Text({ optional: true, about: 'Display name.', example: 'Harbour Media' }) name?: string | null;
  @Text({ optional: true, about: 'Tagline shown with the name.', example: 'Pictures from the sea' }) tagline?: string | null;
  @NestedList(() => BrandColorPart, { optional: true, max: MAX_COLORS, about: 'Colors.' }) colors?: BrandColorPart[] | null;
  @NestedList(() => BrandFontPart, { optional: true, max: MAX_FONTS, about: 'Fonts.' }) fonts?: BrandFontPart[] | null;
  @NestedList(() => BrandLogoPart, { optional: true, max: MAX_LOGOS, about: 'Logos.' }) logos?: BrandLogoPart[] | null;
  @Nested(() => BrandVoicePart, { optional: true, about: 'Tone of voice.' }) voice?: BrandVoicePart | null;
  @Nested(() => BrandLegalPart, { optional: true, about: 'Legal texts.' }) legal?: BrandLegalPart | null;
}

@Answer()
export class BrandView {
  @Text({ optional: true, about: 'Display name.', example: 'Harbour Media' }) name!: string | null;
  @Text({ optional: true, about: 'Tagline shown with the name.', example: 'Pictures from the sea' }) tagline!: string | null;
  @NestedList(() => BrandColorPart, { max: MAX_COLORS, about: 'Colors.' }) colors!: BrandColorPart[];
  @NestedList(() => BrandFontPart, { max: MAX_FONTS, about: 'Fonts.' }) fonts!: BrandFontPart[];
  @NestedList(() => BrandLogoPart, { max: MAX_LOGOS, about: 'Logos.' }) logos!: BrandLogoPart[];
  @Nested(() => BrandVoicePart, { about: 'Tone of voice.' }) voice!: BrandVoicePart;
  @Nested(() => BrandLegalPart, { about: 'Legal texts.' }) legal!: BrandLegalPart;
}

@Answer()
class ContrastCheckView {
  @Text({ about: 'Key of the text colour.', example: 'ink' }) text!: string;
  @Text({ about: 'Key of the background or surface colour.', example: 'paper' }) background!: string;
  @Text({ max: 9, example: '#777777' }) text_hex!: string;
  @Text({ max: 9, example: '#ffffff' }) background_hex!: string;
  @Decimal({ about: 'Contrast ratio to 1 (WCAG), rounded to two decimals.', example: 4.48 }) ratio!: number;
  @Choice(CONTRAST_LEVELS, { about: 'AAA from 7, AA from 4.5, AA-large (large text only) from 3, else fail.', example: 'AA-large' })
  level!: string;
}

@Answer()
class FontCheckView {
  @Choice(FONT_ROLES, { about: 'Purpose of the font.' }) role!: string;
  @Text({ example: 'Inter' }) family!: string;
  @WholeList({ about: 'Weights that this purpose requires and that are missing.', example: [700] }) missing_weights!: number[];
}

@Answer()
class LogoCheckView {
  @Choice(LOGO_ROLES, { about: 'Purpose of the logo.' }) role!: string;
  @Ref({ about: 'Image file of the logo.' }) file_id!: string;
  @Whole({ about: 'Required width in pixels.', example: 320 }) min_width_px!: number;
  @Whole({ optional: true, about: 'Width of the file in pixels. Null if the file was deleted or has not been read yet.', example: 96 })
  width_px!: number | null;
}

@Answer()
class BrandChecksView {
  @NestedList(() => ContrastCheckView, { about: 'Contrast of every text color on every background and surface color.' })
  contrast!: ContrastCheckView[];
  @NestedList(() => FontCheckView, { about: 'Fonts that are missing a required weight.' }) fonts!: FontCheckView[];
  @NestedList(() => LogoCheckView, { about: 'Logos whose file is narrower than the required width.' }) logos!: LogoCheckView[];
}

@Answer()
export class BrandAnswerView {
  @Nested(() => BrandView, { about: 'The complete brand.' }) ws_brand!: BrandView;
  @Whole({ about: 'Version of the brand, increased with every change; also the ETag.', example: 3 }) ws_brand_version!: number;
  @Nested(() => BrandChecksView, { about: 'Warnings about the brand. They do not prevent saving.' }) brand_checks!: BrandChecks;
}
