import { Flag, IdList, Nested, NestedList, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { CONSENT_STATES, Person } from '../domain/person';

const FIELDS = ['person_name', 'person_description', 'person_birth_date', 'person_hidden', 'person_consent', 'person_metadata'] as const;

@Accepts()
class FavoriteBody {
  @Flag({ omittable: true, about: 'Whether the person is one of your favorites. Other members do not see it.' }) person_favorite?: boolean;
}

export class CreatePerson extends Body(Person, { optional: FIELDS, with: FavoriteBody }) {}

export class ChangePerson extends Body(Person, { optional: [...FIELDS, 'person_cover_face'], with: FavoriteBody }) {}

export class ListPeople extends ListQuery(Person) {
  person_name?: string;
  person_hidden?: boolean;
  person_consent?: string;
  person_favorite?: boolean;
  q?: string;
}
acceptParameter(ListPeople, { name: 'q', kind: 'text', min: 1, max: 200, about: 'Name or description contains this text, ignoring case.' });
acceptParameter(ListPeople, {
  name: 'person_consent',
  kind: 'choice',
  values: CONSENT_STATES,
  about: 'Consent status.',
});
acceptParameter(ListPeople, { name: 'person_favorite', kind: 'flag', about: 'Whether the person is one of your favorites.' });

/** Query of DELETE /people/{id}. */
export class DeletePerson {
  erase?: boolean;
}
acceptParameter(
  DeletePerson,
  { name: 'erase', kind: 'flag' },
  { type: 'boolean', default: false, description: 'Whether to erase the recognition data as well; requires `admin:settings`.' },
);

@Answer()
export class PersonCoverView {
  @Ref({ about: 'The face.' }) face_id!: string;
  @Ref({ about: 'File that contains the face.' }) file_id!: string;
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'Signed URL of the cut-out face, valid for 15 minutes.' }) url!: string | null;
}

@Answer()
export class PersonView extends View(Person) {
  @Flag({ about: 'Whether the person is one of your favorites. Other members do not see it.' }) person_favorite!: boolean;
  @Nested(() => PersonCoverView, { optional: true, about: 'Cover face, otherwise the newest one. Null if there is none.' })
  person_cover_preview!: PersonCoverView | null;
}

export class PersonPage extends PageOf(PersonView) {}

/** Body of POST /people/{id}/merge. */
@Accepts()
export class MergePeople {
  @IdList({ min: 1, max: 50, about: 'People to merge into this one.' }) person_ids!: string[];
}

@Answer()
export class MergedPeopleView {
  @Nested(() => PersonView, { about: 'The merged person.' }) person!: PersonView;
  @Ref({ about: 'Id of the merge, for undoing it with `POST /people/{id}/split`.' }) undo_id!: string;
  @Stamp({ about: 'When the merge can no longer be undone.' }) undo_until!: Date;
}

/** Body of POST /people/{id}/split. */
@Accepts()
export class SplitPerson {
  @IdList({ omittable: true, min: 1, max: 1_000, about: 'Faces that become a new person.' }) face_ids?: string[];
  @Ref({ omittable: true, about: 'Merge to undo, instead of `face_ids`.' }) undo_id?: string;
}

@Answer()
export class SplitPeopleView {
  @NestedList(() => PersonView, { about: 'The person and the people who are no longer merged into them.' }) people!: PersonView[];
}

/** Body of POST /people/{id}/suggestions. */
@Accepts()
export class DecideSuggestions {
  @IdList({ omittable: true, max: 1_000, about: 'Faces that show this person.' }) accept?: string[];
  @IdList({ omittable: true, max: 1_000, about: 'Faces that do not show this person; they are not suggested again.' }) reject?: string[];
}

@Answer()
export class DecidedSuggestions {
  @Whole({ about: 'Number of faces assigned to the person.', example: 3 }) accepted!: number;
  @Whole({ about: 'Number of faces that are not suggested again.', example: 1 }) rejected!: number;
  @Whole({ about: 'Number of accepted faces that are already assigned, are ignored, or whose file already shows the person.', example: 0 })
  skipped!: number;
}
