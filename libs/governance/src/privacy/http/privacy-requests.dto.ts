import { Choice, Flag, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { PRIVACY_KINDS, PrivacyRequest, SUBJECT_TYPES, type PrivacyKind, type SubjectType } from '../domain/privacy-request';

@Accepts()
export class AskForOwnData {
  @Choice(PRIVACY_KINDS, {
    about:
      '`export`: a ZIP archive with all data stored about you, created immediately. `erasure`: the data is deleted once an administrator has approved it.',
  })
  dsr_kind!: PrivacyKind;
  @Flag({ omittable: true, about: 'Whether an export contains the content of your files. Default: true.' }) dsr_include_files?: boolean;
}

@Accepts()
export class OrderPrivacyRequest extends AskForOwnData {
  @Choice(SUBJECT_TYPES, {
    about: 'How the person is identified: a member of the workspace by id, anyone by e-mail address, or a person recognized in pictures.',
  })
  dsr_subject_type!: SubjectType;
  @Text({ min: 1, max: 254, about: 'Id of the member or person, or the e-mail address.', example: 'ada@example.com' }) dsr_subject!: string;
  @Whole({
    omittable: true,
    min: 0,
    max: 30,
    about: 'Days until processing begins; until then it can be cancelled. Default: 7 for an erasure, 0 for an export.',
    example: 7,
  })
  execute_after_days?: number;
}

export class ListOwnPrivacyRequests extends ListQuery(PrivacyRequest, {
  without: ['dsr_subject', 'dsr_subject_type', 'dsr_requested_by'],
}) {}
export class ListPrivacyRequests extends ListQuery(PrivacyRequest) {}

@Answer()
export class PrivacyRequestView extends View(PrivacyRequest) {}
export class PrivacyRequestPage extends PageOf(PrivacyRequestView) {}

@Answer()
export class ArchiveAddressView {
  @Text({ about: 'Signed URL of the ZIP archive. GET it without credentials.', format: 'uri' }) download_url!: string;
  @Stamp({ about: 'When the URL expires, 15 minutes from now at the latest.' }) expires_at!: Date;
}
