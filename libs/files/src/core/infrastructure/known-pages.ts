import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** How many pages bytes have, if the extraction of their text counts them and the inspection of the file did not. */
@Injectable()
export class KnownPages {
  constructor(private readonly db: Database) {}

  /** Within a writing unit of work. The bytes know it, so that another look into them keeps it, and so does the file that shows them. */
  async recordPages(file_id: string, { hash, pages }: { readonly hash: string; readonly pages: number }): Promise<void> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    const told = sql`jsonb_build_object('pages', ${pages}::integer)`;
    await tx.execute(sql`
      UPDATE file_blob b SET blob_system = b.blob_system || ${told} FROM file f
      WHERE f.tenant_id = ${tenant_id} AND f.file_id = ${file_id} AND f.file_hash = ${hash} AND b.tenant_id = f.tenant_id AND b.blob_id = f.file_blob
        AND b.blob_system IS NOT NULL AND b.blob_system -> 'pages' IS NULL`);
    await tx.execute(sql`
      UPDATE file f SET file_metadata = f.file_metadata || jsonb_build_object('system', coalesce(f.file_metadata -> 'system', '{}') || ${told}), row_version = f.row_version + 1
      WHERE f.tenant_id = ${tenant_id} AND f.file_id = ${file_id} AND f.file_hash = ${hash} AND f.file_metadata #> '{system,pages}' IS NULL`);
  }
}
