import { SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { ArrayMaxSize, IsArray, IsOptional, IsString, IsUUID } from 'class-validator';

export const MOST_DISCARDED = 100;

/** Names objects in whose place others have come, or that nothing refers to. */
export class DiscardedPayload {
  @IsArray() @ArrayMaxSize(MOST_DISCARDED) @IsString({ each: true }) keys!: string[];
  /** The blob below which they are stored, where a run may still have won with them. */
  @IsOptional() @IsUUID() blob_id?: string;
}

/** Removes objects from storage once no address of them is good any more. */
export const discarded = defineJob('files.discarded', { payload: DiscardedPayload, attempts: 8, backoffMs: 5 * SECOND });
