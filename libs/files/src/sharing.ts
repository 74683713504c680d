import type { Provider } from '@nestjs/common';
import { GuestArchives } from './sharing/application/guest-archives';
import { GuestPacking } from './sharing/application/guest-packing';
import { SharedFiles } from './sharing/application/shared-files';
import { WatermarkMaking } from './sharing/application/watermark-making';
import { Watermarks } from './sharing/application/watermarks';
import { WatermarkHandler } from './sharing/jobs/watermark.handler';

/** What of files may be shown to people from outside, and how it is marked; in every host. */
export const SHARING_CORE: Provider[] = [GuestArchives, SharedFiles, Watermarks];

/** Its background work. */
export const SHARING_WORKER: Provider[] = [GuestPacking, WatermarkHandler, WatermarkMaking];
