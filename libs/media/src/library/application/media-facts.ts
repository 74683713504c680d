import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import type { JsonObject } from '@atrium/platform/kernel';
import type { LibraryFileRow } from '@atrium/files';

/** Somebody on a picture. */
export interface PersonOnFile {
  readonly person_id: string;
  readonly person_name: string | null;
  readonly face_id: string;
}

/** The latest that was found out about a file by one schema. */
export interface AnalysisOfFile {
  readonly fa_id: string;
  readonly fa_schema: string;
  /** Null when the schema is gone. */
  readonly mas_name: string | null;
  readonly fa_status: string;
  readonly fa_result: JsonObject;
  readonly fa_updated: string;
}

/** A state that the caller may give a file next, and what that takes. */
export interface NextStatus {
  readonly file_status: string;
  readonly label: string;
  readonly requires_comment: boolean;
  /** Groups of which the file needs a tag, and does not have one yet. */
  readonly missing_tags: readonly string[];
}

/** How a file is published. */
export interface PublicationOfFile {
  readonly pub_id: string;
  readonly pub_state: string;
  readonly pub_version: number;
  readonly pub_url: string | null;
  readonly pub_start: string | null;
  readonly pub_end: string | null;
}

/** What single reads of a library file tell besides its row. */
export interface MediaFactsOfFile {
  readonly people: readonly PersonOnFile[];
  readonly analyses: readonly AnalysisOfFile[];
  readonly next_statuses: readonly NextStatus[];
  readonly publication: PublicationOfFile | null;
}

export type MediaFactName = keyof MediaFactsOfFile;

type FactReader<N extends MediaFactName> = (caller: Principal, file: LibraryFileRow) => Promise<MediaFactsOfFile[N]>;

const UNTOLD: MediaFactsOfFile = { people: [], analyses: [], next_statuses: [], publication: null };

/**
 * What other areas and contexts know of one library file: each registers, at start, for one fact. Tellers run within
 * the unit of work that reads the file and in a constant number of statements.
 */
@Injectable()
export class MediaFacts {
  private readonly tellers = new Map<MediaFactName, FactReader<MediaFactName>>();

  register<N extends MediaFactName>(name: N, teller: FactReader<N>): void {
    if (this.tellers.has(name)) throw new Error(`Two contexts tell the fact ${name} of library files.`);
    this.tellers.set(name, teller);
  }

  /** All facts; facts without a source are empty. */
  async readFacts(caller: Principal, file: LibraryFileRow): Promise<MediaFactsOfFile> {
    const told = await Promise.all([...this.tellers].map(async ([name, teller]) => [name, await teller(caller, file)] as const));
    return { ...UNTOLD, ...Object.fromEntries(told) };
  }
}
