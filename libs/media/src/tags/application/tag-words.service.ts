import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { job, Outbox, type JobRun } from '@atrium/platform/messaging';
import { tagWords } from '../jobs/tags.jobs';

const BATCH = 500;

/** Keeps the words by which files are found in step with a tag whose value or synonyms changed, in the background. */
@Injectable()
export class TagWords {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Within the unit of work that changes the tag. */
  renew(mt_id: string): void {
    this.outbox.add(job(tagWords, { mt_id }));
  }

  /** Along the files that have it; doing it twice changes nothing. */
  async run(mt_id: string, run: Pick<JobRun, 'signal' | 'heartbeat'>): Promise<void> {
    for (let after: string | null = null; ;) {
      run.signal.throwIfAborted();
      const files: string[] = await this.db.write(() => this.some(mt_id, after));
      after = files.at(-1) ?? null;
      if (after === null || files.length < BATCH) return;
      await run.heartbeat();
    }
  }

  private async some(mt_id: string, after: string | null): Promise<string[]> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ file: string }>(sql`
      WITH bearing AS MATERIALIZED (
        SELECT ft_file FROM file_tag WHERE tenant_id = ${tenant_id}::uuid AND ft_tag = ${mt_id}::uuid AND (${after}::uuid IS NULL OR ft_file > ${after}::uuid) ORDER BY ft_file LIMIT ${BATCH}),
      renewed AS (
        UPDATE file_search_text s SET fst_tags = tag_words_of(${tenant_id}::uuid, s.file_id) FROM bearing b WHERE s.tenant_id = ${tenant_id}::uuid AND s.file_id = b.ft_file)
      SELECT ft_file AS file FROM bearing ORDER BY ft_file`);
    return rows.map(({ file }) => file);
  }
}
