import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { ExtractedText, OutlineEntry, PageStart } from '../extraction/extracted-text';
import { TEXT_REPOSITORIES, type ScopedFile } from './text-repositories';

export type FileTextStatus = 'pending' | 'running' | 'ready' | 'empty' | 'unsupported' | 'failed';

/** What is known of the text of a file. */
export interface FileTextRow {
  readonly file_id: string;
  readonly ft_version: string;
  readonly ft_engine: string | null;
  readonly ft_status: FileTextStatus;
  readonly ft_error: string | null;
  readonly ft_markdown_key: string | null;
  readonly ft_outline: readonly OutlineEntry[];
  readonly ft_page_map: readonly PageStart[];
  readonly ft_pages: number | null;
  readonly ft_words: number | null;
  readonly ft_chars: number | null;
  readonly ft_language: string | null;
  readonly ft_truncated: boolean;
}

/** A file whose text is ready, with what passages say of it. */
export interface ReadyText extends FileTextRow {
  readonly file_name: string;
  readonly file_type: string;
  readonly file_ext: string;
  readonly version_id: string;
}

/** A file to be read. */
export interface FileToRead {
  readonly file_name: string;
  readonly file_type: string;
}

/** More passages than a source may have are cut off like a text beyond the limits. */
const TRUNCATED = sql`(t.ft_truncated OR EXISTS (SELECT FROM passage_source s WHERE s.tenant_id = t.tenant_id AND s.source_kind = 'file' AND s.source_id = t.file_id
  AND s.source_version = t.ft_version || '@' || coalesce(t.ft_engine, '') AND s.source_truncated)) AS ft_truncated`;
const ROW = sql`t.file_id, t.ft_version, t.ft_engine, t.ft_status, t.ft_error, t.ft_markdown_key, t.ft_outline, t.ft_page_map, t.ft_pages, t.ft_words, t.ft_chars, t.ft_language, ${TRUNCATED}`;
/** The text is of the bytes that the live file has now. */
const CURRENT = sql`r.tenant_id = t.tenant_id AND r.file_id = t.file_id AND r.file_deleted IS NULL AND r.file_processing <> 'quarantined' AND r.file_hash = t.ft_version`;

/** What became of the texts of files; rows go with their file. */
@Injectable()
export class FileTextRepository {
  constructor(private readonly db: Database) {}

  /** The bytes are to be read, unless they were; `force`: also then. Whether they are to be. */
  async requestText(file_id: string, version: string, force = false): Promise<boolean> {
    const row = await this.db.current().first(sql`
      INSERT INTO file_text AS t (tenant_id, file_id, ft_version) VALUES (${requireScope().tenant_id}, ${file_id}, ${version})
      ON CONFLICT (tenant_id, file_id) DO UPDATE SET ft_version = excluded.ft_version, ft_status = 'pending', ft_error = NULL, ft_attempts = 0, ft_updated = now()
      WHERE ${force} OR t.ft_version <> excluded.ft_version RETURNING 1 AS wanted`);
    return row !== undefined;
  }

  /** A run begins; null when these bytes are not to be read any more. */
  async beginRun(file_id: string, version: string): Promise<FileToRead | null> {
    const row = await this.db.current().first<FileToRead & Record<string, unknown>>(sql`
      UPDATE file_text t SET ft_status = 'running', ft_attempts = ft_attempts + 1, ft_updated = now() FROM file r
      WHERE t.tenant_id = ${requireScope().tenant_id} AND t.file_id = ${file_id} AND t.ft_version = ${version} AND t.ft_status IN ('pending', 'running') AND ${CURRENT}
      RETURNING r.file_name, r.file_type`);
    return row ?? null;
  }

  /** What became of it, and the key of the markdown that it replaces; undefined if the file has other bytes by now or is gone. */
  async saveText(
    file_id: string,
    version: string,
    text: Omit<ExtractedText, 'markdown'>,
    made: { readonly key: string | null; readonly chars: number; readonly language: string | null },
  ): Promise<{ readonly replaced: string | null } | undefined> {
    return this.db.current().first<{ replaced: string | null }>(sql`
      WITH before AS MATERIALIZED (
        SELECT ft_markdown_key FROM file_text WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ${file_id} AND ft_version = ${version})
      UPDATE file_text t SET ft_status = ${text.status}, ft_error = ${text.reason?.slice(0, 500) ?? null}, ft_engine = ${text.engine}, ft_markdown_key = ${made.key}, ft_outline = ${JSON.stringify(text.outline)}::jsonb,
        ft_page_map = ${JSON.stringify(text.page_map)}::jsonb, ft_pages = ${text.pages}, ft_words = ${text.words}, ft_chars = ${made.chars}, ft_language = ${made.language}, ft_truncated = ${text.truncated}, ft_updated = now()
      WHERE t.tenant_id = ${requireScope().tenant_id} AND t.file_id = ${file_id} AND t.ft_version = ${version}
      RETURNING (SELECT nullif(b.ft_markdown_key, t.ft_markdown_key) FROM before b) AS replaced`);
  }

  /** Nothing is read of these bytes, and nothing of others stays; as `saveText`. */
  async failText(
    file_id: string,
    version: string,
    reason: string,
    { ifOpen = false } = {},
  ): Promise<{ readonly replaced: string | null } | undefined> {
    return this.db.current().first<{ replaced: string | null }>(sql`
      WITH before AS MATERIALIZED (
        SELECT ft_markdown_key FROM file_text WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ${file_id} AND ft_version = ${version})
      UPDATE file_text t SET ft_status = 'failed', ft_error = ${reason.slice(0, 500)}, ft_markdown_key = NULL, ft_outline = '[]'::jsonb, ft_page_map = '[]'::jsonb, ft_updated = now()
      WHERE t.tenant_id = ${requireScope().tenant_id} AND t.file_id = ${file_id} AND t.ft_version = ${version} AND (NOT ${ifOpen}::boolean OR t.ft_status IN ('pending', 'running'))
      RETURNING (SELECT b.ft_markdown_key FROM before b) AS replaced`);
  }

  async findTexts(file_ids: readonly string[]): Promise<ReadonlyMap<string, FileTextRow>> {
    const rows = await this.db
      .current()
      .query<FileTextRow & Record<string, unknown>>(
        sql`SELECT ${ROW} FROM file_text t WHERE t.tenant_id = ${requireScope().tenant_id} AND t.file_id = ANY(${[...file_ids]}::uuid[])`,
      );
    return new Map(rows.map((row) => [row.file_id, row]));
  }

  /** The text of the live file as it is now, if it is ready. */
  findReadyText(file_id: string): Promise<ReadyText | undefined> {
    return this.db.current().first<ReadyText & Record<string, unknown>>(sql`
      SELECT ${ROW}, r.file_name, r.file_type, r.file_ext, r.file_current_version AS version_id FROM file_text t JOIN file r ON ${CURRENT}
      WHERE t.tenant_id = ${requireScope().tenant_id} AND t.file_id = ${file_id} AND t.ft_status = 'ready'`);
  }

  /** The same for committing passages of it; it does not change in the meantime. */
  async lockReadyVersion(file_id: string): Promise<string | null> {
    const row = await this.db.current().first<{ ft_version: string; ft_engine: string | null }>(sql`
      SELECT t.ft_version, t.ft_engine FROM file_text t JOIN file r ON ${CURRENT} WHERE t.tenant_id = ${requireScope().tenant_id} AND t.file_id = ${file_id} AND t.ft_status = 'ready' FOR SHARE OF t`);
    return row ? textVersion(row) : null;
  }

  /**
   * Holds the texts of files until the unit of work ends, in one order. What decides where files are searched and what has just read
   * their text wait for each other: the second sees what the first has done.
   */
  async lockTexts(file_ids: readonly string[]): Promise<void> {
    await this.db.current().query(sql`
      SELECT t.file_id FROM file_text t WHERE t.tenant_id = ${requireScope().tenant_id} AND t.file_id = ANY(${[...file_ids]}::uuid[])
      ORDER BY t.file_id FOR UPDATE`);
  }

  /** Of the files those that are live and whose repository has text, with their text where there is one. */
  async findScopedFiles(
    file_ids: readonly string[],
  ): Promise<(ScopedFile & { readonly file_hash: string | null; readonly text: FileTextRow | null })[]> {
    const rows = await this.db.current().query<ScopedFile & { file_hash: string | null }>(sql`
      SELECT r.file_id, r.repo_type, r.repo_id, r.file_hash FROM file r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = ANY(${[...file_ids]}::uuid[]) AND r.repo_type = ANY(${[...TEXT_REPOSITORIES]}::text[]) AND r.file_deleted IS NULL AND r.file_processing = 'ready'`);
    const texts = await this.findTexts(rows.map(({ file_id }) => file_id));
    return rows.map((row) => ({ ...row, text: texts.get(row.file_id) ?? null }));
  }

  /** Forgets what is known of the files; the keys of what was stored. */
  async deleteTexts(file_ids: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ ft_markdown_key: string | null }>(
        sql`DELETE FROM file_text t WHERE t.tenant_id = ${requireScope().tenant_id} AND t.file_id = ANY(${[...file_ids]}::uuid[]) RETURNING ft_markdown_key`,
      );
    return rows.flatMap(({ ft_markdown_key }) => ft_markdown_key ?? []);
  }

  /** Those of the keys that no text has. */
  async findUnusedKeys(keys: readonly string[]): Promise<string[]> {
    const rows = await this.db.current().query<{ key: string }>(sql`
      SELECT k.key FROM unnest(${[...keys]}::text[]) AS k (key)
      WHERE NOT EXISTS (SELECT FROM file_text t WHERE t.tenant_id = ${requireScope().tenant_id} AND t.ft_markdown_key = k.key AND t.file_id = (regexp_match(k.key, 'text/([0-9a-f-]{36})/'))[1]::uuid)`);
    return rows.map(({ key }) => key);
  }

  /** Texts that have waited so long, as far as a page goes. */
  findOverdueTexts(ageSeconds: number, limit: number): Promise<{ readonly file_id: string; readonly ft_version: string }[]> {
    return this.db.current().query<{ file_id: string; ft_version: string }>(sql`
      SELECT t.file_id, t.ft_version FROM file_text t JOIN file r ON ${CURRENT}
      WHERE t.tenant_id = ${requireScope().tenant_id} AND t.ft_status IN ('pending', 'running') AND t.ft_updated < now() - make_interval(secs => ${ageSeconds}) ORDER BY t.ft_updated LIMIT ${limit}`);
  }
}

/** Names a text: the bytes it was made of and what read them. */
export const textVersion = ({ ft_version, ft_engine }: Pick<FileTextRow, 'ft_version' | 'ft_engine'>): string =>
  `${ft_version}@${ft_engine ?? ''}`;
