import { Id, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';

/** A file in an album, and since when. */
@Resource({ table: 'album_file', sort: '-af_created', isFoundById: false, served: { af_album: ['af_created'], af_file: ['af_created'] } })
export class Membership extends TenantRow {
  @Id({ internal: true }) readonly af_id!: string;
  @Ref({ about: 'The album.', filter: 'equals' }) readonly af_album!: string;
  @Ref({ about: 'The file.', filter: 'equals' }) readonly af_file!: string;
  @Stamp({ about: 'When the file was added.', sort: true }) readonly af_created!: Date;
  @Ref({ optional: true, about: 'User who added the file.' }) readonly af_added_by!: string | null;
  @Text({
    max: 400,
    about: 'Rank in the manual order of the album. Compare ranks byte by byte; they have no other meaning.',
    example: '0655a1c9e3f2d0',
  })
  readonly af_position!: string;
}

export type MembershipRow = Pick<Membership, 'af_album' | 'af_file' | 'af_created' | 'af_added_by' | 'af_position'>;
