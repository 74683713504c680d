import { takenOf } from './capture-time';
import type { CaptureFacts } from './inspection';
import type { PictureNotes } from './picture-notes';

/** When, where, with what and how a picture was taken; what makes no sense is left out. */
export function captureFacts(notes: PictureNotes, now = new Date()): CaptureFacts {
  const facts: CaptureFacts = {
    ...takenOf(notes, now),
    camera: cameraOf(notes),
    lens: wordsOf(notes.blocks.exif?.['LensModel'] ?? notes.xmp.get('exifEX:LensModel')?.[0] ?? notes.xmp.get('aux:Lens')?.[0]),
    gps: placeOf(notes),
    altitude: altitudeOf(notes),
    iso: within(isoOf(notes), 1, 10_000_000, 0),
    exposure: within(amountOf(notes, 'ExposureTime'), 1e-7, 1e6, 7),
    aperture: within(amountOf(notes, 'FNumber'), 0.1, 1_000, 2),
    focal_length: within(amountOf(notes, 'FocalLength'), 0.1, 100_000, 2),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

function cameraOf({ blocks: { ifd0 }, xmp }: PictureNotes): string | undefined {
  const make = wordsOf(ifd0?.['Make'] ?? xmp.get('tiff:Make')?.[0]);
  const model = wordsOf(ifd0?.['Model'] ?? xmp.get('tiff:Model')?.[0]);
  return cameraName(make, model);
}

/** The maker is not repeated where the model names it. */
export function cameraName(make: string | undefined, model: string | undefined): string | undefined {
  if (!make || !model) return model ?? make;
  const brand = make.split(' ')[0] ?? make;
  return model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${make} ${model}`;
}

export function wordsOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const words = value
    .replace(/[\p{Cc}\p{Cs}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120);
  return words === '' ? undefined : words;
}

const isoOf = ({ blocks: { exif }, xmp }: PictureNotes): number | undefined =>
  numberOf([exif?.['ISO'] ?? exif?.['PhotographicSensitivity']].flat()[0]) ??
  numberOf(xmp.get('exif:ISOSpeedRatings')?.[0] ?? xmp.get('exifEX:PhotographicSensitivity')?.[0]);

const amountOf = ({ blocks: { exif }, xmp }: PictureNotes, name: string): number | undefined =>
  numberOf(exif?.[name]) ?? numberOf(xmp.get(`exif:${name}`)?.[0]);

/** A number, or a fraction as XMP writes it. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const parts = typeof value === 'string' ? /^\s*(-?\d+(?:\.\d+)?)(?:\/(\d+))?\s*$/.exec(value) : null;
  return parts ? Number(parts[1]) / Number(parts[2] ?? 1) : undefined;
}

function within(value: number | undefined, min: number, max: number, decimals: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? Number(value.toFixed(decimals)) : undefined;
}

/** Meters above the sea. */
function altitudeOf({ blocks: { gps }, xmp }: PictureNotes): number | undefined {
  const meters = numberOf(gps?.['GPSAltitude']) ?? numberOf(xmp.get('exif:GPSAltitude')?.[0]);
  if (meters === undefined || !Number.isFinite(meters)) return undefined;
  const [below] = Object.values(gps?.['GPSAltitudeRef'] ?? xmp.get('exif:GPSAltitudeRef')?.[0] ?? '') as unknown[];
  const sign = String(below) === '1' ? -1 : 1;
  return within(sign * meters, -12_000, 1e6, 2);
}

/** A place on Earth; the point where equator and zero meridian meet is what a receiver without a fix writes. */
function placeOf({ blocks: { gps }, xmp }: PictureNotes): { lat: number; lng: number } | undefined {
  const lat = degreesOf(gps?.['latitude'] ?? xmp.get('exif:GPSLatitude')?.[0]);
  const lng = degreesOf(gps?.['longitude'] ?? xmp.get('exif:GPSLongitude')?.[0]);
  return pointOf(lat, lng);
}

export function pointOf(lat: number | undefined, lng: number | undefined): { lat: number; lng: number } | undefined {
  if (lat === undefined || lng === undefined) return undefined;
  if (Math.abs(lat) > 90 || Math.abs(lng) > 180 || (lat === 0 && lng === 0)) return undefined;
  return { lat, lng };
}

/** A number of degrees, or as XMP writes them: `48,51.5N` or `48,51,30N`. */
function degreesOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? rounded(value) : undefined;
  const match = typeof value === 'string' ? /^(\d{1,3}),(\d{1,2}(?:\.\d+)?)(?:,(\d{1,2}(?:\.\d+)?))?([NSEW])$/.exec(value) : null;
  if (!match) return undefined;
  const degrees = Number(match[1]) + Number(match[2]) / 60 + Number(match[3] ?? 0) / 3600;
  return rounded(/[SW]/.test(match[4] ?? '') ? -degrees : degrees);
}

const rounded = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;
