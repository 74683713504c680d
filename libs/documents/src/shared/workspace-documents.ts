import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspacePurgers } from '@atrium/identity';

/** What all areas keep goes with the workspace, before the files that it is about. */
@Injectable()
export class WorkspaceDocuments implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({ context: 'documents', order: 110, tables: ['document_relation', 'document_relation_type', 'document'] });
  }
}
