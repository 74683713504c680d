import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import type { VerdictWord } from '../domain/share-options';

export interface NewVerdict {
  readonly share_id: string;
  readonly file_id: string;
  readonly visitor: string;
  readonly verdict: VerdictWord;
  readonly comment: string | null;
  readonly name: string | null;
  readonly email: string | null;
}

/** What visitors think of files: one word a visitor and file, the last one counts. */
@Injectable()
export class ShareVerdictRows {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async findVerdicts(share_id: string, visitor: string): Promise<ReadonlyMap<string, VerdictWord>> {
    const rows = await this.db
      .current()
      .query<{ sv_file: string; sv_verdict: VerdictWord }>(
        sql`SELECT sv_file, sv_verdict FROM share_verdict WHERE tenant_id = ${requireScope().tenant_id} AND sv_share = ${share_id} AND sv_visitor = ${visitor}`,
      );
    return new Map(rows.map(({ sv_file, sv_verdict }) => [sv_file, sv_verdict]));
  }

  async putVerdict({ share_id, file_id, visitor, verdict, comment, name, email }: NewVerdict): Promise<void> {
    const now = this.clock.now();
    await this.db.current().execute(sql`
      INSERT INTO share_verdict (tenant_id, sv_id, sv_share, sv_file, sv_visitor, sv_verdict, sv_comment, sv_name, sv_email, sv_created, sv_updated)
      VALUES (${requireScope().tenant_id}, ${this.ids.next()}, ${share_id}, ${file_id}, ${visitor}, ${verdict}, ${comment}, ${name}, ${email}, ${now}, ${now})
      ON CONFLICT (tenant_id, sv_share, sv_file, sv_visitor) DO UPDATE SET sv_verdict = excluded.sv_verdict, sv_comment = excluded.sv_comment, sv_name = excluded.sv_name, sv_email = excluded.sv_email, sv_updated = excluded.sv_updated`);
  }

  /** How many visitors approve and reject the files of a link. */
  async countVerdicts(share_id: string, file_id: string): Promise<Record<VerdictWord, number>> {
    const row = await this.db.current().first<Record<VerdictWord, number>>(sql`
      SELECT count(*) FILTER (WHERE sv_verdict = 'approved') AS approved, count(*) FILTER (WHERE sv_verdict = 'rejected') AS rejected
      FROM share_verdict WHERE tenant_id = ${requireScope().tenant_id} AND sv_share = ${share_id} AND sv_file = ${file_id}`);
    return row ?? { approved: 0, rejected: 0 };
  }
}
