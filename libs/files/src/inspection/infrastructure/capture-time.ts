import type { CaptureFacts } from './inspection';
import type { PictureNotes } from './picture-notes';

/** What a clock showed, and how far it was ahead of UTC, where it says so. */
interface Reading {
  /** `2024-05-17T08:30:00.120`. */
  readonly local: string;
  readonly zone: string | undefined;
}

const TIME = /^(\d{4})[:-](\d{2})[:-](\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/;
const SECOND = 'YYYY-MM-DDTHH:MM:SS'.length;

/**
 * The moment of capture, as the camera's clock showed it and as an instant. A clock that names no zone is believed where
 * another note has the same time with one; else its time is read as UTC and `taken_zone` is absent.
 */
export function takenOf(
  { blocks: { exif }, xmp, iptc }: PictureNotes,
  now: Date,
): Pick<CaptureFacts, 'taken' | 'taken_local' | 'taken_zone'> {
  const said = (name: string): string | undefined => xmp.get(name)?.[0];
  const readings = [
    readingOf(exif?.['DateTimeOriginal'], {
      zone: exif?.['OffsetTimeOriginal'] ?? exif?.['OffsetTime'],
      fraction: exif?.['SubSecTimeOriginal'],
    }),
    readingOf(said('exif:DateTimeOriginal'), { zone: said('exifEX:OffsetTimeOriginal') }),
    readingOf(exif?.['CreateDate'] ?? exif?.['DateTimeDigitized'], {
      zone: exif?.['OffsetTimeDigitized'] ?? exif?.['OffsetTime'],
      fraction: exif?.['SubSecTimeDigitized'],
    }),
    readingOf(said('exif:DateTimeDigitized')),
    readingOf(said('photoshop:DateCreated')),
    readingOf(said('xmp:CreateDate')),
    readingOf(iptcTime(iptc.values.get(55)?.[0], iptc.values.get(60)?.[0])),
  ].filter((reading) => reading !== undefined);
  const found = readings.find((reading) => isSane(instantOf(reading), now));
  if (!found) return {};
  const zone =
    found.zone ?? readings.find((other) => other.zone !== undefined && other.local.slice(0, SECOND) === found.local.slice(0, SECOND))?.zone;
  return capturedAt({ local: found.local, zone });
}

/** A moment in one text, such as that of a film: `2021-04-11T20:47:53+0200`. */
export function takenAt(text: unknown, now: Date): Pick<CaptureFacts, 'taken' | 'taken_local' | 'taken_zone'> {
  const reading = readingOf(text);
  return reading && isSane(instantOf(reading), now) ? capturedAt(reading) : {};
}

const capturedAt = (reading: Reading): Pick<CaptureFacts, 'taken' | 'taken_local' | 'taken_zone'> => ({
  taken: instantOf(reading).toISOString(),
  taken_local: reading.local,
  ...(reading.zone === undefined ? {} : { taken_zone: reading.zone }),
});

/** EXIF writes `2015:04:10 20:12:23`, XMP `2015-04-10T20:12:23+02:00`; both may stop at the day. */
function readingOf(value: unknown, { zone, fraction }: { readonly zone?: unknown; readonly fraction?: unknown } = {}): Reading | undefined {
  const match = typeof value === 'string' ? TIME.exec(value.replaceAll('\0', '').trim()) : null;
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', inside, written] = match;
  const digits =
    inside ??
    /^[\s\0]*(\d{1,9})[\s\0]*$/.exec(typeof fraction === 'string' || typeof fraction === 'number' ? String(fraction) : '')?.[1] ??
    '';
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${digits.slice(0, 3).padEnd(3, '0')}`;
  // A day that the calendar does not have rolls over to another one.
  const wall = new Date(`${local}Z`);
  if (Number.isNaN(wall.getTime()) || wall.toISOString() !== `${local}Z`) return undefined;
  return { local, zone: zoneOf(written) ?? zoneOf(zone) };
}

/** `+02:00`, up to the farthest clocks there are. */
function zoneOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.replaceAll('\0', '').trim() : '';
  if (text === 'Z') return '+00:00';
  const match = /^([+-])(\d{2}):?([0-5]\d)$/.exec(text);
  return match && Number(match[2]) * 60 + Number(match[3]) <= 14 * 60 ? `${match[1]}${match[2]}:${match[3]}` : undefined;
}

const instantOf = ({ local, zone }: Reading): Date => new Date(`${local}${zone ?? 'Z'}`);

function iptcTime(date: string | undefined, time: string | undefined): string | undefined {
  const day = /^(\d{4})(\d{2})(\d{2})$/.exec(date ?? '');
  if (!day) return undefined;
  const clock = /^(\d{2})(\d{2})(\d{2})([+-]\d{4})?$/.exec(time ?? '');
  return `${day[1]}-${day[2]}-${day[3]}${clock ? `T${clock[1]}:${clock[2]}:${clock[3]}${clock[4] ?? ''}` : ''}`;
}

/** No photograph is older than photography or newer than tomorrow; the epoch itself is a clock never set. */
const isSane = (taken: Date, now: Date): boolean =>
  taken.getUTCFullYear() >= 1826 && taken.getTime() <= now.getTime() + 86_400_000 && taken.getTime() !== 0;
