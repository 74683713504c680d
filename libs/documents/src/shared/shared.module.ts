import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { RetrievalModule } from '@atrium/retrieval';
import { DocumentsOfPeople } from './documents-of-people';
import { WorkspaceDocuments } from './workspace-documents';

const SHARED: Provider[] = [DocumentsOfPeople, WorkspaceDocuments];

/** What is registered once for all areas: which tables go with a workspace, and what of them points to people. */
@Module({ imports: [FilesModule, RetrievalModule], providers: SHARED, exports: SHARED })
export class SharedModule {}
