import { Injectable } from '@nestjs/common';
import { assertWritable, FormRows } from '@atrium/forms';
import { Database, TimeZones } from '@atrium/platform/database';
import { Clock, invalidField, type JsonObject, type Problem } from '@atrium/platform/kernel';
import { checkCron, nextSlot } from '@atrium/platform/messaging';
import { GuardedHttp, GuardedSockets } from '@atrium/platform/outbound';
import { comesTooOften } from '../domain/object-source';
import { placeOf, type SourceConfig } from '../domain/source-config';
import { SourceMapping } from '../domain/source-mapping';
import { endpointOf } from '../domain/sql-config';

/** What is checked of a source before it is stored or tried. */
@Injectable()
export class SourceChecks {
  constructor(
    private readonly db: Database,
    private readonly forms: FormRows,
    private readonly http: GuardedHttp,
    private readonly sockets: GuardedSockets,
    private readonly zones: TimeZones,
    private readonly clock: Clock,
  ) {}

  /**
   * Rejects an address that may not be reached with 422; nothing is asked of it yet. It waits for a name server, so it comes after
   * everything that is checked here.
   */
  async checkAddress(config: SourceConfig): Promise<void> {
    await (config.kind === 'sql' ? this.sockets.checkEndpoint(endpointOf(config)) : this.http.checkAddress(config.url));
  }

  /** The mapping, by a schema that takes objects. */
  async readMapping(osr_form: string, osr_mapping: JsonObject): Promise<SourceMapping> {
    const mapping = SourceMapping.read(osr_mapping);
    await this.db.read(async () => {
      const form = (await this.forms.openAll('object', [osr_form.toLowerCase()])).get(osr_form.toLowerCase());
      if (!form) throw invalidField('osr_form', 'must be the id of an object schema', 'reference');
      assertWritable(form);
      mapping.assertFits(form.compiled);
    });
    return mapping;
  }

  async checkSchedule(cron: string | null, timezone: string): Promise<void> {
    await this.zones.assertTimeZone('osr_timezone', timezone);
    if (cron === null) return;
    const now = this.clock.now();
    checkCron('osr_cron', cron, timezone, now);
    if (comesTooOften(cron, timezone, nextSlot, now))
      throw invalidField('osr_cron', 'must not run more often than every 5 minutes', 'cron');
  }
}

/** Whether stored credentials would be sent to another place than the one they were entered for. */
export const movesPlace = (before: SourceConfig, after: SourceConfig): boolean => placeOf(before) !== placeOf(after);

export const credentialsAgain = (): Problem =>
  invalidField('osr_credentials', 'The host or the TLS settings of the source have changed; enter the credentials again', 'required');
