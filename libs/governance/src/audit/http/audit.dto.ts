import { Choice, Flag, Nested, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { AuditEvent } from '../domain/audit-event';
import { AuditSeal } from '../domain/audit-seal';

@Answer()
export class AuditEventView extends View(AuditEvent) {}

export class AuditEventPage extends PageOf(AuditEventView) {}

export class ListAuditEvents extends ListQuery(AuditEvent) {
  override aud_type?: string;
}
acceptParameter(ListAuditEvents, {
  name: 'aud_type',
  kind: 'text',
  min: 3,
  max: 100,
  form: {
    pattern: /^[a-z][a-z0-9_]*\.(\*|[a-z][a-z0-9_]*)$/,
    words: 'a type of event such as role.created, or role.* for all of a resource',
  },
  about: 'Equals. A value that ends with `.*` selects all types of one resource.',
  example: 'role.*',
});

@Answer()
export class AuditTypeView {
  @Text({ sort: true, filter: 'contains', about: 'Type, as in `aud_type`.', example: 'role.updated' }) aud_type!: string;
  @Text({ max: 5_000, filter: 'contains', about: 'What the event means.' }) about!: string;
}

export class AuditTypePage extends PageOf(AuditTypeView) {}
export class ListAuditTypes extends ListQuery(AuditTypeView, { whole: true }) {}

@Answer()
class AuditSealView extends View(AuditSeal) {}

export class AuditSealPage extends PageOf(AuditSealView) {}

export class ListAuditSeals extends ListQuery(AuditSeal) {}

/** The range of time that is verified; open where a bound is missing. */
@Accepts()
export class VerifyAudit {
  @Stamp({ omittable: true, optional: true, about: 'Start of the range. Seals that overlap the range are verified completely.' })
  from?: Date | null;
  @Stamp({ omittable: true, optional: true, about: 'End of the range.' }) to?: Date | null;
}

@Answer()
export class AuditBreak {
  @Whole({ about: 'Sequence number of the first invalid seal.', example: 7 }) seal_seq!: number;
  @Choice(['changed', 'missing', 'inserted', 'chain', 'signature'], {
    about:
      'Cause: an event of the seal was changed, is missing or was added; the seal is missing or does not follow the previous one; or its signature is invalid.',
  })
  kind!: string;
}

@Answer()
export class AuditVerdict {
  @Whole({ about: 'Number of seals verified.', example: 42 }) seals!: number;
  @Whole({ about: 'Number of events read.', example: 118 }) events!: number;
  @Flag({ about: 'Whether all events and seals are unchanged.' }) valid!: boolean;
  @Nested(() => AuditBreak, { omittable: true, about: 'The first mismatch. Absent if the trail is valid.' }) first_break?: AuditBreak;
}
