import { Module } from '@nestjs/common';
import { BlobsWorkerModule } from '../blobs/blobs.module';
import { InspectionWorkerModule } from '../inspection/inspection.module';
import { VersionsModule } from '../versions/versions.module';
import { UprightPictures } from './upright-pictures';

/** Pictures as other services take them, for the workers of the contexts that send them there. */
@Module({ imports: [BlobsWorkerModule, InspectionWorkerModule, VersionsModule], providers: [UprightPictures], exports: [UprightPictures] })
export class PicturesWorkerModule {}
