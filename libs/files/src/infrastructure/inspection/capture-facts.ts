import exifr from 'exifr';
import type { CaptureFacts } from './inspection';

type Tags = Readonly<Record<string, unknown>>;
type Blocks = Readonly<Record<string, Tags | undefined>>;

const OPTIONS = {
  tiff: true, exif: true, gps: true, iptc: true, xmp: true, ifd1: false, interop: false, icc: false, jfif: false,
  ihdr: false, makerNote: false, userComment: false, mergeOutput: false, reviveValues: false,
} as const;

/** When, where and with what a picture was taken, from its EXIF, XMP and IPTC data; what makes no sense is left out. */
export async function captureFacts(input: string | Buffer | undefined, now = new Date()): Promise<CaptureFacts> {
  const blocks = input === undefined ? undefined : await blocksOf(input);
  if (!blocks) return {};
  const facts: CaptureFacts = { taken: takenOf(blocks, now), camera: cameraOf(blocks), lens: lensOf(blocks), gps: placeOf(blocks) };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** Metadata is an extra: whatever is wrong with it must not cost the picture its renditions. */
async function blocksOf(input: string | Buffer): Promise<Blocks | undefined> {
  const start = typeof input !== 'string' && input.subarray(0, 6).toString('latin1') === 'Exif\0\0' ? input.subarray(6) : input;
  try {
    return (await exifr.parse(start, OPTIONS)) as Blocks | undefined;
  } catch {
    return undefined;
  }
}

function takenOf({ exif, xmp, photoshop, iptc }: Blocks, now: Date): string | undefined {
  const candidates: readonly [unknown, unknown][] = [
    [exif?.['DateTimeOriginal'], exif?.['OffsetTimeOriginal'] ?? exif?.['OffsetTime']],
    [exif?.['CreateDate'], exif?.['OffsetTimeDigitized'] ?? exif?.['OffsetTime']],
    [exif?.['DateTimeDigitized'], undefined],
    [photoshop?.['DateCreated'], undefined],
    [xmp?.['CreateDate'], undefined],
    [iptcTime(iptc), undefined],
  ];
  for (const [value, offset] of candidates) {
    const taken = instantOf(value, offset);
    if (taken && isSane(taken, now)) return taken.toISOString();
  }
  return undefined;
}

const TIME = /^(\d{4})[:-](\d{2})[:-](\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?)?\s*(Z|[+-]\d{2}:\d{2})?$/;

/** EXIF writes `2015:04:10 20:12:23`, XMP `2015-04-10T20:12:23+02:00`; both may stop at the day. */
function instantOf(value: unknown, offset: unknown): Date | undefined {
  const match = typeof value === 'string' ? TIME.exec(value.replaceAll('\0', '').trim()) : null;
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', zone] = match;
  const wall = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}`;
  // A day that the calendar does not have rolls over to another one.
  const local = new Date(`${wall}Z`);
  if (Number.isNaN(local.getTime()) || local.toISOString() !== `${wall}Z`) return undefined;
  const declared = typeof offset === 'string' && /^[+-]\d{2}:\d{2}$/.test(offset.trim()) ? offset.trim() : 'Z';
  const instant = new Date(`${wall}${zone ?? declared}`);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

function iptcTime(iptc: Tags | undefined): string | undefined {
  const day = /^(\d{4})(\d{2})(\d{2})$/.exec(digitsOf(iptc?.['DateCreated']));
  if (!day) return undefined;
  const time = /^(\d{2})(\d{2})(\d{2})(?:([+-]\d{2})(\d{2}))?$/.exec(digitsOf(iptc?.['TimeCreated']));
  const date = `${day[1]}-${day[2]}-${day[3]}`;
  if (!time) return date;
  return `${date}T${time[1]}:${time[2]}:${time[3]}${time[4] ? `${time[4]}:${time[5]}` : ''}`;
}

const digitsOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** No photograph is older than photography or newer than tomorrow; the epoch itself is a clock never set. */
const isSane = (taken: Date, now: Date): boolean =>
  taken.getUTCFullYear() >= 1826 && taken.getTime() <= now.getTime() + 86_400_000 && taken.getTime() !== 0;

function cameraOf({ ifd0, tiff }: Blocks): string | undefined {
  const make = wordsOf(ifd0?.['Make'] ?? tiff?.['Make']);
  const model = wordsOf(ifd0?.['Model'] ?? tiff?.['Model']);
  if (!make || !model) return model ?? make;
  const brand = make.split(' ')[0] ?? make;
  return model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${make} ${model}`;
}

const lensOf = ({ exif, aux, exifEX }: Blocks): string | undefined => wordsOf(exif?.['LensModel'] ?? exifEX?.['LensModel'] ?? aux?.['Lens']);

function wordsOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const words = value.replace(/[\p{Cc}\p{Cs}\p{Cf}]+/gu, ' ').replace(/\s+/g, ' ').trim().slice(0, 120);
  return words === '' ? undefined : words;
}

/** A place on Earth; the point where equator and zero meridian meet is what a receiver without a fix writes. */
function placeOf({ gps, exif }: Blocks): { lat: number; lng: number } | undefined {
  const lat = degreesOf(gps?.['latitude'] ?? exif?.['GPSLatitude']);
  const lng = degreesOf(gps?.['longitude'] ?? exif?.['GPSLongitude']);
  if (lat === undefined || lng === undefined) return undefined;
  if (Math.abs(lat) > 90 || Math.abs(lng) > 180 || (lat === 0 && lng === 0)) return undefined;
  return { lat, lng };
}

/** A number of degrees, or the way XMP writes them: `48,51.5N` or `48,51,30N`. */
function degreesOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? rounded(value) : undefined;
  const match = typeof value === 'string' ? /^(\d{1,3}),(\d{1,2}(?:\.\d+)?)(?:,(\d{1,2}(?:\.\d+)?))?([NSEW])$/.exec(value) : null;
  if (!match) return undefined;
  const degrees = Number(match[1]) + Number(match[2]) / 60 + Number(match[3] ?? 0) / 3600;
  return rounded(/[SW]/.test(match[4] ?? '') ? -degrees : degrees);
}

const rounded = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;
