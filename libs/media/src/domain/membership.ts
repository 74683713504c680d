import { Id, Ref, Resource, Stamp, TenantRow } from '@atrium/platform/database';

/** That a file lies in an album, and since when. */
@Resource({ table: 'album_file', sort: '-af_created' })
export class Membership extends TenantRow {
  @Id({ internal: true }) readonly af_id!: string;
  @Ref({ about: 'The album.', filter: 'equals' }) readonly af_album!: string;
  @Ref({ about: 'The file.', filter: 'equals' }) readonly af_file!: string;
  @Stamp({ about: 'When the file was added.', sort: true }) readonly af_created!: Date;
  @Ref({ optional: true, about: 'Who added it.' }) readonly af_added_by!: string | null;
}

export type MembershipRow = Pick<Membership, 'af_album' | 'af_file' | 'af_created' | 'af_added_by'>;
