import { Injectable } from '@nestjs/common';
import { ACCESS_LOG_KEEP_DAYS } from '../domain/access-log-row';
import { AccessLogRows } from '../infrastructure/access-log.rows';

/** How long the access log is kept. */
@Injectable()
export class AccessLogKeeping {
  constructor(private readonly rows: AccessLogRows) {}

  prepare(): Promise<{ made: number; dropped: number }> {
    return this.rows.prepare(ACCESS_LOG_KEEP_DAYS);
  }
}
