import { Module, type OnModuleInit } from '@nestjs/common';
import { IdentityModule, WorkspacePurgers } from '@atrium/identity';

/** Models of every kind: who provides them, and calls that are metered. */
@Module({ imports: [IdentityModule] })
export class ModelsModule implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({ context: 'models', order: 700, tables: ['model_provider'] });
  }
}
