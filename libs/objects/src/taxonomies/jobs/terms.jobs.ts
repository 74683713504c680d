import { defineJob } from '@atrium/platform/messaging';
import { IsBoolean, IsUUID } from 'class-validator';

/** Names a deleted term and the one that takes its uses. */
export class ReassignTermsPayload {
  @IsUUID() tax_id!: string;
  @IsUUID() term_id!: string;
  /** With all terms below it. */
  @IsBoolean() whole!: boolean;
  @IsUUID() into!: string;
}

/** Gives the objects of a deleted term another one. */
export const reassignTerms = defineJob('objects.terms', {
  payload: ReassignTermsPayload,
  seenWith: ['object:taxonomy:edit'],
  attempts: 8,
  bulk: true,
  key: ({ term_id }) => term_id,
});
