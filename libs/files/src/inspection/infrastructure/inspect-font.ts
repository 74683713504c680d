import type { Font, FontCollection } from 'fontkit';
import { readFile, stat } from 'node:fs/promises';
import type { Inspection, SystemMetadata } from './inspection';

const LARGEST_FONT = 64 * 1024 * 1024;
const NORMAL_WEIGHT = 400;

/** Family, style and weight of a font, of the first one where the file holds several. Fonts have no renditions, only facts. */
export async function inspectFont(path: string): Promise<Inspection> {
  if ((await stat(path)).size > LARGEST_FONT) return { renditions: [], system: { error: 'too_large' } };
  const bytes = await readFile(path);
  const { create } = await import('fontkit');
  try {
    const font = firstOf(create(bytes));
    return { renditions: [], system: font ? { font: factsOf(font) } : { error: 'damaged' } };
  } catch {
    return { renditions: [], system: { error: 'damaged' } };
  }
}

const firstOf = (found: Font | FontCollection): Font | undefined => ('fonts' in found ? found.fonts[0] : found);

function factsOf(font: Font): NonNullable<SystemMetadata['font']> {
  const weight = Math.round(font['OS/2']?.usWeightClass ?? NORMAL_WEIGHT);
  return { family: words(font.familyName), style: words(font.subfamilyName) || 'Regular', weight: Math.min(1000, Math.max(1, weight)) };
}

const words = (text: string | null | undefined): string =>
  (text ?? '')
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 200);
