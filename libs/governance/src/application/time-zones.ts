import { Database } from '@atrium/platform/database';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';

/** Names that the list of a system may hold and that are no zone of their own, or count leap seconds. */
const NO_ZONES = /^(posix\/|right\/|posixrules$|localtime$|Factory$)/;

/**
 * The names of time zones, as PostgreSQL lists them: it alone computes local times, so no other list can disagree. Read
 * once and kept; offsets such as `+02:00` are no names.
 */
@Injectable()
export class TimeZones implements OnApplicationBootstrap {
  private readonly log = new Logger(TimeZones.name);
  private names: Promise<ReadonlySet<string>> | undefined;

  constructor(private readonly db: Database) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.all().catch((error: unknown) => this.log.warn({ msg: 'the time zones can not be read yet', err: error }));
  }

  async has(name: string): Promise<boolean> {
    return (await this.all()).has(name);
  }

  private all(): Promise<ReadonlySet<string>> {
    return (this.names ??= this.load().catch((error: unknown) => {
      this.names = undefined;
      throw error;
    }));
  }

  private async load(): Promise<ReadonlySet<string>> {
    const rows = await this.db.acrossTenants((tx) => tx.query<{ name: string }>('SELECT name FROM pg_timezone_names'));
    return new Set(rows.map(({ name }) => name).filter((name) => !NO_ZONES.test(name)));
  }
}
