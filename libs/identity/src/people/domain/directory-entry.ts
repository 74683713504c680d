import { Choice, Id, Ref, Resource, TenantRow, Text } from '@atrium/platform/database';
import { USER_KINDS, type UserKind } from './user';

/** What every member may know of another one, for pickers and names: no address, no state. */
@Resource({ table: 'workspace_user', sort: 'user_name' })
export class DirectoryEntry extends TenantRow {
  @Id({ about: 'Id of the member.' }) readonly user_id!: string;
  @Text({ filter: 'contains', sort: true, about: 'Name in this workspace.', example: 'Ada Lindgren' }) readonly user_name!: string;
  @Text({ optional: true, about: 'What the member does here.', example: 'Picture editor' }) readonly user_title!: string | null;
  @Ref({ optional: true, about: 'Picture of the member.' }) readonly user_avatar_file!: string | null;
  @Choice(USER_KINDS, { filter: 'equals', about: 'Person, service or extension.' }) readonly user_kind!: UserKind;
}
