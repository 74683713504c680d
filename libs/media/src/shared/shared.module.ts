import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { MediaOfPeople } from './media-of-people';
import { WorkspaceMedia } from './workspace-media';

const SHARED: Provider[] = [MediaOfPeople, WorkspaceMedia];

/** What is registered once for all areas: which tables go with a workspace, and what of them points to people. */
@Module({ imports: [FilesModule], providers: SHARED, exports: SHARED })
export class SharedModule {}
