import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@atrium/platform/kernel';

/** The access list of one row, and what the row is called. */
export interface AclOfRow {
  readonly acl: JsonObject;
  readonly name: string;
}

/** Answers the access list of a row of its kind, or null when there is none such; asked within an open unit of work. */
export type AclSource = (id: string) => Promise<AclOfRow | null>;

/** Where contexts tell of the rows they keep access lists on, so that access can be explained down to the entry that decided. */
@Injectable()
export class AclSources {
  private readonly sources = new Map<string, AclSource>();

  /** One source a kind, registered when the context starts. */
  register(type: string, source: AclSource): void {
    if (this.sources.has(type)) throw new Error(`The access lists of ${type} are told of twice.`);
    this.sources.set(type, source);
  }

  of(type: string): AclSource | undefined {
    return this.sources.get(type);
  }

  get types(): string[] {
    return [...this.sources.keys()].sort();
  }
}
