import { Flag, IdList, Nested, NestedList, Ref, Text, Whole } from '@atrium/platform/database';
import { Accepts, Answer } from '@atrium/platform/http';

/** Body of POST /social-posts/link-preview. */
@Accepts()
export class PreviewLink {
  @Text({ min: 1, max: 2_048, about: 'URL of the page.', example: 'https://example.com/lamp' }) url!: string;
  @Flag({ omittable: true, about: 'Whether to add the image of the page to the media library. Requires `media:upload`.' })
  import_image?: boolean;
}

@Answer()
export class LinkPreviewView {
  @Text({ optional: true, max: 400, about: 'Title of the page.', example: 'Our new lamp' }) title!: string | null;
  @Text({ optional: true, max: 4_000, about: 'Description of the page.' }) description!: string | null;
  @Text({ optional: true, max: 2_048, about: 'URL of the image of the page.', example: 'https://example.com/lamp.jpg' }) image_url!:
    string | null;
  @Text({ optional: true, about: 'Name of the website.', example: 'Example' }) site_name!: string | null;
  @Text({ optional: true, max: 2_048, about: 'Canonical URL of the page.', example: 'https://example.com/lamp' }) canonical!: string | null;
  @Ref({ optional: true, about: 'Id of the image file. Null unless the image was imported.' }) file_id!: string | null;
}

@Accepts()
class DraftSourceBody {
  @Ref({ omittable: true, about: 'Id of a page.' }) node_id?: string;
  @Ref({ omittable: true, about: 'Id of a file.' }) file_id?: string;
  @Ref({ omittable: true, about: 'Id of a design.' }) de_id?: string;
  @Text({ omittable: true, min: 1, max: 50_000, about: 'Text.', example: 'Our new lamp is made of brass. It is available from May.' })
  text?: string;
}

/** Body of POST /social-posts/draft. */
@Accepts()
export class DraftTextsBody {
  @Nested(() => DraftSourceBody, { about: 'What the posts are about: exactly one of a page, a file, a design or a text.' })
  source!: DraftSourceBody;
  @IdList({ omittable: true, max: 20, about: 'Ids of the targets.' }) targets?: string[];
  @Text({ omittable: true, min: 1, max: 100, about: 'Tone.', example: 'friendly' }) tone?: string;
  @Text({ omittable: true, min: 2, max: 35, about: 'Language (BCP 47).', example: 'en' }) language?: string;
  @Whole({ omittable: true, min: 1, max: 5, about: 'Number of proposals. Default: 1.', example: 3 }) count?: number;
}

@Answer()
class ProposedTextView {
  @Text({ max: 10_000, about: 'Text.', example: 'Our new lamp is made of brass.' }) text!: string;
  @Whole({ about: 'Length in UTF-16 code units.', example: 30 }) length!: number;
}

@Answer()
export class ProposedTextsView {
  @NestedList(() => ProposedTextView, { about: 'Proposals within the limits of the platform.' }) proposals!: ProposedTextView[];
  @Text({ optional: true, max: 2_000, about: 'What the proposals leave out. Null if nothing.' }) limits!: string | null;
}
