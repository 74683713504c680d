import { Injectable } from '@nestjs/common';
import { LegalHolds, PersonDataSources, type PersonColumn, type PersonObject, type PersonReader } from '@atrium/governance';
import { Database, raw, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { isCompressed } from '../domain/compressed-types';
import type { HistoryLine } from '../domain/history-line';
import { ReadableFileRows, type ExportedFile } from '../infrastructure/readable-files.rows';
import { NamedInHistory } from './named-in-history';
import { ReadableFiles } from './readable-files';

const CODE = 'It is a code or an id of the service and contains no text that a person wrote.';
const COUNTED = 'Words are counted individually for the search; the counts follow the names of files.';
const FILES_AT_ONCE = 200;

const BELONGS = 'Files belong to the workspace; who added them is kept by id, which no longer refers to a name.';
const HISTORY = 'The history of a file is kept with ids that no longer refer to a name.';
const ORDERED = 'Jobs are shown only to the person who requested them.';
const PASSING = 'It is removed within days and contains no names.';
const RECORD = 'It is removed with the records of finished jobs and contains no names.';

const TABLES: readonly PersonColumn[] = [
  {
    table: 'file',
    column: 'file_added_by',
    subject: 'user',
    on_erase: 'keep',
    because: BELONGS,
    hidden: [
      'file_name_key',
      'file_type_key',
      'file_bucket',
      'file_folder',
      'file_provider_id',
      'file_blob',
      'file_replicas',
      'file_labs',
      'file_color_cells',
      'file_camera_key',
    ],
  },
  { table: 'file', column: 'file_deleted_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: HISTORY },
  {
    table: 'file_version',
    column: 'fv_created_by',
    subject: 'user',
    on_erase: 'keep',
    because: BELONGS,
    hidden: ['fv_blob', 'fv_replicas'],
  },
  { table: 'file_history', column: 'fh_actor', subject: 'user', on_erase: 'keep', because: HISTORY },
  {
    table: 'file_pref',
    column: 'user_id',
    subject: 'user',
    on_erase: 'delete',
    because: 'Personal favorites have no meaning for others.',
  },
  {
    table: 'upload',
    column: 'upl_created_by',
    subject: 'user',
    on_erase: 'keep',
    because: PASSING,
    hidden: ['upl_key', 'upl_multipart_id'],
  },
  {
    table: 'download_job',
    column: 'job_created_by',
    subject: 'user',
    on_erase: 'keep',
    because: RECORD,
    hidden: ['archive_key', 'job_key'],
  },
  {
    table: 'file_job',
    column: 'job_created_by',
    subject: 'user',
    on_erase: 'keep',
    because: RECORD,
    hidden: ['job_params', 'job_subject', 'job_checkpoint', 'job_key'],
  },
  {
    table: 'saved_search',
    column: 'sq_created_by',
    subject: 'user',
    on_erase: 'keep',
    because: 'Saved searches belong to the workspace; who created one is kept by id, which no longer refers to a name.',
    hidden: ['sq_name_key'],
  },
];

/** What a hold on a file keeps, by the column that names the file; what is searched is derived of it. */
const HELD = [
  ['file', 'file_id'],
  ['file_version', 'fv_file'],
  ['file_history', 'fh_file'],
] as const;

type Line = JsonObject & Pick<HistoryLine, 'fh_details'>;

/** What this context keeps of people: who added, wrote, marked and deleted what; and the bytes of what they added and may read. */
@Injectable()
export class FilesOfPeople {
  constructor(
    private readonly db: Database,
    private readonly readable: ReadableFiles,
    private readonly named: NamedInHistory,
    private readonly rows: ReadableFileRows,
    sources: PersonDataSources,
    holds: LegalHolds,
  ) {
    sources.register({
      context: 'files',
      order: 200,
      tables: TABLES,
      stays: {
        'file_day.fd_repo': CODE,
        'file_day_delta.fd_repo': CODE,
        'file_history.fh_action': CODE,
        'file_history.fh_actor_type': CODE,
        'file_pin.pin_hash': CODE,
        'file_pin.pin_owner': CODE,
        'file_word.fw_repo': CODE,
        'file_word_delta.fw_repo': CODE,
        'file_word.fw_word': COUNTED,
        'file_word_delta.fw_word': COUNTED,
      },
      open: {
        file_history:
          'It records actions of the person on a file; names of other files and albums are shown only if the person may read them.',
        file_pref: 'Favorites are visible only to the person.',
        upload: 'It is what the person stated about their own uploads.',
        download_job: ORDERED,
        file_job: ORDERED,
      },
      own: {
        file: { readable: (reader) => this.readable.openCondition(reader) },
        file_version: { readable: (reader) => this.readable.openBy(sql`r.fv_file`, reader) },
        file_history: { shown: (rows, _, reader) => this.history(rows as readonly Line[], reader) },
      },
      objects: { count: (user_id, reader) => this.count(user_id, reader), list: (user_id, reader) => this.list(user_id, reader) },
    });
    for (const [table, file_id] of HELD) sources.registerHold(table, () => holds.fileHeldCondition(raw(`r.${file_id}`)));
  }

  /** Names of other files and of albums are in the facts of what happened: as the API shows them. */
  private history(lines: readonly Line[], reader: PersonReader): Promise<readonly JsonObject[]> {
    return this.db.read(() => this.named.filterLines(reader, lines));
  }

  private count(user_id: string, reader: PersonReader): Promise<number> {
    return this.db.read(() => this.rows.countFiles(this.handedOut(user_id, reader)));
  }

  /** What is in quarantine is read by nobody. */
  private handedOut(user_id: string, reader: PersonReader): Sql {
    return sql`r.tenant_id = ${requireScope().tenant_id} AND r.file_added_by = ${user_id} AND r.file_processing <> 'quarantined' AND ${this.readable.openCondition(reader)}`;
  }

  private async *list(user_id: string, reader: PersonReader): AsyncGenerator<PersonObject, void> {
    for (let after: string | null = null; ;) {
      const files: ExportedFile[] = await this.some(user_id, reader, after);
      yield* files.map(objectOf);
      after = files.at(-1)?.file_id ?? null;
      if (after === null || files.length < FILES_AT_ONCE) return;
    }
  }

  /** Along the primary key: no index by owner is kept for what happens once in years. */
  private some(user_id: string, reader: PersonReader, after: string | null): Promise<ExportedFile[]> {
    return this.db.read(() => this.rows.findExportedFiles(this.handedOut(user_id, reader), after, FILES_AT_ONCE));
  }
}

/** Under the id of the file, under which `files/file.json` describes it. */
const objectOf = ({ file_id, file_name, file_type, file_size, file_updated, blob_key }: ExportedFile): PersonObject => ({
  name: `${file_id}/${safe(file_name)}`,
  key: blob_key,
  size: file_size,
  modified: new Date(file_updated),
  stored: isCompressed(file_type),
});

/** What every system that unpacks the archive can name a file. */
const safe = (file_name: string): string => file_name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+$/, '_');
