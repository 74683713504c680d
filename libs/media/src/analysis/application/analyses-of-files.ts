import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MediaFacts } from '../../library/application/media-facts';
import { FileAnalysesRepository } from '../infrastructure/file-analyses.repository';

/** The latest analyses of a file, as single reads of it show them. */
@Injectable()
export class AnalysesOfFiles implements OnModuleInit {
  constructor(
    private readonly analyses: FileAnalysesRepository,
    private readonly facts: MediaFacts,
  ) {}

  onModuleInit(): void {
    this.facts.register('analyses', (_, { file_id }) => this.analyses.findLatest(file_id));
  }
}
