import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { MediaFacts, type AnalysisOfFile } from '../../library/application/media-facts';

/** The latest analyses of a file, as single reads of it show them. */
@Injectable()
export class AnalysesOfFiles implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly facts: MediaFacts,
  ) {}

  onModuleInit(): void {
    this.facts.register('analyses', (_, { file_id }) => this.analyses(file_id));
  }

  private analyses(file_id: string): Promise<AnalysisOfFile[]> {
    return this.db.current().query<AnalysisOfFile & Record<string, unknown>>(
      sql`SELECT a.fa_id, a.fa_schema, s.mas_name, a.fa_status, a.fa_result, a.fa_updated
          FROM file_analysis a LEFT JOIN media_analysis_schema s ON s.tenant_id = a.tenant_id AND s.mas_id = a.fa_schema
          WHERE a.tenant_id = ${requireScope().tenant_id} AND a.fa_file = ${file_id}::uuid AND a.fa_live ORDER BY a.fa_updated DESC, a.fa_id`,
    );
  }
}
