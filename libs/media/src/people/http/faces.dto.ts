import { Decimal, Flag, IdList, NestedList, Ref, Text } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { Face } from '../domain/face';

@Answer()
export class FaceSuggestionView {
  @Ref({ about: 'Suggested person.' }) person_id!: string;
  @Decimal({ about: 'Distance from the nearest faces of the person: 0 is identical, 0.55 is the maximum for a suggestion.', example: 0.48 })
  distance!: number;
}

@Answer()
export class FaceView extends View(Face) {
  @NestedList(() => FaceSuggestionView, { about: 'Up to 5 suggested people, nearest first.' }) face_suggestions!: FaceSuggestionView[];
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'Signed URL of the small rendition of the file, valid for 15 minutes.' })
  face_thumb_url!: string | null;
  @Text({
    optional: true,
    max: 4_000,
    format: 'uri',
    about: 'Signed URL of the cut-out face, 256 pixels wide, valid for 15 minutes. Null if it has not been cut out yet.',
  })
  face_image_url!: string | null;
}

export class FacePage extends PageOf(FaceView) {}

export class ListFaces extends ListQuery(Face) {}

/** A face that people mark. */
export class MarkFace extends Body(Face, { required: ['face_file', 'face_box'], optional: ['face_person'] }) {}

export class ChangeFace extends Body(Face, { optional: ['face_person', 'face_state', 'face_box'] }) {}

/** Body of POST /files/actions/detect-faces. */
@Accepts()
export class DetectFaces {
  @IdList({ omittable: true, min: 1, max: 1_000, about: 'Ids of the files. Other ids are reported in the job.' }) file_ids?: string[];
  @Flag({ omittable: true, about: 'Whether to process every picture of the library instead of `file_ids`.' }) all?: boolean;
}

/** Body of DELETE /admin/faces. */
@Accepts()
export class EraseFaces {
  @Text({ min: 1, max: 255, about: 'Name of the workspace, as confirmation.', example: 'Harbour Media' }) confirm!: string;
}
