import { SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { ArrayMaxSize, IsArray, IsString } from 'class-validator';

/** Names objects in whose place others have come. */
export class DiscardedPayload {
  @IsArray() @ArrayMaxSize(100) @IsString({ each: true }) keys!: string[];
}

/** Removes objects from storage once no address of them is good any more. */
export const discarded = defineJob('files.discarded', { payload: DiscardedPayload, attempts: 8, backoffMs: 5 * SECOND });
