import { defineJob } from '@atrium/platform/messaging';
import { SECOND } from '@atrium/platform/kernel';
import { IsBoolean, IsOptional, IsUUID, Matches } from 'class-validator';

/** Names the version whose bytes are to be read, and the hash that was promised for them. */
export class IngestPayload {
  @IsUUID() file_id!: string;
  @IsUUID() fv_id!: string;
  @IsOptional() @Matches(/^[0-9a-f]{64}$/) promised_hash?: string;
  /** The bytes were read before and are looked into once more. */
  @IsOptional() @IsBoolean() again?: boolean;
}

/** Reads the bytes of a new version: what they are, whether they are known already, and what they look like. */
export const ingest = defineJob('files.ingest', { payload: IngestPayload, attempts: 5, backoffMs: 2 * SECOND, key: ({ fv_id }) => fv_id });
