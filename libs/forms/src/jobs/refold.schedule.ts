import { Injectable } from '@nestjs/common';
import { HOUR } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { FormRefolding } from '../application/form-refolding';

/** Folds values that hosts of the release before wrote: when workers start, and hourly. */
@Injectable()
export class RefoldSchedule {
  constructor(private readonly refolding: FormRefolding) {}

  @Every(HOUR, 'forms.refold')
  refoldValues({ signal }: ScheduledRun): Promise<void> {
    return this.refolding.foldForms(signal);
  }
}
