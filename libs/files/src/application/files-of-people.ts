import { Injectable } from '@nestjs/common';
import { LegalHolds, PersonDataSources, type PersonColumn, type PersonObject } from '@atrium/governance';
import { Database, raw, requireScope, sql } from '@atrium/platform/database';
import { isCompressed } from '../domain/compressed-types';

const CODE = 'It is a code or an id of the service, and holds nothing that somebody wrote.';
const COUNTED = 'Words are counted for the search, each for itself; the counts follow the names of files.';
const FILES_AT_ONCE = 200;

const BELONGS = 'Files belong to the workspace; who added them stays known by their id, which names nobody any more.';
const TOLD = 'What happened to a file stays told, by ids that name nobody any more.';
const PASSING = 'It goes by itself within days, and names nobody.';

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
  { table: 'file', column: 'file_deleted_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: TOLD },
  {
    table: 'file_version',
    column: 'fv_created_by',
    subject: 'user',
    on_erase: 'keep',
    because: BELONGS,
    hidden: ['fv_blob', 'fv_replicas'],
  },
  { table: 'file_history', column: 'fh_actor', subject: 'user', on_erase: 'keep', because: TOLD },
  {
    table: 'file_pref',
    column: 'user_id',
    subject: 'user',
    on_erase: 'delete',
    because: 'What somebody marked for themself means nothing to anybody else.',
  },
  {
    table: 'upload',
    column: 'upl_created_by',
    subject: 'user',
    on_erase: 'keep',
    because: PASSING,
    hidden: ['upl_key', 'upl_multipart_id'],
  },
  { table: 'download_job', column: 'job_created_by', subject: 'user', on_erase: 'keep', because: PASSING, hidden: ['archive_key'] },
  {
    table: 'file_job',
    column: 'job_created_by',
    subject: 'user',
    on_erase: 'keep',
    because: PASSING,
    hidden: ['job_params', 'job_subject', 'job_checkpoint', 'job_key'],
  },
  {
    table: 'saved_search',
    column: 'sq_created_by',
    subject: 'user',
    on_erase: 'keep',
    because: 'Saved searches belong to the workspace; who made one stays known by their id, which names nobody any more.',
    hidden: ['sq_name_key'],
  },
];

/** What a hold on a file keeps, by the column that names the file; what is searched is derived of it. */
const HELD = [
  ['file', 'file_id'],
  ['file_version', 'fv_file'],
  ['file_history', 'fh_file'],
] as const;

interface OwnedFile extends Record<string, unknown> {
  readonly file_id: string;
  readonly file_name: string;
  readonly file_type: string;
  readonly file_size: number;
  readonly file_updated: string;
  readonly blob_key: string;
}

/** What this context keeps of people: who added, wrote, marked and deleted what; and the bytes of what they added. */
@Injectable()
export class FilesOfPeople {
  constructor(
    private readonly db: Database,
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
      objects: { count: (user_id) => this.count(user_id), list: (user_id) => this.list(user_id) },
    });
    for (const [table, file_id] of HELD) sources.keeps(table, () => holds.ofFile(raw(`r.${file_id}`)));
  }

  private async count(user_id: string): Promise<number> {
    const row = await this.db.read((tx) =>
      tx.first<{ count: number }>(
        sql`SELECT count(*) AS count FROM file WHERE tenant_id = ${requireScope().tenant_id} AND file_added_by = ${user_id}`,
      ),
    );
    return row?.count ?? 0;
  }

  /** Along the primary key: no index by owner is kept for what happens once in years. */
  private async *list(user_id: string): AsyncGenerator<PersonObject, void> {
    for (let after: string | null = null; ;) {
      const files: OwnedFile[] = await this.some(user_id, after);
      yield* files.map(objectOf);
      after = files.at(-1)?.file_id ?? null;
      if (after === null || files.length < FILES_AT_ONCE) return;
    }
  }

  private some(user_id: string, after: string | null): Promise<OwnedFile[]> {
    return this.db.read((tx) =>
      tx.query<OwnedFile>(sql`
        SELECT f.file_id, f.file_name, f.file_type, f.file_size, f.file_updated, b.blob_key FROM file f JOIN file_blob b ON b.tenant_id = f.tenant_id AND b.blob_id = f.file_blob
        WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_added_by = ${user_id} AND (${after}::uuid IS NULL OR f.file_id > ${after}::uuid) ORDER BY f.file_id LIMIT ${FILES_AT_ONCE}`),
    );
  }
}

/** Under the id of the file, under which `files/file.json` describes it. */
const objectOf = ({ file_id, file_name, file_type, file_size, file_updated, blob_key }: OwnedFile): PersonObject => ({
  name: `${file_id}/${safe(file_name)}`,
  key: blob_key,
  size: file_size,
  modified: new Date(file_updated),
  stored: isCompressed(file_type),
});

/** What every system that unpacks the archive can name a file. */
const safe = (file_name: string): string => file_name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+$/, '_');
