import { Module, type Provider } from '@nestjs/common';
import { WebsitesOfPeople } from './websites-of-people';
import { WorkspaceWebsites } from './workspace-websites';

const SHARED: Provider[] = [WebsitesOfPeople, WorkspaceWebsites];

/** What is registered once for all areas: which tables go with a workspace, and which of their columns name people. */
@Module({ providers: SHARED, exports: SHARED })
export class SharedModule {}
