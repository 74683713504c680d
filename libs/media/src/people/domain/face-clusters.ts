import type { FaceState } from './face';

/** A face as far as it is sorted. */
export interface SortedFace {
  readonly id: string;
  readonly file: string;
  readonly vector: Float32Array;
  /** Embeddings of different models are never compared. */
  readonly model: string | null;
  readonly person: string | null;
  readonly state: FaceState;
  readonly decided: boolean;
  /** Found or changed since faces were last sorted. */
  readonly fresh: boolean;
  /** When the photo was taken; null where nobody knows. */
  readonly taken: string | null;
}

/** A person as far as faces are sorted to it. */
export interface KnownPerson {
  readonly id: string;
  readonly born: string | null;
  /** Who refused to be shown is recognised no further. */
  readonly refused: boolean;
}

export interface NearPerson {
  readonly person: string;
  readonly distance: number;
}

/** What sorting comes to for one face. */
export type Verdict =
  | { readonly face: string; readonly state: 'assigned'; readonly person: string }
  | { readonly face: string; readonly state: 'suggested'; readonly near: readonly NearPerson[] }
  | { readonly face: string; readonly state: 'unassigned' };

export interface Sorting {
  readonly verdicts: readonly Verdict[];
  /** People who were not known before, by the ids given to them. */
  readonly people: readonly string[];
}

const SURE = 0.45;
const LIKELY = 0.55;
const NEAREST = 3;
const SMALLEST_GROUP = 3;
const MOST_SUGGESTED = 5;

interface Entry extends SortedFace {
  now: { state: FaceState; person: string | null; near: readonly NearPerson[] };
}

/**
 * Sorts faces to people: near enough to a person's nearest faces is that person, three that are near each other are
 * somebody new. Faces are looked at in the order of their ids and only where something is fresh, so that the same faces
 * end the same and one more face costs one comparison with all the others. What people decided is never touched.
 */
export class FaceClusters {
  private readonly entries: readonly Entry[];
  private readonly byPerson = new Map<string, Entry[]>();
  private readonly peopleIn = new Map<string, Set<string>>();
  private readonly pending = new Map<string, Entry>();
  private readonly touched = new Map<string, Entry>();
  private readonly made = new Set<string>();

  constructor(
    faces: readonly SortedFace[],
    private readonly people: ReadonlyMap<string, KnownPerson>,
    private readonly rejected: ReadonlyMap<string, ReadonlySet<string>>,
    private readonly nextId: () => string,
  ) {
    this.entries = [...faces]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((face) => ({ ...face, now: { state: face.state, person: face.person, near: [] } }));
    for (const entry of this.entries) {
      if (entry.person !== null) this.keep(entry, entry.person);
      else if (!entry.decided && entry.state !== 'ignored') this.pending.set(entry.id, entry);
    }
  }

  /** Sorts a face at a time: among very many faces one comparison takes milliseconds, and the caller may do something else in between. */
  *sortStepwise(): Generator<void, Sorting, void> {
    const queue = this.entries.filter(({ fresh }) => fresh);
    for (let at = 0; at < queue.length; at++) {
      const entry = queue[at];
      if (!entry) continue;
      if (this.pending.has(entry.id)) queue.push(...this.settle(entry));
      else if (entry.now.person !== null) yield* this.settleNear(entry, queue);
      yield;
    }
    return { verdicts: [...this.touched.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).map(verdictOf), people: [...this.made] };
  }

  /** Who waits near a face that belongs to somebody is looked at again. */
  private *settleNear(entry: Entry, queue: Entry[]): Generator<void, void, void> {
    for (const near of this.waitingNear(entry)) {
      if (!this.pending.has(near.id)) continue;
      queue.push(...this.settle(near));
      yield;
    }
  }

  /** Looks once at a face that waits; the faces that belong to somebody because of it. */
  private settle(entry: Entry): Entry[] {
    this.touched.set(entry.id, entry);
    const near = this.peopleNear(entry);
    const [first] = near;
    if (first && first.distance <= SURE) {
      this.give(entry, first.person);
      return [entry];
    }
    entry.now = { state: near.length > 0 ? 'suggested' : 'unassigned', person: null, near: near.slice(0, MOST_SUGGESTED) };
    return near.length > 0 ? [] : this.group(entry);
  }

  /** People at a distance that says something, nearest first. */
  private peopleNear(entry: Entry): NearPerson[] {
    const near: NearPerson[] = [];
    for (const [person, faces] of this.byPerson) {
      if (!this.mayBe(entry, person)) continue;
      const distance = nearestMean(entry, faces);
      if (distance <= LIKELY) near.push({ person, distance });
    }
    return near.sort((a, b) => a.distance - b.distance || (a.person < b.person ? -1 : 1));
  }

  private mayBe(entry: Entry, person: string): boolean {
    if (this.peopleIn.get(entry.file)?.has(person) || this.rejected.get(entry.id)?.has(person)) return false;
    const known = this.people.get(person);
    if (!known) return this.made.has(person);
    return !known.refused && !(known.born !== null && entry.taken !== null && entry.taken.slice(0, 10) < known.born);
  }

  /** Somebody new, when enough unassigned faces of different files are near each other. */
  private group(entry: Entry): Entry[] {
    const together = [entry];
    for (const other of this.pending.values()) {
      if (other.now.state !== 'unassigned' || together.some((one) => one.id === other.id || one.file === other.file)) continue;
      if (together.every((one) => distanceOf(one, other) <= SURE)) together.push(other);
    }
    if (together.length < SMALLEST_GROUP) return [];
    const person = this.nextId();
    this.made.add(person);
    for (const one of together) {
      this.touched.set(one.id, one);
      this.give(one, person);
    }
    return together;
  }

  private give(entry: Entry, person: string): void {
    entry.now = { state: 'assigned', person, near: [] };
    this.pending.delete(entry.id);
    this.keep(entry, person);
  }

  private keep(entry: Entry, person: string): void {
    listIn(this.byPerson, person).push(entry);
    const there = this.peopleIn.get(entry.file) ?? new Set();
    this.peopleIn.set(entry.file, there.add(person));
  }

  private waitingNear(entry: Entry): Entry[] {
    return [...this.pending.values()].filter((other) => distanceOf(entry, other) <= LIKELY);
  }
}

function verdictOf({ id, now }: Entry): Verdict {
  if (now.person !== null) return { face: id, state: 'assigned', person: now.person };
  return now.near.length > 0 ? { face: id, state: 'suggested', near: now.near } : { face: id, state: 'unassigned' };
}

/** The mean distance to the nearest three of a person's faces, or to all where there are fewer. */
function nearestMean(entry: Entry, faces: readonly Entry[]): number {
  const nearest: number[] = [];
  for (const face of faces) {
    const distance = distanceOf(entry, face);
    if (nearest.length === NEAREST && distance >= (nearest[NEAREST - 1] ?? 0)) continue;
    nearest.push(distance);
    nearest.sort((a, b) => a - b);
    nearest.length = Math.min(nearest.length, NEAREST);
  }
  return nearest.reduce((sum, distance) => sum + distance, 0) / nearest.length;
}

/** One minus the cosine; both vectors have the length one. Four sums at a time, because one sum alone waits for itself. */
function distanceOf(one: Pick<SortedFace, 'vector' | 'model'>, other: Pick<SortedFace, 'vector' | 'model'>): number {
  if (one.model !== other.model) return 2;
  const [a, b] = [one.vector, other.vector];
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let at = 0;
  for (; at + 3 < a.length; at += 4) {
    first += (a[at] as number) * (b[at] as number);
    second += (a[at + 1] as number) * (b[at + 1] as number);
    third += (a[at + 2] as number) * (b[at + 2] as number);
    fourth += (a[at + 3] as number) * (b[at + 3] as number);
  }
  for (; at < a.length; at++) first += (a[at] as number) * (b[at] as number);
  return 1 - (first + second + third + fourth);
}

function listIn<T>(map: Map<string, T[]>, key: string): T[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
