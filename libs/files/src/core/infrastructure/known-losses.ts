import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** What the text of bytes does not hold of them. */
export interface KnownLoss {
  readonly share: number;
  readonly reason: string;
}

/** Which files have lost words on the way to their text. */
@Injectable()
export class KnownLosses {
  constructor(private readonly db: Database) {}

  /** Within a writing unit of work. The file says so while it shows these bytes; without a loss, it says nothing of one any more. */
  async recordLoss(file_id: string, { hash, loss }: { readonly hash: string; readonly loss: KnownLoss | null }): Promise<void> {
    const told = loss && JSON.stringify({ share: loss.share, reason: loss.reason });
    await this.db.current().execute(sql`
      UPDATE file f SET row_version = f.row_version + 1, file_metadata = f.file_metadata || jsonb_build_object('system',
        coalesce(f.file_metadata -> 'system', '{}') - 'text_loss' || CASE WHEN ${told}::jsonb IS NULL THEN '{}' ELSE jsonb_build_object('text_loss', ${told}::jsonb) END)
      WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = ${file_id} AND f.file_hash = ${hash} AND f.file_metadata #> '{system,text_loss}' IS DISTINCT FROM ${told}::jsonb`);
  }
}
