import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import type { Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import type { PageBeginning } from '../domain/chunking';
import type { TextFormat } from '../infrastructure/cut-document';

/** A source as it is to be indexed. */
export interface SourceText {
  /** Names what the text is of; another version is another text. */
  readonly version: string;
  /** The row of that version, where versions are rows. */
  readonly version_id: string | null;
  readonly title: string;
  readonly url: string | null;
  readonly markdown: string;
  /** What its writer did not write as markdown is not read as it; markdown where it is not said. */
  readonly format?: TextFormat | undefined;
  readonly pages: readonly PageBeginning[];
  /** By ISO 639-1; null: it is found out from the text. */
  readonly language: string | null;
  /** What citations and filters want to know besides. */
  readonly meta: JsonObject;
}

/**
 * Port for contexts whose things are searched by passages: each registers its kind at start, so that nothing here knows
 * their tables.
 */
export interface SourceKind {
  /** `file`, `record`, `object` … */
  readonly kind: string;
  /** The text as it is now; null when there is none to index. Called outside of a unit of work. */
  readText(id: string): Promise<SourceText | null>;
  /** The version now, within the unit of work that commits passages of it; null when there is no such source any more. */
  findVersion(id: string): Promise<string | null>;
  /** Condition on `s` (a row of `passage_source` of this kind): the source is there. */
  existsCondition(): Sql;
  /** Condition on `s`: the source is there and the actor may read it; nobody (null) reads what bears no access list. */
  buildReadableCondition(actor: Principal | null): Promise<Sql>;
  /**
   * Conditions on `s` by the names of filters that mean something for the kind, for everybody whose rights count; a filter it
   * does not know matches none of it.
   */
  readonly filters?: Readonly<Record<string, (value: unknown, readers: readonly (Principal | null)[]) => Sql | Promise<Sql>>>;
  /** Passages of the version were committed; within their unit of work. */
  onIndexed?(id: string, passages: number): Promise<void>;
}

/** The kinds of sources that this process knows. */
@Injectable()
export class SourceKinds {
  private readonly kinds = new Map<string, SourceKind>();

  register(kind: SourceKind): void {
    if (this.kinds.has(kind.kind)) throw new Error(`Two contexts register sources of the kind ${kind.kind}.`);
    this.kinds.set(kind.kind, kind);
  }

  findKind(kind: string): SourceKind | undefined {
    return this.kinds.get(kind);
  }

  listKinds(): readonly SourceKind[] {
    return [...this.kinds.values()];
  }
}
