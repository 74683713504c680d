import { Module, type Provider } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { FilesCoreModule } from '../core.module';
import { GuestArchives } from './application/guest-archives';
import { GuestPacking } from './application/guest-packing';
import { SharedFiles } from './application/shared-files';
import { WatermarkMaking } from './application/watermark-making';
import { Watermarks } from './application/watermarks';
import { WatermarkHandler } from './jobs/watermark.handler';
import { watermark } from './jobs/watermark.jobs';

const SHARING: Provider[] = [GuestArchives, SharedFiles, Watermarks];

/** What of files may be shown to people from outside, and how it is marked. */
@Module({ imports: [FilesCoreModule], providers: SHARING, exports: SHARING })
export class SharingModule {}

/** Its background work. */
@Module({
  imports: [FilesCoreModule, SharingModule, JobsModule.define([watermark])],
  providers: [GuestPacking, WatermarkHandler, WatermarkMaking],
})
export class SharingWorkerModule {}
