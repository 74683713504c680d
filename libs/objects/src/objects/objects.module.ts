import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { FormsModule } from '@atrium/forms';
import { RetrievalModule } from '@atrium/retrieval';
import { DeletedObjects } from './application/deleted-objects';
import { ExportedObjects } from './application/exported-objects';
import { ObjectAnswers } from './application/object-answers';
import { ObjectClaims } from './application/object-claims';
import { ObjectExpansion } from './application/object-expansion';
import { ObjectHolder } from './application/object-holder';
import { ObjectIndex } from './application/object-index';
import { ObjectJudging } from './application/object-judging';
import { ObjectList } from './application/object-list';
import { ObjectReferences } from './application/object-references';
import { ObjectRetention } from './application/object-retention';
import { ObjectRevisions } from './application/object-revisions';
import { ObjectShaping } from './application/object-shaping';
import { ObjectSource } from './application/object-source';
import { ObjectStates } from './application/object-states';
import { ObjectTerms } from './application/object-terms';
import { ObjectWrites } from './application/object-writes';
import { Objects } from './application/objects';
import { ObjectsElsewhere } from './application/objects-elsewhere';
import { ObjectsService } from './application/objects.service';
import { ObjectsController } from './http/objects.controller';
import { DeletedObjectRows } from './infrastructure/deleted-objects.rows';
import { ObjectReadingRows } from './infrastructure/object-reading.rows';
import { ObjectRevisionRows } from './infrastructure/object-revisions.rows';
import { OtherSchemaValues } from './infrastructure/other-schema-values.rows';
import { ObjectStore } from './infrastructure/object-store';

const OBJECTS: Provider[] = [
  DeletedObjectRows,
  DeletedObjects,
  ExportedObjects,
  ObjectAnswers,
  ObjectClaims,
  ObjectExpansion,
  ObjectHolder,
  ObjectIndex,
  ObjectJudging,
  ObjectList,
  ObjectReadingRows,
  ObjectReferences,
  ObjectRetention,
  ObjectRevisionRows,
  ObjectRevisions,
  Objects,
  ObjectsElsewhere,
  ObjectShaping,
  OtherSchemaValues,
  ObjectSource,
  ObjectsService,
  ObjectStates,
  ObjectStore,
  ObjectTerms,
  ObjectWrites,
];

/** Objects themselves: how they are written, found, referred to and deleted. */
@Module({ imports: [FilesModule, FormsModule, RetrievalModule], providers: OBJECTS, exports: OBJECTS })
export class ObjectRowsModule {}

/** Their routes. */
@Module({ imports: [ObjectRowsModule], controllers: [ObjectsController] })
export class ObjectRowsHttpModule {}
