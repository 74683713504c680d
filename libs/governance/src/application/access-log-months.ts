import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DAY, MINUTE } from '@atrium/platform/kernel';
import { ACCESS_LOG_KEEP_DAYS } from '../domain/access-log-row';
import { AccessLogRows } from '../infrastructure/access-log.rows';

/** Makes the coming months of the access log and drops those kept long enough: when a worker starts, and daily. */
@Injectable()
export class AccessLogMonths implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(AccessLogMonths.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly rows: AccessLogRows) {}

  async onApplicationBootstrap(): Promise<void> {
    const done = await this.keep();
    this.timer = setTimeout(() => void this.onApplicationBootstrap(), done ? DAY : MINUTE).unref();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  private async keep(): Promise<boolean> {
    try {
      const { made, dropped } = await this.rows.prepare(ACCESS_LOG_KEEP_DAYS);
      if (made + dropped > 0) this.log.log(`access log: ${made} months made, ${dropped} dropped`);
      return true;
    } catch (error) {
      this.log.warn(`The months of the access log can not be prepared; tried again in a minute. ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }
}
