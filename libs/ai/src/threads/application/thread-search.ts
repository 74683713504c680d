import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, pageOfRows, type ListParameters, type Page } from '@atrium/platform/database';
import { snippetOf, type Snippet } from '../domain/snippet';
import { ThreadSearchRows, type ThreadQuery } from '../infrastructure/thread-search.rows';
import { ThreadsRepository, type ThreadRow } from '../infrastructure/threads.repository';

export interface FoundThread {
  readonly thread: ThreadRow;
  readonly msg_id: string | null;
  readonly snippet: Snippet;
  readonly rank: number;
}

export type ThreadSearchQuery = ThreadQuery & Pick<ListParameters, 'cursor' | 'limit'>;

/** As many threads as anybody looks through. */
const MOST = 200;
class Hit {}

/** Threads found by what they are called and by what was said in them; only those that the caller may read. */
@Injectable()
export class ThreadSearch {
  constructor(
    private readonly db: Database,
    private readonly found: ThreadSearchRows,
    private readonly threads: ThreadsRepository,
  ) {}

  search(caller: Principal, { cursor, limit = 20, ...query }: ThreadSearchQuery): Promise<Page<FoundThread>> {
    return this.db.read(async () => {
      const hits = await this.found.best(caller, query, MOST);
      const page = pageOfRows(Hit, hits, { cursor, limit }, ({ thread_id }) => thread_id);
      const texts = await this.found.texts(page.data.flatMap(({ msg_id }) => msg_id ?? []));
      const rows = new Map(
        (
          await this.threads.rows(
            caller,
            page.data.map(({ thread_id }) => thread_id),
          )
        ).map((row) => [row.thread_id, row]),
      );
      const data = page.data.flatMap(({ thread_id, msg_id, rank }): FoundThread[] => {
        const thread = rows.get(thread_id);
        const text = (msg_id === null ? thread?.thread_title : texts.get(msg_id)) ?? '';
        return thread ? [{ thread, msg_id, rank, snippet: snippetOf(text, query.q) }] : [];
      });
      return { ...page, data };
    });
  }
}
