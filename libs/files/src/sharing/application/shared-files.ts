import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { empty, join, requireScope, sql, type Sql } from '@atrium/platform/database';
import { type JsonObject, notFound, notYet } from '@atrium/platform/kernel';
import { ObjectMissing, ObjectStore, type ByteRange } from '@atrium/platform/storage';
import { closestRendition, isShownAsItIs, nameOf, type Rendition } from '../../blobs/domain/renditions';
import { REPOSITORIES, repositoryOf, type FileAction, type RepoType } from '../../core/domain/repositories';
import type { ArchivedFile } from '../../downloads/application/archive-contents';
import { FileAccess } from '../../core/application/file-access';
import { HistoryWriter, type HistoryAction } from '../../core/application/file-history';
import { FileOwners } from '../../core/application/file-owners';
import { LIVE } from '../../core/application/file-queries';
import { SharedFileRows, type SelectedFile, type SharedFile } from '../infrastructure/shared-files.rows';

/** Bytes that leave, and what they are called; the key is never shown. */
export interface HandedOut {
  readonly key: string;
  readonly type: string;
  readonly size: number;
  readonly name: string;
}

/** Which files, and in which order: SQL over `r`, a row of `file`. The key is never null and, with the tie, unique. */
export interface FileSelection {
  readonly join: Sql;
  readonly where: Sql;
  readonly key: Sql;
  readonly keyType: 'bigint' | 'text' | 'timestamptz';
  readonly tie: Sql;
  readonly descending: boolean;
}

export interface SelectionPosition {
  readonly key: string | number;
  readonly tie: string;
}

export interface SharedPage {
  readonly data: readonly SharedFile[];
  readonly next: SelectionPosition | null;
}

const BOUNDS: Readonly<Record<FileSelection['keyType'], (key: string | number) => Sql>> = {
  bigint: (key) => sql`${key}::bigint`,
  text: (key) => sql`${key}::text`,
  timestamptz: (key) => sql`${key}::timestamptz`,
};

/**
 * Files as they may leave the workspace by the rights of one of its members: neither trash nor quarantine is ever among
 * them, and what the member may not do (any more) with a file, nobody may in their name.
 */
@Injectable()
export class SharedFiles {
  constructor(
    private readonly files: SharedFileRows,
    private readonly store: ObjectStore,
    private readonly access: FileAccess,
    private readonly owners: FileOwners,
    private readonly history: HistoryWriter,
  ) {}

  /** These files, in the order of their ids. */
  selectFiles(ids: readonly string[]): FileSelection {
    return {
      join: sql`JOIN unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS chosen (id, at) ON chosen.id = r.file_id`,
      where: sql`true`,
      key: sql`chosen.at`,
      keyType: 'bigint',
      tie: sql`r.file_id`,
      descending: false,
    };
  }

  /** One page of a selection; within a unit of work. */
  async listFiles(
    member: Principal,
    selection: FileSelection,
    { action, after, limit }: { readonly action: FileAction; readonly after: SelectionPosition | null; readonly limit: number },
  ): Promise<SharedPage> {
    const { key, tie, keyType, descending } = selection;
    const operator = descending ? sql`<` : sql`>`;
    const bound = after && BOUNDS[keyType](after.key);
    const beyond = after && bound ? sql`AND (${key}, ${tie}) ${operator} (${bound}, ${after.tie}::uuid)` : empty;
    const direction = descending ? sql`DESC` : sql`ASC`;
    const rows = await this.rows(
      member,
      action,
      selection,
      sql`${beyond} ORDER BY ${key} ${direction}, ${tie} ${direction} LIMIT ${limit + 1}`,
    );
    const data = rows.slice(0, limit);
    const last = rows.length > limit ? data.at(-1) : undefined;
    return { data: data.map(({ '~key': _, '~tie': __, ...file }) => file), next: last ? { key: last['~key'], tie: last['~tie'] } : null };
  }

  /** Those of a selection that are among these ids. */
  async filterSelection(
    member: Principal,
    selection: FileSelection,
    { action, ids }: { readonly action: FileAction; readonly ids: readonly string[] },
  ): Promise<SharedFile[]> {
    const rows = await this.rows(member, action, selection, sql`AND r.file_id = ANY(${[...ids]}::uuid[])`);
    return rows.map(({ '~key': _, '~tie': __, ...file }) => file);
  }

  /** How many there are, counted no further than `most`. */
  async countFiles(
    member: Principal,
    selection: FileSelection,
    { action, most }: { readonly action: FileAction; readonly most: number },
  ): Promise<number> {
    const chosen = this.chosen(member, action, selection);
    return chosen ? this.files.countSelected(chosen, most) : 0;
  }

  /** Whether anything of a selection is left. */
  async hasFiles(member: Principal, selection: FileSelection, action: FileAction): Promise<boolean> {
    return (await this.rows(member, action, selection, sql`LIMIT 1`)).length > 0;
  }

  /** For lists of many rows: whether any of these files is there and of one of these kinds. Both are SQL. */
  anySharedCondition(ids: Sql, types: Sql): Sql {
    return sql`EXISTS (SELECT FROM file f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = ANY(${ids}) AND f.file_deleted IS NULL AND f.file_processing <> 'quarantined' AND f.repo_type = ANY(${types}))`;
  }

  /** Kinds of repositories whose files the member may act on; their owners decide besides. */
  listTypes(member: Principal, action: FileAction): RepoType[] {
    return (Object.keys(REPOSITORIES) as RepoType[]).filter(
      (type) => this.owners.findOwner(type) && this.access.isAllowed(member, { type, id: null }, action),
    );
  }

  /** Whether the member may act on a file of that repository. */
  async assertAllowed(member: Principal, file: Pick<SharedFile, 'file_id' | 'repo_type' | 'repo_id'>, action: FileAction): Promise<void> {
    await this.access.assertFile(member, { file_id: file.file_id, repository: repositoryOf(file) }, action);
  }

  /** The bytes themselves, to be handed out as an attachment. */
  toOriginal({ blob_key: key, file_type: type, file_name: name, file_size: size, file_hash }: SharedFile): HandedOut {
    if (file_hash === null) throw notYet('The file is still being processed. Try again in a moment.', 2);
    return { key, type, size, name };
  }

  /** A picture of it. */
  toPicture({ file_name }: SharedFile, rendition: Rendition): HandedOut {
    const { key, type, size } = rendition;
    return { key, type, size, name: nameOf(file_name, rendition) };
  }

  /**
   * Pictures that the workspace shows of itself (its logo), by file, whatever the caller may see; none of trash or quarantine.
   * Within a unit of work.
   */
  async findPictures(ids: readonly string[]): Promise<Map<string, HandedOut>> {
    if (ids.length === 0) return new Map();
    const rows = await this.files.findPictures(ids);
    return new Map(
      rows.flatMap(({ file_id, file_name: name, file_type: type, file_size: size, blob_key: key, blob_replicas }) => {
        const smaller = closestRendition(blob_replicas, 'medium')?.rendition ?? blob_replicas.small;
        if (smaller) return [[file_id, { key: smaller.key, type: smaller.type, size: smaller.size, name }] as const];
        return isShownAsItIs(type) ? [[file_id, { key, type, size, name }] as const] : [];
      }),
    );
  }

  /** The position of a file in a selection; null when it is not (any longer) in it. Within a unit of work. */
  async findPosition(
    member: Principal,
    selection: FileSelection,
    { action, id }: { readonly action: FileAction; readonly id: string },
  ): Promise<SelectionPosition | null> {
    const [row] = await this.rows(member, action, selection, sql`AND r.file_id = ${id}`);
    return row ? { key: row['~key'], tie: row['~tie'] } : null;
  }

  /** Bytes to be streamed; what was removed in the meantime is `not_found`. Never within a unit of work. */
  async openBytes({ key }: Pick<HandedOut, 'key'>, range?: ByteRange): Promise<Readable> {
    try {
      return await this.store.get(key, range);
    } catch (error) {
      if (error instanceof ObjectMissing) throw notFound('file');
      throw error;
    }
  }

  /** It as an entry of an archive: the picture, or without one the bytes themselves. */
  toEntry({ file_id, file_name, file_type, file_size, file_updated, blob_key }: SharedFile, rendition: Rendition | null): ArchivedFile {
    const modified = new Date(file_updated);
    if (!rendition) return { file_id, name: file_name, type: file_type, size: file_size, key: blob_key, modified };
    return { file_id, name: nameOf(file_name, rendition), type: rendition.type, size: rendition.size, key: rendition.key, modified };
  }

  /** Records it in the histories of the files, within a writing unit of work. */
  recordHistory(files: readonly Pick<SharedFile, 'file_id'>[], action: HistoryAction, details: JsonObject): Promise<void> {
    return this.history.addEntries(files.map(({ file_id }) => ({ file_id, action, details })));
  }

  private async rows(member: Principal, action: FileAction, selection: FileSelection, rest: Sql): Promise<SelectedFile[]> {
    const chosen = this.chosen(member, action, selection);
    return chosen ? this.files.findSelected(chosen, { key: selection.key, tie: selection.tie, rest }) : [];
  }

  /** Null when the member may do so with no file at all. */
  private chosen(member: Principal, action: FileAction, { join: joined, where }: FileSelection): Sql | null {
    const types = this.listTypes(member, action);
    if (types.length === 0) return null;
    const readable = types.flatMap((type) => {
      const condition = this.owners.findOwner(type)?.readableCondition(member, { type, id: null }, action) ?? empty;
      return condition === empty ? [] : [sql`(r.repo_type <> ${type} OR ${condition})`];
    });
    const conditions = [
      sql`r.tenant_id = ${requireScope().tenant_id}`,
      LIVE,
      sql`r.file_processing <> 'quarantined'`,
      sql`r.repo_type = ANY(${types}::text[])`,
      ...readable,
      where,
    ];
    return sql`FROM file r ${joined} JOIN file_blob b ON b.tenant_id = r.tenant_id AND b.blob_id = r.file_blob WHERE ${join(conditions, ' AND ')}`;
  }
}
