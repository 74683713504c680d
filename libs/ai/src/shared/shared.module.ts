import { Module, type Provider } from '@nestjs/common';
import { RetrievalModule } from '@atrium/retrieval';
import { AiOfPeople } from './ai-of-people';
import { WorkspaceAi } from './workspace-ai';

const SHARED: Provider[] = [AiOfPeople, WorkspaceAi];

/** What is registered once for all areas: which tables go with a workspace, and what of them points to people; and access lists. */
@Module({ imports: [RetrievalModule], providers: SHARED, exports: SHARED })
export class SharedModule {}
