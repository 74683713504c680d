import { Injectable } from '@nestjs/common';
import { Forms, listCell, WorkspaceConventions, type CellConventions, type CompiledForm, type Sight } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidState, type JsonObject, withoutEnds } from '@atrium/platform/kernel';
import { Tabular, type Cell } from '@atrium/platform/tabular';
import { sightOf } from '../../records/application/record-list';
import { BaseAccess } from '../../bases/application/base-access';
import { JobObjects } from '../../work/infrastructure/job-objects';
import { BODY, cellFields, exportColumns } from './record-columns';
import { ExportedRecordRows, type ExportedRecord } from '../infrastructure/exported-records.rows';
import { ImportReadings } from './import-reading';

export const EXPORT_FORMATS = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A file that was exported. */
export interface StoredExport {
  readonly key: string;
  readonly facts: { readonly file_name: string; readonly file_type: string; readonly file_size: number; readonly record_count: number };
}

interface Export {
  readonly job_id: string;
  readonly ds_id: string;
  readonly format: ExportFormat;
  readonly signal?: AbortSignal;
  /** Called after every page of records. */
  readonly reached?: (records: number) => Promise<void>;
  /** Who reads the base, asked before every page. */
  readonly acting: () => Promise<Principal>;
}

/** A record with what the reader of the export sees of it at the time. */
interface ReadRecord {
  readonly record: ExportedRecord;
  readonly sight: Sight;
}

const TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv' } as const;

/** Writes the records of a base into a file, straight into storage: a page of records is held at a time. */
@Injectable()
export class RecordExport {
  constructor(
    private readonly db: Database,
    private readonly access: BaseAccess,
    private readonly forms: Forms,
    private readonly readings: ImportReadings,
    private readonly workspace: WorkspaceConventions,
    private readonly rows: ExportedRecordRows,
    private readonly objects: JobObjects,
  ) {}

  async writeExport(wanted: Export): Promise<StoredExport> {
    const { job_id, ds_id, format } = wanted;
    const { base, form, habits } = await this.db.read(async () => {
      const found = await this.access.requireReadable(await wanted.acting(), ds_id);
      return { base: found, form: await this.readings.findFormOfImport(found.form_id), habits: await this.workspace.readHabits() };
    });
    const count = { records: 0 };
    const records = this.records(wanted, base.form_id, count);
    const text =
      format === 'csv'
        ? Tabular.write(this.table(records, form, habits), { format: 'csv' })
        : Tabular.writeLines(this.lines(records, form));
    const { key, size } = await this.objects.putObject(job_id, 'export', text, TYPES[format]);
    return {
      key,
      facts: { file_name: `${fileName(base.ds_name)}.${format}`, file_type: TYPES[format], file_size: size, record_count: count.records },
    };
  }

  private async *records(
    { ds_id, signal, reached, acting }: Export,
    form_id: string | null,
    count: { records: number },
  ): AsyncGenerator<ReadRecord> {
    for (let after: ExportedRecord | undefined; ;) {
      signal?.throwIfAborted();
      const caller = await acting();
      const page = await this.db.read(async () => {
        const base = await this.access.requireReadable(caller, ds_id);
        if (base.form_id !== form_id) throw invalidState('The schema of the knowledge base was replaced during the export. Export again.');
        return this.rows.listRecords(ds_id, after);
      });
      if (page.length === 0) return;
      count.records += page.length;
      const sight = sightOf(caller);
      for (const record of page) yield { record, sight };
      after = page.at(-1);
      await reached?.(page.length);
    }
  }

  private async *table(
    records: AsyncIterable<ReadRecord>,
    form: CompiledForm | null,
    habits: CellConventions,
  ): AsyncGenerator<readonly Cell[]> {
    const columns = exportColumns(form);
    const cells = form && this.forms.openCells(form, Object.fromEntries(cellFields(form).map(({ path }) => [path, path])), habits);
    yield columns;
    for await (const { record, sight } of records) {
      const content: Readonly<Record<string, string>> = cells
        ? cells.writeRow(record.rec_content, sight)
        : { [BODY]: textOf(record.rec_content) };
      const facts: Readonly<Record<string, string | null>> = {
        rec_external_id: record.rec_external_id,
        rec_name: record.rec_name,
        rec_url: record.rec_url,
        rec_tags: listCell(record.rec_tags),
        rec_language: record.rec_language,
        rec_status: record.rec_status,
        rec_valid_from: momentOf(record.rec_valid_from),
        rec_valid_until: momentOf(record.rec_valid_until),
        rec_metadata: Object.keys(record.rec_metadata).length === 0 ? null : JSON.stringify(record.rec_metadata),
      };
      yield columns.map((name) => facts[name] ?? content[name] ?? null);
    }
  }

  private async *lines(records: AsyncIterable<ReadRecord>, form: CompiledForm | null): AsyncGenerator<JsonObject> {
    for await (const { record, sight } of records) {
      const { rec_id: _, rec_created: __, rec_content, rec_tags, rec_valid_from, rec_valid_until, ...facts } = record;
      const content = form ? this.forms.visibleFields(form, sight).project(rec_content).content : { [BODY]: textOf(rec_content) };
      const window = {
        rec_valid_from: momentOf(rec_valid_from),
        rec_valid_until: momentOf(rec_valid_until),
      };
      yield { ...facts, rec_tags: [...rec_tags], ...window, ...content };
    }
  }
}

const momentOf = (stored: string | null): string | null => (stored === null ? null : new Date(stored).toISOString());

const textOf = ({ body }: JsonObject): string => (typeof body === 'string' ? body : '');

const fileName = (name: string): string => withoutEnds(name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-'), /-/).slice(0, 100) || 'records';
