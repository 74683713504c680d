import { KnownMembers } from '@atrium/identity';
import { Database } from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';

/** What usage is reported by and another context names. */
export type LabelledKind = 'agent' | 'prompt';

/** Names of things by their ids, read in the open unit of work; ids of what is gone are left out. */
export type LabelSource = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Present names of what reports group by. A context that owns agents or prompts registers where their names are; without
 * one, and for those that are gone, a name says so. Reports group by id, so a name never joins or splits rows.
 */
@Injectable()
export class UsageLabels {
  private readonly sources = new Map<LabelledKind, LabelSource>();

  constructor(
    private readonly db: Database,
    private readonly members: KnownMembers,
  ) {}

  register(kind: LabelledKind, source: LabelSource): void {
    this.sources.set(kind, source);
  }

  /** The name of each, by its id; every id has one. */
  async findLabels(kind: LabelledKind | 'user', ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const known =
      kind === 'user'
        ? await this.db.read(() => this.members.listNames(ids))
        : ((await this.sources.get(kind)?.(ids)) ?? new Map<string, string>());
    return new Map(ids.map((id) => [id, known.get(id) ?? gone(kind, id)]));
  }
}

const gone = (kind: LabelledKind | 'user', id: string): string => (kind === 'user' ? 'Former member' : `Deleted ${kind} ${id.slice(0, 8)}`);
