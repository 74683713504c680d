import { Choice, Flag, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { PRIVACY_KINDS, PrivacyRequest, SUBJECT_TYPES, type PrivacyKind, type SubjectType } from '../domain/privacy-request';

@Accepts()
export class AskForOwnData {
  @Choice(PRIVACY_KINDS, {
    about:
      '`export`: a ZIP with all data stored about you, created immediately; `erasure`: the data are deleted once an administrator has approved it.',
  })
  dsr_kind!: PrivacyKind;
  @Flag({ omittable: true, about: 'Whether an export contains the content of your files; true by default.' }) dsr_include_files?: boolean;
}

@Accepts()
export class OrderPrivacyRequest extends AskForOwnData {
  @Choice(SUBJECT_TYPES, {
    about: 'How the person is named: a member of the workspace by id, anybody by e-mail address, or a person known from pictures.',
  })
  dsr_subject_type!: SubjectType;
  @Text({ min: 1, max: 254, about: 'Id of the member or the person, or the address.', example: 'ada@example.com' }) dsr_subject!: string;
  @Whole({
    omittable: true,
    min: 0,
    max: 30,
    about: 'Days until it begins; until then it can be cancelled. 7 for an erasure and 0 for an export unless named.',
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
  @Text({ about: 'Signed address of the ZIP; GET it without a credential.', format: 'uri' }) download_url!: string;
  @Stamp({ about: 'Until when the address works: at most 15 minutes.' }) expires_at!: Date;
}
