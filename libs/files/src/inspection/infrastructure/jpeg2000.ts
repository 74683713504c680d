import { readFile, stat } from 'node:fs/promises';
import { documentPicture } from './inspect-document';
import { InspectionError } from './inspection';
import type { UprightPicture } from './picture-features';

const LARGEST_FILE = 256 * 1024 * 1024;
const START_OF_CODESTREAM = 0xff4f;
const SIZE_MARKER = 0xff51;
/** Boxes whose content is boxes are not gone into: the codestream is at the top. */
const CODESTREAM_BOX = 'jp2c';

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Width and height of a JPEG 2000 picture, in a file of boxes or as a bare codestream; undefined when it is neither. */
function jpeg2000Size(bytes: Buffer): PixelSize | undefined {
  const at = codestreamAt(bytes);
  if (
    at === undefined ||
    bytes.length < at + 24 ||
    bytes.readUInt16BE(at) !== START_OF_CODESTREAM ||
    bytes.readUInt16BE(at + 2) !== SIZE_MARKER
  )
    return undefined;
  const [right, bottom, left, top] = [8, 12, 16, 20].map((offset) => bytes.readUInt32BE(at + offset));
  const [width, height] = [(right ?? 0) - (left ?? 0), (bottom ?? 0) - (top ?? 0)];
  return width > 0 && height > 0 ? { width, height } : undefined;
}

function codestreamAt(bytes: Buffer): number | undefined {
  if (bytes.length >= 2 && bytes.readUInt16BE(0) === START_OF_CODESTREAM) return 0;
  for (let at = 0; at + 8 <= bytes.length;) {
    const short = bytes.readUInt32BE(at);
    const header = short === 1 ? 16 : 8;
    if (bytes.toString('latin1', at + 4, at + 8) === CODESTREAM_BOX) return at + header;
    const length = short === 1 && at + 16 <= bytes.length ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    if (length < header) return undefined;
    at += length;
  }
  return undefined;
}

export async function readJpeg2000(path: string): Promise<PixelSize & { readonly bytes: Buffer }> {
  if ((await stat(path)).size > LARGEST_FILE) throw new InspectionError('too_large');
  const bytes = await readFile(path);
  const size = jpeg2000Size(bytes);
  if (!size) throw new InspectionError('unreadable');
  return { ...size, bytes };
}

/** The picture in sRGB with alpha, at most so large: the renderer of documents decodes JPEG 2000, so the picture is shown to it as a page. */
export async function decodeJpeg2000(bytes: Buffer, size: PixelSize): Promise<UprightPicture> {
  const picture = await documentPicture(pageWith(bytes, size), size);
  // What cannot be decoded leaves the page empty.
  for (let at = 3; at < picture.data.length; at += 4) if (picture.data[at] !== 0) return picture;
  throw new InspectionError('damaged');
}

/** A document of one page that is the picture. */
function pageWith(picture: Buffer, { width, height }: PixelSize): Buffer {
  const drawn = `q ${width} 0 0 ${height} 0 0 cm /P Do Q`;
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Resources<</XObject<</P 5 0 R>>>>/Contents 4 0 R>>`),
    stream('', Buffer.from(drawn)),
    stream(`/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/Filter/JPXDecode`, picture),
  ];
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [at, body] of objects.entries()) {
    const object = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    offsets.push(length);
    parts.push(object);
    length += object.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}

const stream = (entries: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<<${entries}/Length ${content.length}>>\nstream\n`), content, Buffer.from('\nendstream')]);
