import { Decimal, Flag, IdList, NestedList, Ref, Text } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { Face } from '../domain/face';

@Answer()
export class FaceSuggestionView {
  @Ref({ about: 'Suggested person.' }) person_id!: string;
  @Decimal({ about: 'How far it is from that person’s nearest faces: 0 is the same, 0.55 the farthest that is suggested.', example: 0.48 })
  distance!: number;
}

@Answer()
export class FaceView extends View(Face) {
  @NestedList(() => FaceSuggestionView, { about: 'Who it may be, nearest first; 5 at most.' }) face_suggestions!: FaceSuggestionView[];
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'Signed address of the small rendition of its file; good for 15 minutes.' })
  face_thumb_url!: string | null;
  @Text({
    optional: true,
    max: 4_000,
    format: 'uri',
    about: 'Signed address of the face cut out, 256 pixels wide; null while nobody cut it out. Good for 15 minutes.',
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
  @IdList({ omittable: true, min: 1, max: 1_000, about: 'Ids of the files; other ids are reported in the job.' }) file_ids?: string[];
  @Flag({ omittable: true, about: 'Every picture of the library, instead of `file_ids`.' }) all?: boolean;
}

/** Body of DELETE /admin/faces. */
@Accepts()
export class EraseFaces {
  @Text({ min: 1, max: 255, about: 'The name of the workspace.', example: 'Harbour Media' }) confirm!: string;
}
