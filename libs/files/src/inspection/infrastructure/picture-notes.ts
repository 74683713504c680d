import { open } from 'node:fs/promises';
import exifr from 'exifr';
import sharp from 'sharp';
import { iptcRecord, recordOf, resourcesOf, type IptcRecord } from './iptc-record';
import { xmpFacts, type XmpFacts } from './xmp-packet';

/** Values of one block of EXIF by the names of its tags. */
export type Tags = Readonly<Record<string, unknown>>;

/** Everything a picture says about itself, as it is written there. */
export interface PictureNotes {
  readonly blocks: Readonly<Partial<Record<'ifd0' | 'exif' | 'gps', Tags>>>;
  readonly xmp: XmpFacts;
  readonly iptc: IptcRecord;
}

export const NO_NOTES: PictureNotes = { blocks: {}, xmp: xmpFacts(undefined), iptc: iptcRecord(undefined) };

const PHOTOSHOP = 'image/vnd.adobe.photoshop';
/** Where the resources of a Photoshop file are looked for, behind its header. */
const PHOTOSHOP_HEAD = 8 * 1024 * 1024;
const EXIF_RESOURCE = 0x0422;
const XMP_RESOURCE = 0x0424;

type Blocks = PictureNotes['blocks'] & { readonly xmp?: string | Uint8Array };

const OPTIONS = {
  tiff: true,
  exif: true,
  gps: true,
  iptc: false,
  xmp: { parse: false, multiSegment: false },
  ifd1: false,
  interop: false,
  icc: false,
  jfif: false,
  ihdr: false,
  makerNote: false,
  userComment: false,
  mergeOutput: false,
  reviveValues: false,
};

/**
 * Reads EXIF, XMP and IPTC of a picture. Metadata is an extra: whatever is wrong with it must not cost the picture its
 * renditions, so one part that cannot be read costs only itself. Drawings have none.
 */
export async function pictureNotes(input: string | Buffer, type: string): Promise<PictureNotes> {
  if (type === 'image/svg+xml') return NO_NOTES;
  if (type === PHOTOSHOP) return photoshopNotes(typeof input === 'string' ? await headOf(input) : input.subarray(0, PHOTOSHOP_HEAD));
  const header = await sharp(input, { limitInputPixels: false, failOn: 'none' })
    .metadata()
    .catch(() => undefined);
  const whole = await blocksOf(input);
  const apart = whole?.ifd0 || whole?.exif || whole?.gps ? undefined : await blocksOf(header?.exif);
  const { ifd0, exif, gps } = apart ?? whole ?? {};
  const other = typeof whole?.xmp === 'string' ? whole.xmp : whole?.xmp && Buffer.from(whole.xmp);
  return { blocks: { ifd0, exif, gps }, xmp: xmpFacts(header?.xmp ?? other), iptc: iptcRecord(header?.iptc) };
}

async function blocksOf(input: string | Buffer | undefined): Promise<Blocks | undefined> {
  if (input === undefined) return undefined;
  const start = typeof input !== 'string' && input.subarray(0, 6).toString('latin1') === 'Exif\0\0' ? input.subarray(6) : input;
  try {
    return (await exifr.parse(start, OPTIONS)) as Blocks | undefined;
  } catch {
    return undefined;
  }
}

/** A Photoshop file has its notes among its resources. */
async function photoshopNotes(head: Buffer): Promise<PictureNotes> {
  const resources = resourcesOf(head);
  const { ifd0, exif, gps } = (await blocksOf(resources.get(EXIF_RESOURCE))) ?? {};
  return { blocks: { ifd0, exif, gps }, xmp: xmpFacts(resources.get(XMP_RESOURCE)), iptc: recordOf(resources) };
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PHOTOSHOP_HEAD), 0, PHOTOSHOP_HEAD, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
