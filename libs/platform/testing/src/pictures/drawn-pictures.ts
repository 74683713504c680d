import sharp from 'sharp';
import { bitmapFile } from './bitmap-file';
import { landscapeDrawing } from './landscape-drawing';

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif' | 'gif' | 'bmp';

/** What a camera would have written into the picture. */
export interface CameraNotes {
  readonly make?: string;
  readonly model?: string;
  readonly lens?: string;
  /** As EXIF writes it: `2024:05:17 08:30:00`. */
  readonly taken?: string;
  /** `+02:00`; absent: a camera clock without a zone. */
  readonly zone?: string;
  /** The digits of a second behind its point. */
  readonly subSeconds?: string;
  readonly iso?: number;
  /** Fractions: `1/60` seconds, `28/10`, `35/1` millimeters. */
  readonly exposure?: string;
  readonly aperture?: string;
  readonly focalLength?: string;
  /** Meters above the sea. */
  readonly altitude?: number;
  readonly artist?: string;
  readonly description?: string;
  readonly gps?: { readonly lat: number; readonly lng: number };
  /** How the sensor was held; the drawing is stored turned, so that viewers who obey see it upright. */
  readonly orientation?: 1 | 3 | 6 | 8;
  /** An XMP packet, for pictures that have their facts there. */
  readonly xmp?: string;
}

export interface Drawing extends CameraNotes {
  /** As seen upright. */
  readonly width: number;
  readonly height: number;
  readonly format: PictureFormat;
  /** Another seed, another picture; the same seed, the same picture at every size. */
  readonly seed?: number;
}

/** By how much a picture is turned to be stored as the sensor was held. */
export const TURN_TO_STORE = { 1: 0, 3: 180, 6: 270, 8: 90 } as const;

/**
 * Draws a picture that has what photographs have: soft gradients, edges and many colors. Blue sky with a sun is at the top,
 * green ground at the bottom, so that a test can see which side is up.
 */
export async function drawPicture(drawing: Drawing): Promise<Buffer> {
  const { width, height, format, seed = 1, orientation = 1 } = drawing;
  const upright = sharp(Buffer.from(landscapeDrawing(width, height, seed))).removeAlpha();
  const stored = sharp(await upright.rotate(TURN_TO_STORE[orientation]).raw().toBuffer(), { raw: rawSize(drawing) });
  if (format === 'bmp') {
    const { data, info } = await stored.raw().toBuffer({ resolveWithObject: true });
    return bitmapFile(data, info.width, info.height);
  }
  return withCameraNotes(stored, drawing)
    .toFormat(format, format === 'jpeg' ? { quality: 92 } : {})
    .toBuffer();
}

function rawSize({ width, height, orientation = 1 }: Drawing): sharp.CreateRaw {
  return orientation === 6 || orientation === 8 ? { width: height, height: width, channels: 3 } : { width, height, channels: 3 };
}

/** The picture with what a camera would have written into it. */
export function withCameraNotes(picture: sharp.Sharp, notes: CameraNotes): sharp.Sharp {
  const exif = exifOf(notes);
  const withExif = Object.keys(exif).length > 0 ? picture.withExif(exif) : picture;
  const turned = notes.orientation === undefined ? withExif : withExif.withMetadata({ orientation: notes.orientation });
  return notes.xmp === undefined ? turned : turned.withXmp(notes.xmp);
}

function exifOf({ make, model, lens, taken, zone, gps, ...notes }: CameraNotes): sharp.Exif {
  const camera = entries({ Make: make, Model: model, Artist: notes.artist, ImageDescription: notes.description });
  const shot = entries({
    DateTimeOriginal: taken,
    OffsetTimeOriginal: zone,
    SubSecTimeOriginal: notes.subSeconds,
    LensModel: lens,
    ISOSpeedRatings: notes.iso?.toString(),
    ExposureTime: notes.exposure,
    FNumber: notes.aperture,
    FocalLength: notes.focalLength,
  });
  const height: Record<string, string> =
    notes.altitude === undefined ? {} : { GPSAltitudeRef: '0', GPSAltitude: `${Math.round(notes.altitude * 100)}/100` };
  const place = gps && {
    ...height,
    GPSLatitudeRef: gps.lat < 0 ? 'S' : 'N',
    GPSLatitude: sexagesimal(gps.lat),
    GPSLongitudeRef: gps.lng < 0 ? 'W' : 'E',
    GPSLongitude: sexagesimal(gps.lng),
  };
  return { ...(camera && { IFD0: camera }), ...(shot && { IFD2: shot }), ...(place && { IFD3: place }) };
}

function entries(tags: Readonly<Record<string, string | undefined>>): Record<string, string> | undefined {
  const given = Object.entries(tags).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** Degrees, minutes and ten-thousandths of seconds as the three fractions of EXIF. */
function sexagesimal(degrees: number): string {
  const parts = Math.round(Math.abs(degrees) * 3600 * 10_000);
  const seconds = parts % 600_000;
  const minutes = ((parts - seconds) / 600_000) % 60;
  return `${Math.floor(parts / 36_000_000)}/1 ${minutes}/1 ${seconds}/10000`;
}
