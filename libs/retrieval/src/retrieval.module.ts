import { Module, type OnModuleInit } from '@nestjs/common';
import { IdentityModule, WorkspacePurgers } from '@atrium/identity';
import { ModelsModule } from '@atrium/models';

/** Finding things by meaning: embeddings, and vectors by nearness. */
@Module({ imports: [IdentityModule, ModelsModule] })
export class RetrievalModule implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({ context: 'retrieval', order: 60, tables: ['vector_entry', 'embedding_cache'] });
  }
}
