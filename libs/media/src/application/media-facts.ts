import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import type { JsonObject } from '@atrium/platform/kernel';
import type { LibraryFileRow } from '@atrium/files';

/** What single reads of a library file tell besides its row, and what they tell while nobody knows it. */
const UNTOLD = {
  /** The people on it: `{person_id, person_name, face_id}`. */
  people: [] as readonly JsonObject[],
  /** The latest analysis of each schema. */
  analyses: [] as readonly JsonObject[],
  /** The statuses it may go to from here, for the caller. */
  next_statuses: [] as readonly JsonObject[],
  /** How it is published; null when it is not. */
  publication: null as JsonObject | null,
};

export type MediaFactsOfFile = typeof UNTOLD;

export type MediaFactName = keyof MediaFactsOfFile;

type Teller<N extends MediaFactName> = (caller: Principal, file: LibraryFileRow) => Promise<MediaFactsOfFile[N]>;

/**
 * What other areas and contexts know of one library file: each registers, at start, for one fact. Tellers run within
 * the unit of work that reads the file and in a constant number of statements.
 */
@Injectable()
export class MediaFacts {
  private readonly tellers = new Map<MediaFactName, Teller<MediaFactName>>();

  register<N extends MediaFactName>(name: N, teller: Teller<N>): void {
    if (this.tellers.has(name)) throw new Error(`Two contexts tell the fact ${name} of library files.`);
    this.tellers.set(name, teller);
  }

  async of(caller: Principal, file: LibraryFileRow): Promise<MediaFactsOfFile> {
    const told = await Promise.all([...this.tellers].map(async ([name, teller]) => [name, await teller(caller, file)] as const));
    return { ...UNTOLD, ...Object.fromEntries(told) };
  }
}
