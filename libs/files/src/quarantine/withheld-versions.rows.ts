import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { MALWARE } from '../versions/domain/file-version';

/** Versions whose bytes hold malware. */
@Injectable()
export class WithheldVersionRows {
  constructor(private readonly db: Database) {}

  /** Files of which a version shows these bytes and is not yet withheld. */
  async findExposedFiles(blob_id: string, most: number): Promise<string[]> {
    const shown = await this.db
      .current()
      .query<{ fv_file: string }>(
        sql`SELECT DISTINCT fv_file FROM file_version WHERE tenant_id = ${requireScope().tenant_id} AND fv_blob = ${blob_id} AND (fv_quarantine IS DISTINCT FROM ${MALWARE} OR fv_replicas <> '') ORDER BY fv_file LIMIT ${most}`,
      );
    return shown.map(({ fv_file }) => fv_file);
  }

  /** Withholds all versions of the files that show these bytes. */
  async withholdVersions(blob_id: string, files: readonly string[]): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE file_version SET fv_quarantine = ${MALWARE}, fv_replicas = '', fv_rendition_bytes = 0, row_version = row_version + 1 WHERE tenant_id = ${requireScope().tenant_id} AND fv_blob = ${blob_id} AND fv_file = ANY(${[...files]}::uuid[])`);
  }
}
