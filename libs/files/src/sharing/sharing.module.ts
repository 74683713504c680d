import { Module, type Provider } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { BlobsModule } from '../blobs/blobs.module';
import { FilesCoreModule } from '../core/core.module';
import { DownloadsModule } from '../downloads/downloads.module';
import { GuestArchives } from './application/guest-archives';
import { GuestPacking } from './application/guest-packing';
import { SharedFileRows } from './infrastructure/shared-files.rows';
import { SharedFiles } from './application/shared-files';
import { WatermarkMaking } from './application/watermark-making';
import { Watermarks } from './application/watermarks';
import { WatermarkHandler } from './jobs/watermark.handler';
import { watermark } from './jobs/watermark.jobs';

const SHARING: Provider[] = [GuestArchives, SharedFileRows, SharedFiles, Watermarks];

/** What of files may be shown to people from outside, and how it is marked. */
@Module({ imports: [BlobsModule, FilesCoreModule], providers: SHARING, exports: SHARING })
export class SharingModule {}

/** Its background work. */
@Module({
  imports: [BlobsModule, DownloadsModule, SharingModule, JobsModule.define([watermark])],
  providers: [GuestPacking, WatermarkHandler, WatermarkMaking],
})
export class SharingWorkerModule {}
