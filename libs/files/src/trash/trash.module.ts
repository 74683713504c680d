import { Module, type OnModuleInit, type Provider } from '@nestjs/common';
import { RetentionPolicies } from '@atrium/governance';
import { WorkspaceOptions } from '@atrium/identity';
import { BlobsModule } from '../blobs/blobs.module';
import { BulkModule } from '../bulk/bulk.module';
import { FilesCoreModule } from '../core/core.module';
import { VersionsModule } from '../versions/versions.module';
import { OwnedFiles } from './application/owned-files';
import { Trash } from './application/trash';
import { TrashEmptying } from './application/trash-emptying';
import { TrashMoves } from './application/trash-moves';
import { ChosenTrashRetention, TrashRetention, trashRetentionOption } from './application/trash-retention';
import { FileDeletionController } from './http/file-deletion.controller';
import { TrashController } from './http/trash.controller';
import { TrashRows } from './infrastructure/trash-rows';

const TRASH: Provider[] = [
  OwnedFiles,
  Trash,
  TrashEmptying,
  TrashMoves,
  { provide: TrashRetention, useClass: ChosenTrashRetention },
  TrashRows,
];

/** Deleted files: restored, or deleted permanently when their time is over. */
@Module({ imports: [BlobsModule, BulkModule, FilesCoreModule, VersionsModule], providers: TRASH, exports: TRASH })
export class TrashModule implements OnModuleInit {
  constructor(
    private readonly options: WorkspaceOptions,
    private readonly policies: RetentionPolicies,
  ) {}

  onModuleInit(): void {
    this.options.register(trashRetentionOption(this.policies));
  }
}

/** Its routes. */
@Module({ imports: [FilesCoreModule, TrashModule], controllers: [FileDeletionController, TrashController] })
export class TrashHttpModule {}
