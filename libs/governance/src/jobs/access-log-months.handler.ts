import { Injectable, Logger } from '@nestjs/common';
import { HOUR } from '@atrium/platform/kernel';
import { Every } from '@atrium/platform/messaging';
import { AccessLogKeeping } from '../application/access-log-keeping';

/** Makes the coming months of the access log and drops those kept long enough, hourly. */
@Injectable()
export class AccessLogMonths {
  private readonly log = new Logger(AccessLogMonths.name);

  constructor(private readonly keeping: AccessLogKeeping) {}

  @Every(HOUR, 'governance.partitions')
  async keep(): Promise<void> {
    const { made, dropped } = await this.keeping.prepare();
    if (made + dropped > 0) this.log.log(`access log: ${made} months made, ${dropped} dropped`);
  }
}
