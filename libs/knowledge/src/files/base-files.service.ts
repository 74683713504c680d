import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileEdits, FilesAcross, LibraryFiles, type FileRow } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import {
  FilePassages,
  FILE_SOURCE,
  sourceStatus,
  TextConditions,
  FileTexts,
  TextRepositories,
  type FileTextStatus,
} from '@atrium/retrieval';
import { BaseAccess } from '../bases/application/base-access';
import { BaseHolds } from '../bases/application/base-holds';
import { BaseContents } from '../bases/application/base-contents';
import { scopeOf } from '../bases/domain/knowledge-base';
import { BaseLinksRepository, heldBy } from './base-links.repository';

export type BaseLink = 'own' | 'linked';

export interface BaseFileFilters extends ListParameters {
  readonly ds_link?: BaseLink;
  readonly file_text_status?: FileTextStatus;
}

interface LinkedFile {
  readonly ds_link: BaseLink;
  readonly linked_by: string | null;
  readonly linked_at: string | null;
  readonly file_passage_count: number;
  readonly file_index_error: string | null;
  readonly file_deprecated: boolean;
}

export type BaseFileRow = FileRow & LinkedFile & { readonly file_text_status: FileTextStatus };

const LIBRARY = 'docs';
const AT_ONCE = 100;
const INDEXED = sourceStatus(FILE_SOURCE, sql`r.file_id`);

/** The files of a base: its own ones, and documents of the library that it searches without a copy of them. */
@Injectable()
export class BaseFilesService implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly access: BaseAccess,
    private readonly holds: BaseHolds,
    private readonly contents: BaseContents,
    private readonly links: BaseLinksRepository,
    private readonly files: FilesAcross,
    private readonly library: LibraryFiles,
    private readonly edits: FileEdits,
    private readonly passages: FilePassages,
    private readonly texts: FileTexts,
    private readonly conditions: TextConditions,
    private readonly repositories: TextRepositories,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.repositories.addScopes(async (files) => {
      const documents = files.filter(({ repo_type }) => repo_type === LIBRARY).map(({ file_id }) => file_id);
      const scopes = new Map<string, string[]>();
      for (const { file_id, ds_id } of documents.length === 0 ? [] : await this.links.listBasesOfFiles(documents))
        scopes.set(file_id, [...(scopes.get(file_id) ?? []), scopeOf(ds_id)]);
      return scopes;
    });
    this.contents.register({ kind: FILE_SOURCE, indexStretch: ({ ds_id }, after) => this.putBack(ds_id, after) });
  }

  list(caller: Principal, ds_id: string, { ds_link, file_text_status, ...query }: BaseFileFilters): Promise<Page<BaseFileRow>> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, ds_id);
      const own = sql`r.repo_key = ${scopeOf(ds_id)}`;
      const where: Sql[] = [
        sql`r.file_id IN (${heldBy(ds_id)})`,
        ...(ds_link === undefined ? [] : [ds_link === 'own' ? own : sql`NOT (${own})`]),
        ...(file_text_status === undefined ? [] : [this.conditions.statusCondition([file_text_status])]),
      ];
      const page = await this.files.listFiles<FileRow & LinkedFile>(caller, ['ds', LIBRARY], query, {
        where,
        join: sql`LEFT JOIN ds_file l ON l.tenant_id = r.tenant_id AND l.file_id = r.file_id AND l.ds_id = ${ds_id} ${INDEXED.join}`,
        select: sql`CASE WHEN ${own} THEN 'own' ELSE 'linked' END AS ds_link, l.linked_by, l.linked_at, ${INDEXED.passages} AS file_passage_count, ${INDEXED.error} AS file_index_error, r.file_deprecated`,
      });
      return { ...page, data: await this.withTexts(page.data) };
    });
  }

  /** Documents that the caller may not read, and those that are linked already, are skipped. */
  linkFiles(caller: Principal, ds_id: string, file_ids: readonly string[]): Promise<{ added: number; skipped: number }> {
    return this.db.write(async () => {
      await this.access.keepBase(caller, ds_id, 'edit');
      const wanted = [...new Set(file_ids.map((id) => id.toLowerCase()))];
      // Held before links are read, so that two links of one document made at the same time see each other.
      await this.edits.holdMany(null, wanted);
      const open = caller.permissions.has('document:view') ? await this.library.findVisible(caller, LIBRARY, wanted) : [];
      const added = await this.links.addLinks(
        ds_id,
        open.map(({ file_id }) => file_id),
        { by: caller.user_id, now: this.clock.now() },
      );
      await this.passages.updateScopes(added);
      return { added: added.length, skipped: wanted.length - added.length };
    });
  }

  unlinkFiles(caller: Principal, ds_id: string, file_ids: readonly string[]): Promise<{ removed: number; skipped: number }> {
    return this.db.write(async () => {
      await this.access.keepBase(caller, ds_id, 'edit');
      const wanted = [...new Set(file_ids.map((id) => id.toLowerCase()))];
      await this.edits.holdMany(null, wanted);
      await this.holds.assertNone(ds_id);
      const removed = await this.links.removeLinks(ds_id, wanted);
      await this.passages.updateScopes(removed);
      return { removed: removed.length, skipped: wanted.length - removed.length };
    });
  }

  private async withTexts(rows: readonly (FileRow & LinkedFile)[]): Promise<BaseFileRow[]> {
    const texts = await this.texts.findTexts(rows.map(({ file_id }) => file_id));
    return rows.map((row) => {
      const text = texts.get(row.file_id);
      const now = text?.ft_version === row.file_hash ? text : undefined;
      const unread = now?.ft_status === 'ready' && !now.ft_truncated ? null : now?.ft_error;
      return { ...row, file_text_status: now?.ft_status ?? 'pending', file_index_error: row.file_index_error ?? unread ?? null };
    });
  }

  private async putBack(ds_id: string, after: string | null): Promise<string | null> {
    const ids = await this.links.listFileIds(ds_id, after, AT_ONCE);
    await this.edits.holdMany(null, ids);
    await this.passages.updateScopes(ids);
    return ids.length === AT_ONCE ? (ids.at(-1) ?? null) : null;
  }
}
