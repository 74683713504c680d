import { stat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { InspectionError, RENDITION_EDGES, type Inspection, type InspectionTask, type SystemMetadata } from './inspection';
import { orientationOf, type UprightPicture } from './picture-features';
import { pictureParts } from './picture-parts';

const LARGEST_DOCUMENT = 256 * 1024 * 1024;
/** Pixels that one picture on a page may have. */
const LARGEST_IMAGE = 64_000_000;

/** What the drawing of pages is done with: bound to the document, as is the canvas it makes. */
interface CanvasMaker {
  create(
    width: number,
    height: number,
  ): {
    readonly canvas: object;
    readonly context: { getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray } };
  };
}

/** Counts the pages of a PDF and renders its first one. Its scripts are not run, and nothing is read but the file itself. */
export async function inspectDocument({ path, outputDir }: InspectionTask): Promise<Inspection> {
  const system: SystemMetadata = {};
  try {
    const document = await open(path);
    try {
      system.pages = document.numPages;
      const { picture, facts } = await firstPage(document);
      Object.assign(system, facts);
      const { renditions, appearance: looks } = await pictureParts(picture, outputDir);
      return { renditions, system: { ...system, colors: looks.colors, thumbhash: looks.thumbhash } };
    } finally {
      await document.loadingTask.destroy();
    }
  } catch (error) {
    if (!(error instanceof InspectionError)) throw error;
    return { renditions: [], system: { ...system, error: error.fault } };
  }
}

async function open(path: string): Promise<PDFDocumentProxy> {
  if ((await stat(path)).size > LARGEST_DOCUMENT) throw new InspectionError('too_large');
  return openBytes(await readFile(path));
}

async function openBytes(bytes: Buffer): Promise<PDFDocumentProxy> {
  const data = new Uint8Array(bytes);
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const parts = dirname(require.resolve('pdfjs-dist/package.json'));
  const folder = (name: string): string => `${join(parts, name)}/`;
  const task = getDocument({
    data,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
    maxImageSize: LARGEST_IMAGE,
    standardFontDataUrl: folder('standard_fonts'),
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
    wasmUrl: folder('wasm'),
    iccUrl: folder('iccs'),
  });
  return task.promise.catch(async (cause: unknown) => {
    await task.destroy();
    throw new InspectionError(cause instanceof Error && cause.name === 'PasswordException' ? 'encrypted' : 'damaged', { cause });
  });
}

/** The first page of a document in memory, on nothing, with one pixel a point unless that is larger than the largest rendition. */
export async function documentPicture(
  bytes: Buffer,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<UprightPicture> {
  const document = await openBytes(bytes);
  try {
    return (await firstPage(document, { scale: Math.min(1, RENDITION_EDGES.large / Math.max(width, height)), background: 'rgba(0,0,0,0)' }))
      .picture;
  } finally {
    await document.loadingTask.destroy();
  }
}

/** Drawn as large as the largest rendition unless said otherwise: a page has no size in pixels of its own. Its facts are in points. */
async function firstPage(
  document: PDFDocumentProxy,
  drawing: { readonly scale?: number; readonly background?: string } = {},
): Promise<{ picture: UprightPicture; facts: SystemMetadata }> {
  try {
    const page = await document.getPage(1);
    const { width, height } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: drawing.scale ?? RENDITION_EDGES.large / Math.max(width, height) });
    const drawn = { width: Math.max(1, Math.floor(viewport.width)), height: Math.max(1, Math.floor(viewport.height)) };
    const { canvas, context } = (document.canvasFactory as CanvasMaker).create(drawn.width, drawn.height);
    await page.render({ canvas, canvasContext: context, viewport, background: drawing.background ?? '#ffffff' }).promise;
    const { data } = context.getImageData(0, 0, drawn.width, drawn.height);
    const picture = {
      data: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
      ...drawn,
      channels: 4 as const,
      transparent: false,
    };
    return { picture, facts: { width: Math.round(width), height: Math.round(height), orientation: orientationOf(width, height) } };
  } catch (cause) {
    throw new InspectionError('damaged', { cause });
  }
}
