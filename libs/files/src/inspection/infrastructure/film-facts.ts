import { cameraName, pointOf, wordsOf } from './capture-facts';
import { takenAt } from './capture-time';
import type { CaptureFacts } from './inspection';

/** Where phones write the place: `+40.4469-003.7247+639.588/`. */
const PLACE = /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)([+-]\d{1,6}(?:\.\d+)?)?/;

/** When, where and with what a film was taken, from the notes of its container by their names. */
export function filmFacts(tags: Readonly<Record<string, unknown>>, now = new Date()): CaptureFacts {
  const said = (name: string): string | undefined => wordsOf(tags[`com.apple.quicktime.${name}`] ?? tags[name]);
  const place = PLACE.exec(said('location.ISO6709') ?? said('location') ?? '');
  const [lat, lng, altitude] = place ? place.slice(1).map((part) => (part === undefined ? undefined : Number(part))) : [];
  const gps = pointOf(lat, lng);
  const taken = takenAt(said('creationdate'), now);
  const facts: CaptureFacts = {
    ...(taken.taken === undefined ? withoutZone(takenAt(said('creation_time'), now)) : taken),
    camera: cameraName(said('make'), said('model')),
    gps,
    altitude: gps && altitude,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** The usual note is in UTC by the book and in the camera's own time by habit: its zone says nothing of where it was. */
const withoutZone = ({ taken, taken_local }: CaptureFacts): CaptureFacts => (taken === undefined ? {} : { taken, taken_local });
