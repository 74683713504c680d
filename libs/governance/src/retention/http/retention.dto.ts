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
  { name: 'ret_key', kind: 'choice', values: RETENTION_KEYS, about: 'Name of the data covered by the policy.' },
  undefined,
  true,
);
acceptParameter(PreviewRetention, {
  name: 'days',
  kind: 'whole',
  min: 1,
  max: 3_650,
  about: 'Number of days to preview. Default: the number that currently applies.',
});

@Answer()
export class RetentionPreview {
  @Whole({ about: 'Number of items that would be removed.', example: 1_204 }) rows!: number;
  @Whole({ about: 'Bytes of stored objects among them; 0 if there are none.', example: 0 }) bytes!: number;
  @Whole({ about: 'Number of further items under legal holds.', example: 3 }) held!: number;
  @Stamp({ optional: true, about: 'Time of the oldest item that would be removed.' }) oldest!: string | null;
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
acceptParameter(ListLegalHolds, { name: 'lh_released', kind: 'flag', about: '`true`: only released holds. `false`: only active holds.' });

@Answer()
export class LegalHoldView extends View(LegalHold) {}
export class LegalHoldPage extends PageOf(LegalHoldView) {}
