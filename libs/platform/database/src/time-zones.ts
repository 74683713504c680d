import { invalidField } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import { Database } from './database';

/** Names that the list of a system may hold and that are no zone of their own, or count leap seconds. */
const NO_ZONES = /^(posix\/|right\/|posixrules$|localtime$|Factory$)/;

/**
 * The names of time zones, as PostgreSQL lists them: it alone computes local times, so no other list can disagree. It
 * opens hundreds of files to list them, so they are kept once somebody has named another zone than the one that is always
 * there; offsets such as `+02:00` are no names.
 */
@Injectable()
export class TimeZones {
  private names: ReadonlySet<string> | undefined;

  constructor(private readonly db: Database) {}

  /** Refuses what is no such name; `field` is where the caller has said it. */
  async check(field: string, name: string): Promise<void> {
    if (name === 'UTC') return;
    // Each of several first ones reads for itself: a transaction that fails is nobody else's matter.
    this.names ??= await this.read();
    if (!this.names.has(name)) throw invalidField(field, 'must be a time zone by its IANA name, such as Europe/Lisbon', 'time_zone');
  }

  private async read(): Promise<ReadonlySet<string>> {
    const rows = await this.db.read((tx) => tx.query<{ name: string }>('SELECT name FROM pg_timezone_names'));
    return new Set(rows.map(({ name }) => name).filter((name) => !NO_ZONES.test(name)));
  }
}
