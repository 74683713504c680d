import { Body as FromBody, Controller, Delete, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns } from '@atrium/platform/http';
import type { VariantAnswer } from '../../posts/application/post-answers';
import { SocialVariantView } from '../../posts/http/posts.dto';
import { RemoteEdits } from '../application/remote-edits.service';
import { DeletePostQuery, EditRemotePost } from './remote-edits.dto';

const LICENSE = 'module-social-post';

/** Changes of posts that were published. */
@ApiTags('Social')
@Controller('social-posts')
export class RemoteEditsController {
  constructor(private readonly edits: RemoteEdits) {}

  /**
   * Deletes a social post.
   *
   * The post is returned with `sp_active` false for 30 days. A scheduled post is not sent. What was published remains
   * published unless you set `remote`. Fails with 409 while the post is publishing.
   */
  @Delete(':id')
  @Named('deleteSocialPost')
  @HasId('id', 'Id of the post.')
  @Policy({ any: ['social:delete'], license: LICENSE })
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('invalid_state', 'permission_denied', 'precondition_failed', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  remove(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: DeletePostQuery,
    @IfMatch() precondition?: Precondition,
  ): Promise<void> {
    return this.edits.removePost(caller, id, { remote: query.remote ?? false, precondition });
  }

  /**
   * Edits the text of a published post at its platform.
   *
   * Fails with 410 if the post was deleted there.
   */
  @Patch(':id/variants/:spv_id/remote')
  @Named('editPublishedPost')
  @HasId('id', 'Id of the post.')
  @HasId('spv_id', 'Id of the variant.')
  @Policy({ all: ['social:publish'], license: LICENSE })
  @Returns(SocialVariantView, 'The variant.')
  @Problems('gone', 'invalid_state', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  edit(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('spv_id') spv_id: string,
    @FromBody() body: EditRemotePost,
  ): Promise<VariantAnswer> {
    return this.edits.editText(caller, id, spv_id, body.spv_text);
  }

  /**
   * Deletes a published post at its platform.
   *
   * Its numbers are kept. Fails with 410 if the post was already deleted there.
   */
  @Delete(':id/variants/:spv_id/remote')
  @Named('deletePublishedPost')
  @HasId('id', 'Id of the post.')
  @HasId('spv_id', 'Id of the variant.')
  @Policy({ all: ['social:publish'], license: LICENSE })
  @Deletes()
  @Problems('gone', 'invalid_state', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  removeRemote(@Caller() caller: Principal, @PathId() id: string, @PathId('spv_id') spv_id: string): Promise<void> {
    return this.edits.removeRemote(caller, id, spv_id);
  }
}
