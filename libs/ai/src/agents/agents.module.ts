import { Module, type Provider } from '@nestjs/common';
import { DocumentsModule } from '@atrium/documents';
import { FilesModule } from '@atrium/files';
import { KnowledgeModule } from '@atrium/knowledge';
import { ModelsModule } from '@atrium/models';
import { SharedModule } from '../shared/shared.module';
import { AgentAccess } from './application/agent-access';
import { AgentTools } from './application/agent-tools';
import { AgentsElsewhere } from './application/agents-elsewhere';
import { AgentsService } from './application/agents.service';
import { KnownReferences } from './application/known-references';
import { ToolSources } from './application/tool-sources';
import { AgentsController } from './http/agents.controller';
import { AgentsRepository } from './infrastructure/agents.repository';

const AGENTS: Provider[] = [AgentAccess, AgentTools, AgentsElsewhere, AgentsRepository, AgentsService, KnownReferences, ToolSources];

/** Agents: what they are made of, who may use them, and the tools they can have. */
@Module({ imports: [DocumentsModule, FilesModule, KnowledgeModule, ModelsModule, SharedModule], providers: AGENTS, exports: AGENTS })
export class AgentsModule {}

/** Their routes. */
@Module({ imports: [AgentsModule], controllers: [AgentsController] })
export class AgentsHttpModule {}
