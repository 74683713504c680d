import { Module, type Provider } from '@nestjs/common';
import { KnowledgeOfPeople } from './knowledge-of-people';
import { WorkspaceKnowledge } from './workspace-knowledge';

const SHARED: Provider[] = [KnowledgeOfPeople, WorkspaceKnowledge];

/** What is registered once for all areas: which tables go with a workspace, and what of them points to people. */
@Module({ providers: SHARED, exports: SHARED })
export class SharedModule {}
