import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DescribedFiles, ReindexSteps } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { AnalysisSchemasRepository } from '../infrastructure/analysis-schemas.repository';
import { AnalysisRequests } from './analysis-requests';
import { MediaEmbeddings } from './media-embeddings';

/** What follows from what happens to files: new ones are analysed where a schema asks for it, and their meaning is indexed. */
@Injectable()
export class FileEventFollower implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly schemas: AnalysisSchemasRepository,
    private readonly files: DescribedFiles,
    private readonly requests: AnalysisRequests,
    private readonly embeddings: MediaEmbeddings,
    private readonly reindex: ReindexSteps,
  ) {}

  onModuleInit(): void {
    this.reindex.register({ step: 'similarity', reindexFiles: (ids) => this.embeddings.indexFiles(ids).then(() => []) });
  }

  async handleEvent(event: string, file_id: string): Promise<void> {
    if (event === 'file.ready') await this.analyse(file_id);
    await this.embeddings.indexFiles([file_id]);
  }

  private async analyse(file_id: string): Promise<void> {
    const { file, wanted } = await this.db.read(async () => {
      const automatic = await this.schemas.findAutomatic();
      const found = automatic.length > 0 ? (await this.files.describeFiles([file_id], 'media')).get(file_id) : undefined;
      return {
        file: found,
        wanted: automatic.filter(({ mas_kinds }) => found && (mas_kinds.length === 0 || mas_kinds.includes(found.file_kind))),
      };
    });
    if (file?.is_ready) for (const { mas_id } of wanted) await this.requests.requestNew(file, mas_id);
  }
}
