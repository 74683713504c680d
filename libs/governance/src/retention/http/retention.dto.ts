import { carryField, Stamp, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { LegalHold, type HoldTargetType } from '../domain/legal-hold';
import { HeldRow, RETENTION, RETENTION_KEYS, RetentionPolicy, RetentionRun, type RetentionKey } from '../domain/retention';

@Answer()
export class RetentionPolicyView extends View(RetentionPolicy) {}
export class RetentionPolicyPage extends PageOf(RetentionPolicyView) {}
export class ListRetention extends ListQuery(RetentionPolicy, { whole: true }) {}

/** Days by what is kept; what is left out stays as it is. */
export class ChangeRetention {}
for (const name of RETENTION_KEYS)
  carryField(ChangeRetention, {
    name,
    kind: 'whole',
    omittable: true,
    min: RETENTION[name].min,
    max: RETENTION[name].max,
    about: `Days. ${RETENTION[name].removes}`,
    example: RETENTION[name].default,
  });
Accepts()(ChangeRetention);

export class PreviewRetention {
  ret_key!: RetentionKey;
  days?: number;
}
acceptParameter(
  PreviewRetention,
  { name: 'ret_key', kind: 'choice', values: RETENTION_KEYS, about: 'Name of the data that the policy covers.' },
  undefined,
  true,
);
acceptParameter(PreviewRetention, {
  name: 'days',
  kind: 'whole',
  min: 1,
  max: 3_650,
  about: 'If it were kept for so many days; without it: for the days that count now.',
});

@Answer()
export class RetentionPreview {
  @Whole({ about: 'Number of items that would be removed.', example: 1_204 }) rows!: number;
  @Whole({ about: 'Bytes of stored objects among it; 0 where there are none.', example: 0 }) bytes!: number;
  @Whole({ about: 'Number of further items that legal holds would keep.', example: 3 }) held!: number;
  @Stamp({ optional: true, about: 'From when the oldest is that would go.' }) oldest!: string | null;
}

export class ListRetentionRuns extends ListQuery(RetentionRun) {}
@Answer()
class RetentionRunView extends View(RetentionRun) {}
export class RetentionRunPage extends PageOf(RetentionRunView) {}

export class ListHeldRows extends ListQuery(HeldRow) {}
@Answer()
class HeldRowView extends View(HeldRow) {}
export class HeldRowPage extends PageOf(HeldRowView) {}

export class CreateLegalHold extends Body(LegalHold, { required: ['lh_name', 'lh_target_type', 'lh_target_id', 'lh_reason'] }) {
  declare lh_target_type: HoldTargetType;
}

export class ListLegalHolds extends ListQuery(LegalHold) {
  lh_released?: boolean;
}
acceptParameter(ListLegalHolds, { name: 'lh_released', kind: 'flag', about: 'Only those that were released, or only those that hold.' });

@Answer()
export class LegalHoldView extends View(LegalHold) {}
export class LegalHoldPage extends PageOf(LegalHoldView) {}
