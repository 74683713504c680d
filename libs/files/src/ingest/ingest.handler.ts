import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Handles, WhenGivenUp, type JobRun } from '@atrium/platform/messaging';
import { BlobInspections } from './ingest-inspection';
import { Ingest } from './ingest.service';
import { UnreadFiles } from './unread-files';
import { ingest, type IngestPayload } from '../versions/jobs/ingest.jobs';

/** Runs `files.ingest`; while a part outside is away the file says that it waits, and when the last attempt fails, that it failed. */
@Injectable()
export class IngestHandler implements OnApplicationShutdown {
  constructor(
    private readonly service: Ingest,
    private readonly unread: UnreadFiles,
    private readonly inspections: BlobInspections,
  ) {}

  @Handles(ingest)
  async ingestFile(order: IngestPayload, run: JobRun): Promise<void> {
    try {
      await (order.again ? this.service.reingestVersion(order, run.signal) : this.service.ingestVersion(order, run));
    } catch (error) {
      const outage = run.waitsFor(error);
      if (outage) await this.unread.recordWait(order, outage.part);
      else if (await run.givesUpOn(error)) await this.unread.giveUp(order);
      throw error;
    }
  }

  @WhenGivenUp(ingest)
  giveUpFile(order: IngestPayload): Promise<void> {
    return this.unread.giveUp(order);
  }

  /** Ends the processes that look into files. */
  onApplicationShutdown(): Promise<void> {
    return this.inspections.close();
  }
}
