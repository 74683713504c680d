import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HeldFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { SourceKinds, type SourceKind, type SourceText } from '../passages/application/source-kinds';
import { FILE_SOURCE } from './file-passages';
import { FileTextRepository, textVersion } from './file-text.repository';
import { TextRepositories } from './text-repositories';
import { TextStore } from './text-store';

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string');

/** Condition on `s`: the file is there, neither in trash nor in quarantine, and the condition on `r` holds. */
const fileIs = (condition: Sql): Sql =>
  sql`EXISTS (SELECT FROM file r WHERE r.tenant_id = s.tenant_id AND r.file_id = s.source_id AND r.file_deleted IS NULL AND r.file_processing <> 'quarantined' AND ${condition})`;

/** Filters that repositories know, each in its own way. */
const OF_REPOSITORIES = ['folder', 'tags', 'fields'] as const;
type Filters = NonNullable<SourceKind['filters']>;

/** Files as sources of passages. */
@Injectable()
export class FileSource implements SourceKind, OnModuleInit {
  readonly kind = FILE_SOURCE;
  readonly filters: Filters = {
    file_format: (value) => fileIs(sql`r.file_ext = ANY(${textsOf(value).map((format) => format.toLowerCase())}::text[])`),
    ...Object.fromEntries(
      OF_REPOSITORIES.map((name): [string, Filters[string]] => [
        name,
        async (value, readers) => fileIs(await this.repositories.buildFilterCondition(name, value, readers)),
      ]),
    ),
  };

  constructor(
    private readonly db: Database,
    private readonly kinds: SourceKinds,
    private readonly texts: FileTextRepository,
    private readonly repositories: TextRepositories,
    private readonly store: TextStore,
    private readonly held: HeldFiles,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  async readText(id: string): Promise<SourceText | null> {
    const row = await this.db.read(() => this.texts.findReadyText(id));
    const markdown = row?.ft_markdown_key ? await this.store.readForIndexing(row.ft_markdown_key, row.ft_engine) : null;
    if (!row || markdown === null) return null;
    return {
      version: textVersion(row),
      version_id: row.version_id,
      title: row.file_name,
      url: null,
      markdown,
      format: row.ft_engine?.startsWith('plain/') ? 'plain' : 'markdown',
      pages: row.ft_page_map,
      language: row.ft_language,
      meta: { format: row.file_ext, type: row.file_type },
    };
  }

  async findVersion(id: string): Promise<string | null> {
    await this.held.lockUnchanged([id]);
    return this.texts.lockReadyVersion(id);
  }

  /** Also while it is in the trash: it may come back. */
  existsCondition(): Sql {
    return sql`EXISTS (SELECT FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = s.source_id)`;
  }

  async buildReadableCondition(actor: Principal | null): Promise<Sql> {
    return fileIs(await this.repositories.buildReadableCondition(actor));
  }
}
