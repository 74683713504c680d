import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Handles, type JobRun } from '@atrium/platform/messaging';
import { Ingest } from '../application/ingest.service';
import { ingest, type IngestPayload } from './files.jobs';

/** Runs `files.ingest`; when the last attempt fails, the file says so. */
@Injectable()
export class IngestHandler implements OnApplicationShutdown {
  constructor(private readonly service: Ingest) {}

  @Handles(ingest)
  async ingest(order: IngestPayload, run: JobRun): Promise<void> {
    try {
      await (order.again ? this.service.again(order, run.signal) : this.service.run(order, run.signal));
    } catch (error) {
      if (run.lastAttempt && !run.signal.aborted) await this.service.giveUp(order);
      throw error;
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.service.close();
  }
}
