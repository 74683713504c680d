import { Injectable } from '@nestjs/common';
import { ReadableFiles } from '@atrium/files';
import { FormRows } from '@atrium/forms';
import { accessLevel, type AclLevel, type Principal } from '@atrium/platform/access';
import { sql } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { ScopeCounts } from '@atrium/retrieval';
import { scopeOf } from '../domain/knowledge-base';
import { BaseFileRows } from '../infrastructure/base-files.rows';
import { BasesRepository, type BaseRow } from '../infrastructure/bases.repository';

/** A base as clients see it. */
export type BaseAnswer = Omit<BaseRow, 'acl_level' | 'row_version'> & {
  readonly form_name: string | null;
  readonly form_managed_by: string | null;
  readonly ds_file_count: number;
  readonly ds_passage_count: number;
  readonly ds_pending_count: number;
  readonly ds_failed_count: number;
  readonly ds_access: AclLevel;
};

export type VersionedBaseAnswer = BaseAnswer & { readonly row_version: number };

/** Rows of bases as answers: schemas, counts and access, in a constant number of statements for a page. */
@Injectable()
export class BaseAnswers {
  constructor(
    private readonly bases: BasesRepository,
    private readonly rows: BaseFileRows,
    private readonly forms: FormRows,
    private readonly counts: ScopeCounts,
    private readonly files: ReadableFiles,
  ) {}

  /** One base; whether the caller may read it was decided before. Within a unit of work. */
  async readBase(caller: Principal, ds_id: string): Promise<VersionedBaseAnswer> {
    const row = await this.bases.findBaseRow(caller, ds_id);
    const [answer] = row ? await this.completeRows(caller, [row]) : [];
    if (!row || !answer) throw notFound('knowledge base');
    return { ...answer, row_version: row.row_version };
  }

  async completeRows(caller: Principal, rows: readonly BaseRow[]): Promise<BaseAnswer[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ ds_id }) => ds_id);
    const forms = await this.forms.openAll('record', [...new Set(rows.flatMap(({ form_id }) => form_id ?? []))]);
    const countOf = await this.counts.countByScope(ids.map(scopeOf), this.files.readableCondition(caller, ['ds', 'docs']));
    const files = await this.fileCounts(caller, ids);
    return rows.map(({ acl_level, row_version: _, ...row }) => {
      const form = row.form_id === null ? undefined : forms.get(row.form_id);
      const { passages, pending, failed } = countOf(scopeOf(row.ds_id));
      return {
        ...row,
        form_name: form?.form_name ?? null,
        form_managed_by: form?.form_managed_by ?? null,
        ds_file_count: files.get(row.ds_id) ?? 0,
        ds_passage_count: passages,
        ds_pending_count: pending,
        ds_failed_count: failed,
        ds_access: accessLevel(acl_level, caller.permissions, BY_PERMISSION),
      };
    });
  }

  /** Own and linked files that lists show the caller. */
  private fileCounts(caller: Principal, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const shown = sql`r.file_deleted IS NULL AND ${this.files.readableCondition(caller, ['ds', 'docs'])}`;
    return this.rows.countFiles(ids, shown);
  }
}

const BY_PERMISSION = { owner: 'knowledge-base:delete', edit: ['knowledge-base:edit', 'knowledge-base:write'] } as const;
