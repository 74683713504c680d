import { Injectable } from '@nestjs/common';
import { UsageMeter } from '@atrium/governance';
import { Clock, type JsonObject } from '@atrium/platform/kernel';

/** An archive on its way to somebody. */
export interface SentArchive {
  readonly bytes: number;
  readonly user: string | null;
  readonly key?: string | null;
  /** Names it, the same in every attempt. */
  readonly source: string;
  readonly ref: JsonObject;
}

const GIGABYTE = 1e9;
const DIGITS = 6;

/** Counts the bytes of archives that leave, within an open `db.write`; less than a kilobyte counts nothing. */
@Injectable()
export class FileEgress {
  constructor(
    private readonly meter: UsageMeter,
    private readonly clock: Clock,
  ) {}

  chargeEgress({ bytes, user, key = null, source, ref }: SentArchive): void {
    const units = (bytes / GIGABYTE).toFixed(DIGITS);
    if (Number(units) === 0) return;
    this.meter.chargeUsage({ param: 'files.egress_gb', units, user, key, ref, at: this.clock.now(), source });
  }
}
