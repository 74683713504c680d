import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { FormsModule } from '@atrium/forms';
import { RetrievalModule } from '@atrium/retrieval';
import { ObjectStates } from './application/object-states';
import { ObjectTerms } from './application/object-terms';
import { ObjectStore } from './infrastructure/object-store';

const OBJECTS: Provider[] = [ObjectStates, ObjectStore, ObjectTerms];

/** Objects themselves: how they are written, found, referred to and deleted. */
@Module({ imports: [FilesModule, FormsModule, RetrievalModule], providers: OBJECTS, exports: OBJECTS })
export class ObjectRowsModule {}
