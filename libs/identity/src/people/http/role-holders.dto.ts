import { IdList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, ListQuery } from '@atrium/platform/http';
import { User } from '../domain/user';

export class ListRoleUsers extends ListQuery(User) {
  declare user_name?: string;
  declare user_email?: string;
  declare user_status?: string;
}

/** Users by their ids. */
@Accepts()
export class RoleUserIds {
  @IdList({ min: 1, max: 500, about: 'Users of the workspace. Other ids are skipped.' }) user_ids!: string[];
}

@Answer()
export class ChangedUsers {
  @Whole({ about: 'Number of users who were changed.', example: 3 }) changed!: number;
}
