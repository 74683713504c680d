import { asJson, invalidFields, type FieldFault, type JsonObject } from '@atrium/platform/kernel';

export const COLOR_ROLES = [
  'primary',
  'secondary',
  'accent',
  'background',
  'surface',
  'text',
  'success',
  'warning',
  'danger',
  'other',
] as const;
export const FONT_ROLES = ['heading', 'body', 'accent', 'mono'] as const;
export const LOGO_ROLES = ['primary', 'mark', 'wordmark', 'inverse', 'favicon'] as const;
export const LOGO_BACKGROUNDS = ['light', 'dark', 'any'] as const;

const MAX_BRAND_BYTES = 64 * 1024;
const MAX_WEIGHT = 1_000;

export interface BrandColor {
  readonly key: string;
  readonly name: string | null;
  readonly hex: string;
  readonly role: (typeof COLOR_ROLES)[number];
}

export interface BrandFont {
  readonly role: (typeof FONT_ROLES)[number];
  readonly family: string;
  readonly weights: readonly number[];
  readonly source: 'web' | 'file';
  readonly file_id: string | null;
}

export interface BrandLogo {
  readonly role: (typeof LOGO_ROLES)[number];
  readonly file_id: string;
  readonly background: (typeof LOGO_BACKGROUNDS)[number];
  readonly min_width_px: number | null;
}

export interface BrandVoice {
  readonly summary: string | null;
  readonly tone: readonly string[];
  readonly do: readonly string[];
  readonly dont: readonly string[];
  readonly glossary: readonly { readonly term: string; readonly use: string | null; readonly avoid: string | null }[];
}

/** What a workspace shows of itself: whole, with nothing left out. */
export interface Brand {
  readonly name: string | null;
  readonly tagline: string | null;
  readonly colors: readonly BrandColor[];
  readonly fonts: readonly BrandFont[];
  readonly logos: readonly BrandLogo[];
  readonly voice: BrandVoice;
  readonly legal: { readonly copyright: string | null; readonly disclaimer: string | null };
}

type Loose<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Members of a brand as clients write them, each already of the right form; absent and null ones are the empty ones. */
export interface BrandFacts {
  readonly name?: string | null;
  readonly tagline?: string | null;
  readonly colors?: readonly (Pick<BrandColor, 'key' | 'hex' | 'role'> & Loose<BrandColor>)[] | null;
  readonly fonts?: readonly (Pick<BrandFont, 'role' | 'family' | 'source'> & Loose<BrandFont>)[] | null;
  readonly logos?: readonly (Pick<BrandLogo, 'role' | 'file_id'> & Loose<BrandLogo>)[] | null;
  readonly voice?:
    | (Omit<Loose<BrandVoice>, 'glossary'> & {
        readonly glossary?: readonly ({ readonly term: string } & Loose<BrandVoice['glossary'][number]>)[] | null;
      })
    | null;
  readonly legal?: Loose<Brand['legal']> | null;
}

/** The brand in its whole form; also of what was stored before a member was known. */
export const wholeBrand = ({ name, tagline, colors, fonts, logos, voice, legal }: BrandFacts): Brand => ({
  name: name ?? null,
  tagline: tagline ?? null,
  colors: (colors ?? []).map((color) => ({ key: color.key, name: color.name ?? null, hex: color.hex, role: color.role })),
  fonts: (fonts ?? []).map((font) => ({
    role: font.role,
    family: font.family,
    weights: [...new Set(font.weights ?? [])].sort((a, b) => a - b),
    source: font.source,
    file_id: font.file_id?.toLowerCase() ?? null,
  })),
  logos: (logos ?? []).map((logo) => ({
    role: logo.role,
    file_id: logo.file_id.toLowerCase(),
    background: logo.background ?? 'any',
    min_width_px: logo.min_width_px ?? null,
  })),
  voice: {
    summary: voice?.summary ?? null,
    tone: voice?.tone ?? [],
    do: voice?.do ?? [],
    dont: voice?.dont ?? [],
    glossary: (voice?.glossary ?? []).map(({ term, use, avoid }) => ({ term, use: use ?? null, avoid: avoid ?? null })),
  },
  legal: { copyright: legal?.copyright ?? null, disclaimer: legal?.disclaimer ?? null },
});

/** Refuses a brand whose parts contradict each other; the form of each part was checked before. */
export function assertBrand(brand: Brand): void {
  const faults = [...colorFaults(brand.colors), ...fontFaults(brand.fonts)];
  if (Buffer.byteLength(JSON.stringify(brand)) > MAX_BRAND_BYTES)
    faults.push({ path: 'ws_brand', code: 'too_long', message: `must have at most ${MAX_BRAND_BYTES} bytes as JSON` });
  if (faults.length > 0) throw invalidFields(faults);
}

function colorFaults(colors: readonly BrandColor[]): FieldFault[] {
  const keys = colors.map(({ key }) => key);
  return keys.flatMap((key, at) =>
    keys.indexOf(key) < at ? [{ path: `colors[${at}].key`, code: 'duplicate', message: 'is the key of another color' }] : [],
  );
}

const fontFaults = (fonts: readonly BrandFont[]): FieldFault[] =>
  fonts.flatMap(({ source, file_id, weights }, at) => {
    const faults: FieldFault[] = [];
    if (source === 'file' && !file_id)
      faults.push({ path: `fonts[${at}].file_id`, code: 'required', message: 'is required when the source is file' });
    if (source === 'web' && file_id)
      faults.push({ path: `fonts[${at}].file_id`, code: 'not_applicable', message: 'is allowed only when the source is file' });
    if (weights.some((weight) => weight < 1 || weight > MAX_WEIGHT))
      faults.push({ path: `fonts[${at}].weights`, code: 'range', message: `must contain weights from 1 to ${MAX_WEIGHT}` });
    return faults;
  });

/** The members that differ, as they were and as they are. */
export function brandDifference(before: Brand, after: Brand): { readonly before: JsonObject; readonly after: JsonObject } {
  const changed = (Object.keys(after) as (keyof Brand)[]).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const part = (brand: Brand): JsonObject => {
    const whole = asJson(brand);
    return Object.fromEntries(changed.map((name) => [name, whole[name] ?? null]));
  };
  return { before: part(before), after: part(after) };
}
