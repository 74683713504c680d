import type { Provider } from '@nestjs/common';
import { GuestArchives } from './application/guest-archives';
import { GuestPacking } from './application/guest-packing';
import { SharedFiles } from './application/shared-files';
import { WatermarkMaking } from './application/watermark-making';
import { Watermarks } from './application/watermarks';
import { WatermarkHandler } from './jobs/watermark.handler';

/** What of files may be shown to people from outside, and how it is marked; in every host. */
export const SHARING_CORE: Provider[] = [GuestArchives, SharedFiles, Watermarks];

/** Its background work. */
export const SHARING_WORKER: Provider[] = [GuestPacking, WatermarkHandler, WatermarkMaking];
