import { Injectable } from '@nestjs/common';
import { MINUTE } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { IssuerKeysRefresh } from '../application/issuer-keys-refresh';

/** Fetches the keys of all issuers again, every ten minutes. */
@Injectable()
export class IssuerKeysSchedule {
  constructor(private readonly keeping: IssuerKeysRefresh) {}

  @Every(10 * MINUTE, 'identity.jwks')
  refreshIssuerKeys({ signal }: ScheduledRun): Promise<void> {
    return this.keeping.refreshAll(signal);
  }
}
