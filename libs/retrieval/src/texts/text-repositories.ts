import { Injectable } from '@nestjs/common';
import { ReadableFiles, type RepoType } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { join, sql, type Sql } from '@atrium/platform/database';
import type { ChunkOptions } from '../passages/domain/chunking';

/** Repositories whose files are read for their text. */
export const TEXT_REPOSITORIES = ['docs', 'ds', 'thread', 'prompt'] as const satisfies readonly RepoType[];

export type TextRepository = (typeof TEXT_REPOSITORIES)[number];

/** A file as far as its scopes follow from it. */
export interface ScopedFile {
  readonly file_id: string;
  readonly repo_type: TextRepository;
  readonly repo_id: string | null;
}

/** Port for contexts that decide more about files of their repository than the owner does; registered at start. */
export interface TextRepositoryRules {
  readonly type: TextRepository;
  /** Condition on `r` (a row of `file`): the actor may read it; nobody (null) reads what bears no access list. Within a unit of work. */
  buildReadableCondition?(actor: Principal | null): Promise<Sql>;
  /** Of the files those whose text is read; without it all of them. Within a unit of work. */
  filterRead?(file_ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** How the files are cut into passages, where it is not the usual way. Within a unit of work. */
  readChunkOptions?(file_ids: readonly string[]): Promise<ReadonlyMap<string, ChunkOptions>>;
  /** Of the files those that are searched at all, in whatever scope; without it all of them. Within a unit of work. */
  filterSearched?(file_ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** By the names of filters that mean something for these files; a filter it does not know matches none of them. */
  readonly filters?: Readonly<Record<string, TextFilter>>;
}

/** Condition on `r` for the value of a filter, true of what everybody concerned may filter by. Within a unit of work. */
export type TextFilter = (value: unknown, readers: readonly (Principal | null)[]) => Promise<Sql>;

/** Port for contexts that search files of others in scopes of their own, such as documents in a knowledge base. */
export type FurtherScopes = (files: readonly ScopedFile[]) => Promise<ReadonlyMap<string, readonly string[]>>;

export const isTextRepository = (type: string): type is TextRepository => TEXT_REPOSITORIES.some((known) => known === type);

/** What contexts say of the repositories whose files have text: who may read them and in which scopes they are searched. */
@Injectable()
export class TextRepositories {
  private readonly rules = new Map<TextRepository, TextRepositoryRules>();
  private readonly further: FurtherScopes[] = [];

  constructor(private readonly files: ReadableFiles) {}

  register(rules: TextRepositoryRules): void {
    if (this.rules.has(rules.type)) throw new Error(`Two contexts register the texts of ${rules.type}.`);
    this.rules.set(rules.type, rules);
  }

  addScopes(scopes: FurtherScopes): void {
    this.further.push(scopes);
  }

  /** Condition on `r`: by the rules of its repository where they are registered, else by those of its owner. */
  async buildReadableCondition(actor: Principal | null): Promise<Sql> {
    const conditions: Sql[] = [];
    for (const type of TEXT_REPOSITORIES) {
      const own = await this.rules.get(type)?.buildReadableCondition?.(actor);
      const allowed = actor ? this.files.readableCondition(actor, [type]) : sql`r.repo_type = ${type}`;
      conditions.push(own ? sql`(${allowed} AND ${own})` : allowed);
    }
    return sql`(${join(conditions, ' OR ')})`;
  }

  /** Condition on `r`: the filter holds by the rules of its repository; false for files whose repository does not know it. */
  async buildFilterCondition(name: string, value: unknown, readers: readonly (Principal | null)[]): Promise<Sql> {
    const conditions: Sql[] = [];
    for (const [type, { filters }] of this.rules) {
      const own = filters?.[name];
      if (own) conditions.push(sql`(r.repo_type = ${type} AND ${await own(value, readers)})`);
    }
    return conditions.length > 0 ? sql`(${join(conditions, ' OR ')})` : sql`false`;
  }

  /** Whether the text of the file is read at all. */
  async isRead(type: TextRepository, file_id: string): Promise<boolean> {
    return (await this.rules.get(type)?.filterRead?.([file_id]))?.has(file_id) ?? true;
  }

  /** How the files are cut into passages, for those that are cut in a way of their own. */
  async readChunkOptions(files: readonly ScopedFile[]): Promise<ReadonlyMap<string, ChunkOptions>> {
    const options = new Map<string, ChunkOptions>();
    for (const [type, rules] of this.rules) {
      const ids = files.filter(({ repo_type }) => repo_type === type).map(({ file_id }) => file_id);
      if (!rules.readChunkOptions || ids.length === 0) continue;
      for (const [id, own] of await rules.readChunkOptions(ids)) options.set(id, own);
    }
    return options;
  }

  /** The keys of the scopes each file is searched in; none for what is not searched. */
  async findScopes(files: readonly ScopedFile[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const closed = new Set<string>();
    for (const [type, rules] of this.rules) {
      const ids = files.filter(({ repo_type }) => repo_type === type).map(({ file_id }) => file_id);
      if (!rules.filterSearched || ids.length === 0) continue;
      const open = await rules.filterSearched(ids);
      for (const id of ids) if (!open.has(id)) closed.add(id);
    }
    const scopes = new Map(
      files.map((file) => [file.file_id, [file.repo_id === null ? file.repo_type : `${file.repo_type}:${file.repo_id}`]]),
    );
    for (const more of this.further) for (const [id, keys] of await more(files)) scopes.get(id)?.push(...keys);
    for (const id of closed) scopes.set(id, []);
    return scopes;
  }
}
