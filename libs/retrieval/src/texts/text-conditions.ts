import { Injectable } from '@nestjs/common';
import { sql, type Sql } from '@atrium/platform/database';
import type { FileTextStatus } from './file-text.repository';

/** What became of the text of the bytes that a file has now; bytes that nobody has asked for are pending. */
const STATUS = sql`coalesce((SELECT t.ft_status FROM file_text t WHERE t.tenant_id = r.tenant_id AND t.file_id = r.file_id AND t.ft_version = r.file_hash), 'pending')`;

/** What is known of the texts of files as conditions on the file row `r`, for lists and searches. */
@Injectable()
export class TextConditions {
  statusCondition(statuses: readonly FileTextStatus[]): Sql {
    return sql`${STATUS} = ANY(${[...statuses]}::text[])`;
  }

  /** Languages by their codes of ISO 639-1, in lower case; a text of an earlier version says nothing. */
  languageCondition(languages: readonly string[]): Sql {
    return sql`EXISTS (SELECT FROM file_text t WHERE t.tenant_id = r.tenant_id AND t.file_id = r.file_id AND t.ft_version = r.file_hash AND t.ft_status = 'ready' AND t.ft_language = ANY(${[...languages]}::text[]))`;
  }
}
