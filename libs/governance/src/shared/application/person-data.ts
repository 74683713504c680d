import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import type { Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import type { PersonSubject } from '../domain/person-subject';

/** What a column says of a person, and what becomes of it. */
export interface PersonColumn {
  readonly table: string;
  readonly column: string;
  /** `user`: the id of a member; `email`: the address of a person, and nothing else. */
  readonly subject: 'user' | 'email';
  /** `delete`: the rows go; `anonymize`: the column is emptied; `keep`: it stays. */
  readonly on_erase: 'delete' | 'anonymize' | 'keep';
  /** The reason, shown to everyone who asks what happened to the data. */
  readonly because: string;
  /** `mark`: the rows are about something else, so an export shows only that the person occurs there. Else the whole row. */
  readonly tells?: 'row' | 'mark';
  /** Other columns that are emptied with this one: the name that was given with an address. */
  readonly along?: readonly string[];
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

/** The person as a caller, with the rights they have now; null for one who cannot act any more. */
export type PersonReader = Principal | null;

/** For a table that a context reads and changes itself, because its rows are reached by functions alone or mean more than their columns. */
export interface PersonTable {
  /** What of the table is the person's; without it the columns say. */
  readonly rows?: (subject: PersonSubject) => Promise<readonly JsonObject[]>;
  /** Rows of the table as an export hands them out: what the person could not read by the API is not in their archive either. */
  readonly shown?: (rows: readonly JsonObject[], subject: PersonSubject, reader: PersonReader) => Promise<readonly JsonObject[]>;
  /**
   * Condition on a row `r`: the person may read it now. Of other rows an export shows only ids, however much of them is the person's.
   * Without it the access list decides that is registered for the table (`AclSources`), else `listOpenTables` of its context.
   */
  readonly readable?: (reader: PersonReader) => Sql;
  /** Does what the columns say; how many rows were changed. Doing it again changes nothing more. */
  readonly erase?: (subject: PersonSubject, run: PersonRun) => Promise<number>;
  /** What `erase` counts are rows that went, whatever the columns say. */
  readonly deletes?: boolean;
  /** Texts of the table that `erase` redacts itself. */
  readonly texts?: readonly string[];
  /** Called in the unit of work that took the person out of texts of rows, with the primary keys of these rows without the workspace. */
  readonly redacted?: (keys: readonly (readonly string[])[]) => Promise<void>;
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
  /**
   * Texts and JSON, as `table.column`, in which address and name of a person stay, and why. Every other text of a workspace
   * is redacted without a word here, so that a new table or column is known to erasure from its first day.
   */
  readonly stays?: Readonly<Record<string, string>>;
  /**
   * Tables whose rows an export shows whole whatever the person may read now, and why: the rows are their own words or acts, and nobody
   * else writes in them. Of every other table it must be known which rows the person may read: by its access list, or `PersonTable.readable`.
   */
  readonly open?: Readonly<Record<string, string>>;
  readonly own?: Readonly<Record<string, PersonTable>>;
  readonly objects?: {
    count(user_id: string, reader: PersonReader): Promise<number>;
    /** Those alone that the person may read now. */
    list(user_id: string, reader: PersonReader): AsyncIterable<PersonObject>;
  };
}

/** Everything in this installation that points to people, in the order in which contexts are processed. */
@Injectable()
export class PersonDataSources {
  private readonly sources: PersonData[] = [];
  private readonly handled = new Map<string, PersonTable>();
  private readonly held = new Map<string, () => Sql>();

  register(source: PersonData): void {
    if (this.sources.some(({ context }) => context === source.context))
      throw new Error(`${source.context} registers the data of people twice.`);
    this.sources.push(source);
    this.sources.sort((a, b) => a.order - b.order);
  }

  /** For an area that reads and changes a table which its context has registered; also in a constructor. */
  registerTableHandler(table: string, own: PersonTable): void {
    this.handled.set(table, { ...this.handled.get(table), ...own });
  }

  /**
   * Legal holds reach rows of a table: an erasure leaves those as they are until the hold ends. `hold` is an expression over a row
   * `r`: the id of a hold in force that keeps it, or null.
   */
  registerHold(table: string, hold: () => Sql): void {
    this.held.set(table, hold);
  }

  /** The hold on a row `r` of a table; null where holds reach none of its rows. */
  holdOn(table: string): Sql | null {
    return this.held.get(table)?.() ?? null;
  }

  listSources(): readonly PersonData[] {
    return this.sources;
  }

  listColumns(): readonly PersonColumn[] {
    return this.sources.flatMap(({ tables }) => tables);
  }

  /** Why a text keeps address and name of a person; undefined for one that is redacted. */
  findReasonToStay(table: string, column: string): string | undefined {
    return this.sources.map(({ stays }) => stays?.[`${table}.${column}`]).find((reason) => reason !== undefined);
  }

  /** The texts that stay, as `table.column`. */
  listStayingTexts(): readonly string[] {
    return this.sources.flatMap(({ stays = {} }) => Object.keys(stays));
  }

  /** The tables whose rows are shown whole whatever the person may read now. */
  listOpenTables(): readonly string[] {
    return this.sources.flatMap(({ open = {} }) => Object.keys(open));
  }

  /** The tables of which exports show more than that the person occurs there. */
  listWholeTables(): readonly string[] {
    return [...new Set(this.listColumns().flatMap(({ table, tells }) => (tells === 'mark' ? [] : [table])))];
  }

  /** What a context does with a table beyond what columns say. */
  getOwnTable(table: string): PersonTable {
    return { ...this.sources.map(({ own }) => own?.[table]).find((one) => one !== undefined), ...this.handled.get(table) };
  }
}

/** The tables of a context in the order in which they are processed, each with its columns. */
export function tablesOf({ tables }: PersonData): ReadonlyMap<string, readonly PersonColumn[]> {
  const byTable = new Map<string, PersonColumn[]>();
  for (const column of tables) byTable.set(column.table, [...(byTable.get(column.table) ?? []), column]);
  return byTable;
}
