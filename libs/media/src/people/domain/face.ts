import { Choice, Decimal, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import { invalidField, invalidState, isObject, type Clock, type JsonObject } from '@atrium/platform/kernel';

export const FACE_STATES = ['unassigned', 'suggested', 'assigned', 'ignored'] as const;
export const FACE_SOURCES = ['detected', 'manual'] as const;

export type FaceState = (typeof FACE_STATES)[number];
export type FaceSource = (typeof FACE_SOURCES)[number];

/** Where a face is on the upright picture, as shares of its width and height. */
export interface FaceBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Faces of one file at most. */
export const MOST_FACES = 200;
const SMALLEST = 0.01;
const EXACT = 1e6;

/**
 * A face in a file of the library, found by a machine or marked by people. What people decided about it no machine
 * changes; it belongs to at most one person, and to one that no other face of the file belongs to.
 */
@Resource({ table: 'face', sort: '-face_created' })
export class Face extends TenantRow {
  @Id({ about: 'Id of the face.' }) readonly face_id!: string;
  @Ref({ about: 'File that contains the face. Cannot be changed.', filter: 'equals' }) readonly face_file!: string;
  @Ref({ optional: true, about: 'Person the face is assigned to.', filter: 'equals' }) face_person!: string | null;
  @Json({
    about: 'Position in the upright picture: `{x, y, width, height}`, each between 0 and 1.',
    example: { x: 0.31, y: 0.22, width: 0.12, height: 0.18 },
  })
  face_box!: FaceBox;
  @Decimal({ column: 'real', about: 'Confidence that it is a face, 0 to 1; 1 for faces marked by people.', example: 0.98 })
  face_confidence!: number;
  @Choice(FACE_STATES, { about: 'State: assigned to a person, suggested to be one, neither, or ignored.', filter: 'equals' })
  face_state!: FaceState;
  @Choice(FACE_SOURCES, { about: 'Whether a member or a recognition provider found the face.', filter: 'equals' })
  readonly face_source!: FaceSource;
  @Ref({ optional: true, about: 'User who assigned the face. Null if it was assigned automatically or not at all.' }) face_decided_by!:
    string | null;
  @Stamp({ about: 'When the face was found.', filter: 'range', sort: true }) face_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) face_updated!: Date;
  @Text({ internal: true, optional: true }) face_model!: string | null;
  @Text({ internal: true, optional: true }) face_crop!: string | null;
  @Flag({ internal: true }) face_decided!: boolean;
  @Flag({ internal: true }) face_clustered!: boolean;
  @Flag({ internal: true }) face_erased!: boolean;
  @Flag({ internal: true }) face_hidden!: boolean;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<Face, 'face_id' | 'face_file' | 'face_box' | 'face_decided_by'>, now: Date): Face {
    return Object.assign(new Face(), {
      face_person: null,
      face_confidence: 1,
      face_state: 'unassigned' as const,
      face_source: 'manual' as const,
      face_decided: true,
      face_model: null,
      face_crop: null,
      face_clustered: false,
      face_erased: false,
      face_hidden: false,
      face_created: now,
      face_updated: now,
      ...facts,
    });
  }

  /** People say whose face it is. */
  assign(person: string, by: string, clock: Clock): void {
    this.decide('assigned', person, by, clock);
  }

  /** It is nobody known, or no longer the one it was taken for. */
  unassign(by: string, clock: Clock): void {
    this.decide('unassigned', null, by, clock);
  }

  /** It is not of interest, and stays so when faces are looked for again. */
  ignore(by: string, clock: Clock): void {
    this.decide('ignored', null, by, clock);
  }

  /** Only who marked a face knows better where it is. */
  move(box: FaceBox, clock: Clock): void {
    if (this.face_source !== 'manual') throw invalidState('Only faces marked by hand can be moved; this one was detected automatically.');
    this.face_box = { ...box };
    this.face_crop = null;
    this.face_updated = clock.now();
  }

  private decide(state: FaceState, person: string | null, by: string, clock: Clock): void {
    this.face_state = state;
    this.face_person = person;
    this.face_decided = true;
    this.face_decided_by = by;
    this.face_clustered = false;
    this.face_updated = clock.now();
  }
}

/** A box as people write it; outside the picture, or too small to see anything, is a fault of the request. */
export function readBox(value: unknown, path = 'face_box'): FaceBox {
  const given: JsonObject = isObject(value) ? value : {};
  const part = (name: keyof FaceBox): number => {
    const number = given[name];
    if (typeof number !== 'number' || number < 0 || number > 1)
      throw invalidField(`${path}.${name}`, 'must be a number between 0 and 1', 'range');
    return rounded(number);
  };
  const box = { x: part('x'), y: part('y'), width: part('width'), height: part('height') };
  for (const name of ['width', 'height'] as const)
    if (box[name] < SMALLEST) throw invalidField(`${path}.${name}`, 'must be at least 0.01 (one hundredth of the picture)', 'too_small');
  if (box.x + box.width > 1 + 1 / EXACT || box.y + box.height > 1 + 1 / EXACT)
    throw invalidField(path, 'must be within the picture', 'range');
  return box;
}

/** What a machine found, cut to the picture; null where nothing of it is in the picture. */
export function clampedBox({ x, y, width, height }: FaceBox): FaceBox | null {
  const [left, top, right, bottom] = [x, y, x + width, y + height].map((value) => Math.min(1, Math.max(0, value))) as [
    number,
    number,
    number,
    number,
  ];
  const box = { x: rounded(left), y: rounded(top), width: rounded(right - left), height: rounded(bottom - top) };
  return box.width > 0 && box.height > 0 ? box : null;
}

/** How much of two boxes is common, of all that they cover. */
export function overlapOf(one: FaceBox, other: FaceBox): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / (one.width * one.height + other.width * other.height - width * height);
}

const rounded = (value: number): number => Math.round(value * EXACT) / EXACT;
