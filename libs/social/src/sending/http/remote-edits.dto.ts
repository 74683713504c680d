import { Text } from '@atrium/platform/database';
import { Accepts, acceptParameter } from '@atrium/platform/http';

/** Body of PATCH /social-posts/{id}/variants/{spv_id}/remote. */
@Accepts()
export class EditRemotePost {
  @Text({ max: 10_000, about: 'New text of the published post.', example: 'Our new lamp is here, now in green.' }) spv_text!: string;
}

/** Query of DELETE /social-posts/{id}. */
export class DeletePostQuery {
  remote?: boolean;
}
acceptParameter(DeletePostQuery, {
  name: 'remote',
  kind: 'flag',
  about: 'Whether to delete the published post at its platforms first. Requires `social:publish`.',
});
