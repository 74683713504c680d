import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, listPage, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { HistoryLine } from '../domain/history-line';
import { FileQueries } from './file-queries';
import { NamedInHistory } from './named-in-history';

/** Reads what happened to a file, newest first. */
@Injectable()
export class FileTimeline {
  constructor(
    private readonly db: Database,
    private readonly queries: FileQueries,
    private readonly named: NamedInHistory,
  ) {}

  listTimeline(caller: Principal, file_id: string, query: ListParameters): Promise<Page<HistoryLine>> {
    return this.db.read(async (tx) => {
      await this.queries.getFile(caller, file_id);
      const page = await listPage<HistoryLine>(tx, HistoryLine, query, { where: sql`r.fh_file = ${file_id}` });
      return { ...page, data: await this.named.filterLines(caller, page.data) };
    });
  }
}
