import { Injectable } from '@nestjs/common';
import { MINUTE } from '@atrium/platform/kernel';
import { Every, Handles, WhenGivenUp } from '@atrium/platform/messaging';
import { MetricReadings } from '../application/metric-readings';
import { readMetrics, type MetricsPayload } from './metrics.jobs';

/** Reads numbers while nobody asks for them. */
@Injectable()
export class MetricsHandler {
  constructor(private readonly readings: MetricReadings) {}

  @Every(MINUTE, 'social.metrics-due')
  planDue(): Promise<void> {
    return this.readings.planDue();
  }

  @Handles(readMetrics)
  readMetrics({ tgt_id, spv_ids }: MetricsPayload): Promise<void> {
    return this.readings.readTarget(tgt_id, spv_ids);
  }

  @WhenGivenUp(readMetrics)
  giveUpMetrics({ spv_ids }: MetricsPayload): Promise<void> {
    return this.readings.skipStep(spv_ids);
  }
}
