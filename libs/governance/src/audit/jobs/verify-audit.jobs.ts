import { defineJob } from '@atrium/platform/messaging';
import { IsISO8601, IsOptional } from 'class-validator';

/** The range of time whose events are compared with their seals. */
export class VerifyAuditPayload {
  @IsOptional() @IsISO8601() from?: string;
  @IsOptional() @IsISO8601() to?: string;
}

/** Compares very many audit events with their seals. */
export const verifyAudit = defineJob('governance.verify-audit', { payload: VerifyAuditPayload, attempts: 5, seenWith: ['admin:audit'] });
