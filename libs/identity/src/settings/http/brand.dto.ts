import { Choice, Decimal, Nested, NestedList, Ref, Text, type TextForm, TextList, Whole, WholeList } from '@atrium/platform/database';
import { Accepts, Answer } from '@atrium/platform/http';
import { COLOR_ROLES, FONT_ROLES, LOGO_BACKGROUNDS, LOGO_ROLES, type BrandColor, type BrandFont, type BrandLogo } from '../domain/brand';
import { CONTRAST_LEVELS, type BrandChecks } from '../domain/brand-checks';

const HEX: TextForm = { pattern: /^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$/, words: 'a color such as #1d3557 or #1d3557cc' };
const SLUG: TextForm = {
  pattern: /^[a-z][a-z0-9-]{0,63}$/,
  words: 'a name of lowercase letters, digits and hyphens that begins with a letter',
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
  @Text({ min: 1, max: 64, form: SLUG, about: 'Name of the colour in templates; unique in the brand.', example: 'ink' }) key!: string;
  @Text({ optional: true, about: 'Name for people.', example: 'Harbour ink' }) name!: string | null;
  @Text({ min: 7, max: 9, form: HEX, about: 'Red, green, blue and, if you like, opacity; two digits each.', example: '#1d3557' })
  hex!: string;
  @Choice(COLOR_ROLES, { about: 'What it is for.', example: 'text' }) role!: BrandColor['role'];
}

@Accepts()
@Answer()
export class BrandFontPart {
  @Choice(FONT_ROLES, { about: 'Purpose of the font.', example: 'body' }) role!: BrandFont['role'];
  @Text({ min: 1, about: 'Name of the family.', example: 'Inter' }) family!: string;
  @WholeList({ optional: true, max: 20, about: 'Weights at hand, 1 to 1000.', example: [400, 700] }) weights!: number[] | null;
  @Choice(['web', 'file'], { about: 'A family that browsers know or load, or a font file of this workspace.', example: 'web' })
  source!: BrandFont['source'];
  @Ref({ optional: true, about: 'The font file, when the source is `file`.' }) file_id!: string | null;
}

@Accepts()
@Answer()
export class BrandLogoPart {
  @Choice(LOGO_ROLES, { about: 'Which logo it is.', example: 'primary' }) role!: BrandLogo['role'];
  @Ref({ about: 'An image file of this workspace.' }) file_id!: string;
  @Choice(LOGO_BACKGROUNDS, { optional: true, about: 'Backgrounds on which it may be shown; any when absent.', example: 'light' })
  background!: BrandLogo['background'] | null;
  @Whole({ optional: true, min: 1, max: MAX_WIDTH, about: 'Never show it narrower than this many pixels.', example: 160 }) min_width_px!:
    number | null;
}

@Accepts()
@Answer()
export class BrandTermPart {
  @Text({ min: 1, about: 'The word or name.', example: 'Harbour Media' }) term!: string;
  @Text({ optional: true, about: 'Preferred spelling.', example: 'Harbour Media, never shortened' }) use!: string | null;
  @Text({ optional: true, about: 'Spellings to avoid.', example: 'HM' }) avoid!: string | null;
}

@Accepts()
@Answer()
export class BrandVoicePart {
  @Text({ optional: true, max: MAX_PROSE, about: 'How the workspace speaks, in a few sentences.' }) summary!: string | null;
  @TextList({ optional: true, max: 50, about: 'Words for the tone.', example: ['calm', 'precise'] }) tone!: string[] | null;
  @TextList({ optional: true, max: 100, about: 'Rules for writers to follow.' }) do!: string[] | null;
  @TextList({ optional: true, max: 100, about: 'Practices for writers to avoid.' }) dont!: string[] | null;
  @NestedList(() => BrandTermPart, { optional: true, max: MAX_TERMS, about: 'Terms with a preferred spelling.' })
  glossary!: BrandTermPart[] | null;
}

@Accepts()
@Answer()
export class BrandLegalPart {
  @Text({ optional: true, max: MAX_PROSE, about: 'Line of copyright.', example: '© 2026 Harbour Media' }) copyright!: string | null;
  @Text({ optional: true, max: MAX_PROSE, about: 'Text that must be shown.' }) disclaimer!: string | null;
}

/** A brand, or members of one; at most 64 KB. */
@Accepts()
export class BrandBody {
  @Text({ optional: true, about: 'Name as it is shown.', example: 'Harbour Media' }) name?: string | null;
  @Text({ optional: true, about: 'A line under it.', example: 'Pictures from the sea' }) tagline?: string | null;
  @NestedList(() => BrandColorPart, { optional: true, max: MAX_COLORS, about: 'Colours.' }) colors?: BrandColorPart[] | null;
  @NestedList(() => BrandFontPart, { optional: true, max: MAX_FONTS, about: 'Fonts.' }) fonts?: BrandFontPart[] | null;
  @NestedList(() => BrandLogoPart, { optional: true, max: MAX_LOGOS, about: 'Logos.' }) logos?: BrandLogoPart[] | null;
  @Nested(() => BrandVoicePart, { optional: true, about: 'Tone of voice.' }) voice?: BrandVoicePart | null;
  @Nested(() => BrandLegalPart, { optional: true, about: 'Legal texts.' }) legal?: BrandLegalPart | null;
}

@Answer()
export class BrandView {
  @Text({ optional: true, about: 'Name as it is shown.', example: 'Harbour Media' }) name!: string | null;
  @Text({ optional: true, about: 'A line under it.', example: 'Pictures from the sea' }) tagline!: string | null;
  @NestedList(() => BrandColorPart, { max: MAX_COLORS, about: 'Colours.' }) colors!: BrandColorPart[];
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
  @Decimal({ about: 'Contrast ratio to 1 (WCAG), two decimals.', example: 4.48 }) ratio!: number;
  @Choice(CONTRAST_LEVELS, { about: 'AAA from 7, AA from 4.5, AA-large (large text only) from 3, else fail.', example: 'AA-large' })
  level!: string;
}

@Answer()
class FontCheckView {
  @Choice(FONT_ROLES, { about: 'The font.' }) role!: string;
  @Text({ example: 'Inter' }) family!: string;
  @WholeList({ about: 'Weights that its role needs and that are not named.', example: [700] }) missing_weights!: number[];
}

@Answer()
class LogoCheckView {
  @Choice(LOGO_ROLES, { about: 'The logo.' }) role!: string;
  @Ref({ about: 'Its file.' }) file_id!: string;
  @Whole({ about: 'The width asked for, in pixels.', example: 320 }) min_width_px!: number;
  @Whole({ optional: true, about: 'The width of the file in pixels; null when the file is gone or not read yet.', example: 96 }) width_px!:
    number | null;
}

@Answer()
class BrandChecksView {
  @NestedList(() => ContrastCheckView, { about: 'Every text colour on every background and surface colour.' })
  contrast!: ContrastCheckView[];
  @NestedList(() => FontCheckView, { about: 'Fonts without a required weight.' }) fonts!: FontCheckView[];
  @NestedList(() => LogoCheckView, { about: 'Logos whose file is narrower than the required width.' }) logos!: LogoCheckView[];
}

@Answer()
export class BrandAnswerView {
  @Nested(() => BrandView, { about: 'The brand, whole.' }) ws_brand!: BrandView;
  @Whole({ about: 'Grows with every change; also the ETag.', example: 3 }) ws_brand_version!: number;
  @Nested(() => BrandChecksView, { about: 'Warnings about the brand; the brand is saved all the same.' }) brand_checks!: BrandChecks;
}
