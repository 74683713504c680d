import { Json, Ref, Text } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, ListQuery, PageOf } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';

const ACL = {
  about:
    'Access levels (`view`, `edit`, `owner`) by the ids of `users`, `roles` and `spaces`. Empty: everyone with the permission of the area.',
  example: { users: { '0190163d-8694-739b-aea5-966c26f8ad91': 'owner' } },
};

@Answer()
export class AccessListView {
  @Text({ about: 'Kind of the row.', example: 'document_folder' }) type!: string;
  @Ref({ about: 'Id of the row.' }) id!: string;
  @Json(ACL) acl!: JsonObject;
  @Ref({ optional: true, about: 'User who created the row.' }) created_by!: string | null;
}

export class AccessListPage extends PageOf(AccessListView) {}

export class ListAccessLists extends ListQuery(AccessListView) {
  declare type?: string;
  declare user_id?: string;
}
acceptParameter(ListAccessLists, { name: 'type', kind: 'text', min: 1, max: 64, about: 'Only rows of this kind.' });
acceptParameter(ListAccessLists, { name: 'user_id', kind: 'id', about: 'Only rows whose access list names this member.' });

@Accepts()
export class ReplaceAccessList {
  @Json(ACL) acl!: JsonObject;
}
