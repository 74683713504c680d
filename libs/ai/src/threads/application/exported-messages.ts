import { Injectable } from '@nestjs/common';
import { PersonDataSources, type PersonReader } from '@atrium/governance';
import { Database, sql } from '@atrium/platform/database';
import { asJson, type JsonObject } from '@atrium/platform/kernel';
import type { MessageCitation } from '../domain/message';
import { inThreadOf } from '../infrastructure/thread-shares';
import { MessageReader, redactedCitation } from './message-reader';

type Row = JsonObject & { readonly msg_citations?: readonly (JsonObject & MessageCitation)[] };

/**
 * Messages in the archive of a person: what they wrote themselves, and the answers to it in threads that they may read now, as the API
 * shows them. Of a source that the person may not read, an answer keeps its number and kind.
 */
@Injectable()
export class ExportedMessages {
  constructor(
    sources: PersonDataSources,
    private readonly db: Database,
    private readonly reader: MessageReader,
  ) {
    sources.registerTableHandler('message', {
      readable: (reader) => sql`(r.msg_role IN ('user', 'operator') OR ${inThreadOf(sql`r.msg_thread`, reader)})`,
      shown: (rows, _, reader) => this.shown(rows, reader),
    });
  }

  private async shown(rows: readonly Row[], reader: PersonReader): Promise<readonly JsonObject[]> {
    const lists = rows.map(({ msg_citations = [] }) => msg_citations);
    const seen = reader
      ? await this.db.read(() => this.reader.viewCitations(reader, lists))
      : lists.map((list) => list.map(redactedCitation));
    return rows.map((row, at) => (row.msg_citations ? { ...row, msg_citations: (seen[at] ?? []).map(asJson) } : row));
  }
}
