import { Flag, IdList, Nested, NestedList, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { CONSENT_STATES, Person } from '../domain/person';

const FIELDS = ['person_name', 'person_description', 'person_birth_date', 'person_hidden', 'person_consent', 'person_metadata'] as const;

@Accepts()
class FavoriteBody {
  @Flag({ omittable: true, about: 'Your own mark; other members do not see it.' }) person_favorite?: boolean;
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
acceptParameter(ListPeople, { name: 'q', kind: 'text', min: 1, max: 200, about: 'Part of the name or description, in any case.' });
acceptParameter(ListPeople, {
  name: 'person_consent',
  kind: 'choice',
  values: CONSENT_STATES,
  about: 'Who agreed to be shown, refused, or was not asked.',
});
acceptParameter(ListPeople, { name: 'person_favorite', kind: 'flag', about: 'Bears your own mark.' });

/** Query of DELETE /people/{id}. */
export class DeletePerson {
  erase?: boolean;
}
acceptParameter(
  DeletePerson,
  { name: 'erase', kind: 'flag' },
  { type: 'boolean', default: false, description: 'Erase what the person is recognised by, too; needs admin:settings.' },
);

@Answer()
export class PersonCoverView {
  @Ref({ about: 'The face.' }) face_id!: string;
  @Ref({ about: 'The file it is in.' }) file_id!: string;
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'Signed address of the face cut out; good for 15 minutes.' }) url!:
    string | null;
}

@Answer()
export class PersonView extends View(Person) {
  @Flag({ about: 'Your own mark; other members do not see it.' }) person_favorite!: boolean;
  @Nested(() => PersonCoverView, { optional: true, about: 'The cover face, else the newest one; null without any.' })
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
  @Nested(() => PersonView, { about: 'The person they are now.' }) person!: PersonView;
  @Ref({ about: 'Names the merge; POST /people/{id}/split takes it back.' }) undo_id!: string;
  @Stamp({ about: 'Until when.' }) undo_until!: Date;
}

/** Body of POST /people/{id}/split. */
@Accepts()
export class SplitPerson {
  @IdList({ omittable: true, min: 1, max: 1_000, about: 'Faces of someone else; they become a new person.' }) face_ids?: string[];
  @Ref({ omittable: true, about: 'A merge to be undone, instead of `face_ids`.' }) undo_id?: string;
}

@Answer()
export class SplitPeopleView {
  @NestedList(() => PersonView, { about: 'The person and the people who are no longer merged into it.' }) people!: PersonView[];
}

/** Body of POST /people/{id}/suggestions. */
@Accepts()
export class DecideSuggestions {
  @IdList({ omittable: true, max: 1_000, about: 'Faces that are this person.' }) accept?: string[];
  @IdList({ omittable: true, max: 1_000, about: 'Faces that are not; never suggested again.' }) reject?: string[];
}

@Answer()
export class DecidedSuggestions {
  @Whole({ about: 'Faces that belong to the person now.', example: 3 }) accepted!: number;
  @Whole({ about: 'Faces that will not be suggested again.', example: 1 }) rejected!: number;
  @Whole({ about: 'Accepted ones that belong to somebody, are ignored, or whose file shows the person already.', example: 0 })
  skipped!: number;
}
