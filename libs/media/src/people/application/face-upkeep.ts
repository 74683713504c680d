import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { SECOND } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { FacePictures } from '../infrastructure/face-pictures';
import { clusterFaces, dropCrops } from '../jobs/faces.jobs';

const MOST_KEYS = 1_000;

/** What is to be done after faces changed; asked for within the unit of work that changes them. */
@Injectable()
export class FaceUpkeep {
  private readonly delayMs: number;

  constructor(
    private readonly outbox: Outbox,
    private readonly pictures: FacePictures,
    settings: Settings,
  ) {
    this.delayMs = settings.FACES_CLUSTER_SECONDS * SECOND;
  }

  /** Sorts faces once no more have come for a while. */
  queueSorting(because: 'faces' | 'people'): void {
    this.outbox.addJob(planJob(clusterFaces, { because }, { delayMs: this.delayMs }));
  }

  /** Removes cut-outs that no face has any more. */
  queueCropRemoval(keys: readonly string[]): void {
    for (let at = 0; at < keys.length; at += MOST_KEYS) this.outbox.addJob(planJob(dropCrops, { keys: keys.slice(at, at + MOST_KEYS) }));
  }

  /** Does what `queueCropRemoval` asked for; outside of any unit of work. */
  async removeCrops(keys: readonly string[]): Promise<void> {
    await this.pictures.deleteCrops(keys);
  }
}
