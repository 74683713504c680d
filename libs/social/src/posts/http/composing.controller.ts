import { Body as FromBody, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { Problems, Returns } from '@atrium/platform/http';
import { DraftTexts, type ProposedTexts } from '../application/draft-texts.service';
import { LinkPreviews, type LinkPreview } from '../application/link-previews.service';
import { DraftTextsBody, LinkPreviewView, PreviewLink, ProposedTextsView } from './composing.dto';

const EDIT = { any: ['social:edit'], license: 'module-social-post' } as const;

/** Help with writing posts. */
@ApiTags('Social')
@Controller('social-posts')
export class ComposingController {
  constructor(
    private readonly previews: LinkPreviews,
    private readonly drafts: DraftTexts,
  ) {}

  /**
   * Reads title, description and image of a web page for a link card.
   *
   * At most 2 MB of the page and four redirects are read. Fails with 422 if the page cannot be read or its address is
   * private.
   */
  @Post('link-preview')
  @HttpCode(200)
  @Named('previewSocialLink')
  @Policy(EDIT)
  @Returns(LinkPreviewView, 'What the page says about itself.')
  @Problems('permission_denied', 'unprocessable_content')
  preview(@Caller() caller: Principal, @FromBody() body: PreviewLink): Promise<LinkPreview> {
    return this.previews.readPreview(caller, body);
  }

  /**
   * Proposes texts for social posts.
   *
   * Nothing is stored. Consumes credits. Without a model that writes text, the most central sentences of the source are
   * returned.
   */
  @Post('draft')
  @HttpCode(200)
  @Named('draftSocialTexts')
  @Policy(EDIT)
  @Returns(ProposedTextsView, 'The proposals.')
  @Problems('credits_exhausted', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  draft(@Caller() caller: Principal, @FromBody() body: DraftTextsBody): Promise<ProposedTexts> {
    return this.drafts.proposeTexts(caller, body);
  }
}
