/** The smaller pictures made of an image, by long edge: small 320, medium 1,024, large 2,048 pixels. */
export const RENDITIONS = ['small', 'medium', 'large'] as const;

export type RenditionName = (typeof RENDITIONS)[number];

/** A rendition as the blob's row describes it: where it is stored and what it is. */
export interface Rendition {
  readonly key: string;
  readonly w: number;
  readonly h: number;
  readonly size: number;
  readonly type: string;
}

/** The renditions that one blob has; not every blob has each. */
export type Renditions = Readonly<Partial<Record<RenditionName, Rendition>>>;

/** Types that browsers show as they are; the original replaces a missing rendition. */
const SHOWN_AS_THEY_ARE: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);

export const isShownAsItIs = (type: string): boolean => SHOWN_AS_THEY_ARE.has(type);

/** The wanted rendition, else the next larger one, else none. */
export function closestRendition(
  renditions: Renditions,
  wanted: RenditionName,
): { readonly name: RenditionName; readonly rendition: Rendition } | null {
  for (const name of RENDITIONS.slice(RENDITIONS.indexOf(wanted))) {
    const rendition = renditions[name];
    if (rendition) return { name, rendition };
  }
  return null;
}

/** A rendition is another format than its file: the file's name with the extension that fits. */
export const nameOf = (fileName: string, { type }: Rendition): string =>
  `${fileName.replace(/\.[A-Za-z0-9]{1,16}$/, '')}.${type.replace(/^image\//, '')}`;
