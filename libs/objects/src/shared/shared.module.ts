import { Module, type Provider } from '@nestjs/common';
import { ObjectsOfPeople } from './objects-of-people';
import { WorkspaceObjects } from './workspace-objects';

const SHARED: Provider[] = [ObjectsOfPeople, WorkspaceObjects];

/** What is registered once for all areas: which tables go with a workspace, and which of their columns name people. */
@Module({ providers: SHARED, exports: SHARED })
export class SharedModule {}
