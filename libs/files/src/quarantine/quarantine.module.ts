import { Module, type Provider } from '@nestjs/common';
import { BlobsModule } from '../blobs/blobs.module';
import { FilesCoreModule } from '../core/core.module';
import { VersionsModule } from '../versions/versions.module';
import { Quarantine } from './quarantine';
import { WithheldVersionRows } from './withheld-versions.rows';
import { QuarantineRelease } from './quarantine-release';
import { QuarantineController } from './quarantine.controller';

const QUARANTINE: Provider[] = [Quarantine, QuarantineRelease, WithheldVersionRows];

/** Files whose bytes nobody may read, and how they are released. */
@Module({ imports: [BlobsModule, FilesCoreModule, VersionsModule], providers: QUARANTINE, exports: QUARANTINE })
export class QuarantineModule {}

/** Its route. */
@Module({ imports: [QuarantineModule], controllers: [QuarantineController] })
export class QuarantineHttpModule {}
