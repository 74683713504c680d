import { readFile, stat } from 'node:fs/promises';
import { InspectionError } from './inspection';
import { assertWithinBudget } from './svg-budget';

const LARGEST_SVG_BYTES = 20 * 1024 * 1024;

/** The parts before the root element: byte order mark, XML declarations, comments. */
const PROLOG = /^(\uFEFF|\s+|<\?xml\s[^>]*\?>|<!--[\s\S]*?-->)/;
const PLAIN_DOCTYPE = /^<!DOCTYPE\s[^[>]*>/i;
const REFERENCE = /(?:[\w.-]+:)?(?:href|src|base)\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)/gi;
const CSS_REFERENCE = /url\(\s*(["']?)([^"')]*)/gi;
const INSIDE = /^(#|$|data:(image\/(png|jpe?g|webp|gif)|font\/|application\/(x-)?font)[^,]*,)/i;

/**
 * The SVG as bytes that render without reading anything else: no document type, hence no entities, and no reference
 * that leaves the file. A drawing that needs one of them is refused, and so is one that would take too long to draw; links
 * people follow (`<a>`) lead nowhere here.
 */
export async function selfContainedSvg(path: string): Promise<Buffer> {
  if ((await stat(path)).size > LARGEST_SVG_BYTES) throw new InspectionError('too_large');
  const drawing = rootOf(decoded(await readFile(path)));
  if (/<!(DOCTYPE|ENTITY)/i.test(drawing)) throw new InspectionError('document_type');
  if (leavesTheFile(drawing)) throw new InspectionError('external_reference');
  await assertWithinBudget(drawing);
  // Decoded and encoded again without its declaration, so that what was checked is what is rendered.
  return Buffer.from(drawing, 'utf8');
}

function decoded(bytes: Buffer): string {
  try {
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le', { fatal: true }).decode(bytes);
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be', { fatal: true }).decode(bytes);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

function rootOf(text: string): string {
  let rest = text;
  for (;;) {
    const prolog = PROLOG.exec(rest) ?? PLAIN_DOCTYPE.exec(rest);
    if (!prolog) return rest;
    rest = rest.slice(prolog[0].length);
  }
}

function leavesTheFile(drawing: string): boolean {
  if (/<\?xml-stylesheet|@import|<(?:[\w.-]+:)?include[\s>/]/i.test(drawing)) return true;
  const withoutLinks = drawing.replace(/<(?:[\w.-]+:)?a(\s(?:"[^"]*"|'[^']*'|[^"'>])*)?>/gi, '<g>');
  for (const [, value = ''] of withoutLinks.matchAll(REFERENCE)) {
    if (!INSIDE.test(value.replace(/^["']|["']$/g, '').trim())) return true;
  }
  for (const [, , value = ''] of drawing.matchAll(CSS_REFERENCE)) {
    if (!INSIDE.test(value.trim())) return true;
  }
  return false;
}
