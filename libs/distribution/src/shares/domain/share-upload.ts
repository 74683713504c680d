import { Choice, Id, IdList, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';

export const REVIEWS = ['none', 'pending', 'accepted', 'rejected'] as const;
export type Review = (typeof REVIEWS)[number];

/** A file that a visitor sends or has sent: by which link and visit, and what was decided about it. */
@Resource({ table: 'share_upload', sort: '-su_created' })
export class ShareUpload extends TenantRow {
  @Id({ about: 'Id of the upload.', filter: undefined }) readonly su_id!: string;
  @Choice(['open', 'finalized', 'ended'], {
    about: '`open`: being uploaded. `finalized`: became a file. `ended`: aborted or expired.',
    filter: 'equals',
  })
  su_state!: 'open' | 'finalized' | 'ended';
  @Choice(REVIEWS, {
    about: '`none`: the link is not moderated. `pending`: waits for your decision. `accepted`, `rejected`: decided.',
    filter: 'equals',
  })
  su_review!: Review;
  @Ref({ optional: true, about: 'File created from the upload.' }) su_file!: string | null;
  @Text({ about: 'File name given by the visitor.' }) su_file_name!: string;
  @Whole({ min: 0, about: 'Size in bytes.', example: 2_481_152 }) su_file_size!: number;
  @IdList({ about: 'Albums to which the file is added.' }) su_albums!: string[];
  @Text({ optional: true, about: 'Name of the visitor.' }) su_name!: string | null;
  @Text({ optional: true, max: 320, about: 'E-mail address of the visitor.' }) su_email!: string | null;
  @Stamp({ about: 'When the upload was created.', filter: 'range', sort: true }) su_created!: Date;
  @Stamp({ optional: true, about: 'When the upload was finalized.' }) su_finalized!: Date | null;

  @Ref({ internal: true }) su_share!: string;
  @Text({ internal: true }) su_visit!: string;
  @Text({ internal: true, optional: true, max: 64 }) su_file_hash!: string | null;
}
