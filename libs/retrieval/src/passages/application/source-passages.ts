import { Injectable } from '@nestjs/common';
import { Database, Id, listPage, Resource, sql, TenantRow, Text, Whole, type ListParameters, type Page } from '@atrium/platform/database';
import type { SourceKey } from '../domain/passage';

/** A row of `passage` as it is read in the order of its document. */
@Resource({ table: 'passage', sort: 'psg_ordinal' })
class StoredPassage extends TenantRow {
  @Id() readonly passage_id!: string;
  @Whole({ sort: true }) readonly psg_ordinal!: number;
  @Text() readonly psg_text!: string;
  @Text() readonly psg_heading!: string;
  @Whole({ optional: true }) readonly psg_page_from!: number | null;
  @Whole({ optional: true }) readonly psg_page_to!: number | null;
  @Whole() readonly psg_tokens!: number;
}

/** A passage as readers of its source see it. */
export interface SourcePassage {
  readonly passage_id: string;
  readonly ordinal: number;
  readonly text: string;
  readonly heading: string;
  readonly page_from: number | null;
  readonly page_to: number | null;
  readonly tokens: number;
  /** A search can find it. */
  readonly indexed: boolean;
}

const INDEXED = sql`EXISTS (SELECT FROM passage_scope k WHERE k.tenant_id = r.tenant_id AND k.source_kind = r.source_kind AND k.source_id = r.source_id) AS indexed`;

/** The passages of one source; rights are the asking context's to decide. */
@Injectable()
export class SourcePassages {
  constructor(private readonly db: Database) {}

  /** In the order of the document; within a unit of work. */
  async listPassages({ kind, id }: SourceKey, query: ListParameters): Promise<Page<SourcePassage>> {
    const page = await listPage<StoredPassage & { readonly indexed: boolean }>(
      this.db.current(),
      StoredPassage,
      { ...query, sort: 'psg_ordinal' },
      { where: sql`r.source_kind = ${kind} AND r.source_id = ${id}::uuid`, select: INDEXED },
    );
    return {
      ...page,
      data: page.data.map(({ passage_id, indexed, ...row }) => ({
        passage_id,
        ordinal: row.psg_ordinal,
        text: row.psg_text,
        heading: row.psg_heading,
        page_from: row.psg_page_from,
        page_to: row.psg_page_to,
        tokens: row.psg_tokens,
        indexed,
      })),
    };
  }
}
