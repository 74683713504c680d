import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@atrium/platform/kernel';
import type { PersonSubject } from '../domain/person-subject';

/** What a column says of a person, and what becomes of it. */
export interface PersonColumn {
  readonly table: string;
  readonly column: string;
  /** `user`: the id of a member; `email`: an address; `mention`: text or JSON in which an address may stand. */
  readonly subject: 'user' | 'email' | 'mention';
  /** `delete`: the rows go; `anonymize`: the column is emptied, or the address taken out of it; `keep`: it stays. */
  readonly on_erase: 'delete' | 'anonymize' | 'keep';
  /** The reason, shown to everyone who asks what happened to the data. */
  readonly because: string;
  /** `mark`: the rows are about something else, so an export shows only that the person occurs there. Else the whole row. */
  readonly tells?: 'row' | 'mark';
  /** Columns of the table that no export shows: secrets, what identifies others, what is derived from other columns. */
  readonly hidden?: readonly string[];
}

/** What a context hands out as bytes. */
export interface PersonObject {
  /** A path in the archive, below `bytes/`. */
  readonly name: string;
  readonly key: string;
  readonly size: number;
  readonly modified: Date;
  /** The bytes are compressed already. */
  readonly stored: boolean;
}

/** What watches for the end of the worker and keeps the job in the meantime. */
export interface PersonRun {
  readonly signal: AbortSignal;
  heartbeat(): Promise<void>;
}

/** For a table that a context reads and changes itself, because its rows are reached by functions alone or mean more than their columns. */
export interface PersonTable {
  /** What of the table is the person's; without it the columns say. */
  readonly rows?: (subject: PersonSubject) => Promise<readonly JsonObject[]>;
  /** Does what the columns say; how many rows were changed. Doing it again changes nothing more. */
  readonly erase?: (subject: PersonSubject, run: PersonRun) => Promise<number>;
}

/**
 * Port for every context with columns that point to people. It is registered in the constructor of a provider, not when
 * the module is made ready: by then it is looked at whether anything is missing, before a request or a job is taken.
 */
export interface PersonData {
  readonly context: string;
  /** Lower goes first: a context before those whose rows its own refer to, and the membership itself last. */
  readonly order: number;
  readonly tables: readonly PersonColumn[];
  readonly own?: Readonly<Record<string, PersonTable>>;
  readonly objects?: {
    count(user_id: string): Promise<number>;
    list(user_id: string): AsyncIterable<PersonObject>;
  };
}

/** Everything in this installation that points to people, in the order in which contexts are processed. */
@Injectable()
export class PersonDataSources {
  private readonly sources: PersonData[] = [];

  register(source: PersonData): void {
    if (this.sources.some(({ context }) => context === source.context))
      throw new Error(`${source.context} registers the data of people twice.`);
    this.sources.push(source);
    this.sources.sort((a, b) => a.order - b.order);
  }

  all(): readonly PersonData[] {
    return this.sources;
  }

  columns(): readonly PersonColumn[] {
    return this.sources.flatMap(({ tables }) => tables);
  }
}

/** The tables of a context in the order in which they are processed, each with its columns. */
export function tablesOf({ tables }: PersonData): ReadonlyMap<string, readonly PersonColumn[]> {
  const byTable = new Map<string, PersonColumn[]>();
  for (const column of tables) byTable.set(column.table, [...(byTable.get(column.table) ?? []), column]);
  return byTable;
}
