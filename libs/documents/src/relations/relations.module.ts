import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { RelationTypesController } from './relation-types.controller';
import { RelationTypesRepository } from './relation-types.repository';
import { RelationTypesService } from './relation-types.service';
import { RelationsController } from './relations.controller';
import { RelationsRepository } from './relations.repository';
import { RelationsService } from './relations.service';

const RELATIONS: Provider[] = [RelationsRepository, RelationsService, RelationTypesRepository, RelationTypesService];

/** How documents belong together: kinds of links, and the links. */
@Module({ imports: [FilesModule], providers: RELATIONS, exports: RELATIONS })
export class RelationsModule {}

/** Its routes. */
@Module({ imports: [RelationsModule], controllers: [RelationTypesController, RelationsController] })
export class RelationsHttpModule {}
