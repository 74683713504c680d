import { invalidField } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import { Database } from './database';

/** Names that the list of a system may hold and that are no zone of their own, or count leap seconds. */
const NO_ZONES = /^(posix\/|right\/|posixrules$|localtime$|Factory$)/;

/**
 * The names of time zones, as PostgreSQL lists them: it alone computes local times, so no other list can disagree. It
 * opens hundreds of files to list them, so they are kept once another zone than the default one has been
 * used; offsets such as `+02:00` are no names.
 */
@Injectable()
export class TimeZones {
  private names: ReadonlySet<string> | undefined;

  constructor(private readonly db: Database) {}

  /** Rejects an unknown name; `field` is the field that contains it. */
  async assertTimeZone(field: string, name: string): Promise<void> {
    if (name === 'UTC') return;
    // Each of several first callers reads for itself: a failed transaction must not fail the others.
    this.names ??= await this.read();
    if (!this.names.has(name)) throw invalidField(field, 'must be the IANA name of a time zone, such as Europe/Lisbon', 'time_zone');
  }

  private async read(): Promise<ReadonlySet<string>> {
    const rows = await this.db.read((tx) => tx.query<{ name: string }>('SELECT name FROM pg_timezone_names'));
    return new Set(rows.map(({ name }) => name).filter((name) => !NO_ZONES.test(name)));
  }
}
