import { Injectable } from '@nestjs/common';
import { Database } from './database';

/** Names that the list of a system may hold and that are no zone of their own, or count leap seconds. */
const NO_ZONES = /^(posix\/|right\/|posixrules$|localtime$|Factory$)/;

/**
 * The names of time zones, as PostgreSQL lists them: it alone computes local times, so no other list can disagree. It
 * opens hundreds of files to list them, so they are read once, when somebody first names another zone than the one that
 * is always there; offsets such as `+02:00` are no names.
 */
@Injectable()
export class TimeZones {
  private names: Promise<ReadonlySet<string>> | undefined;

  constructor(private readonly db: Database) {}

  async has(name: string): Promise<boolean> {
    return name === 'UTC' || (await this.all()).has(name);
  }

  private all(): Promise<ReadonlySet<string>> {
    return (this.names ??= this.load().catch((error: unknown) => {
      this.names = undefined;
      throw error;
    }));
  }

  private async load(): Promise<ReadonlySet<string>> {
    const rows = await this.db.read((tx) => tx.query<{ name: string }>('SELECT name FROM pg_timezone_names'));
    return new Set(rows.map(({ name }) => name).filter((name) => !NO_ZONES.test(name)));
  }
}
