import { Injectable } from '@nestjs/common';
import { Handles, type JobRun } from '@atrium/platform/messaging';
import { FaceDetection } from '../application/face-detection';
import { FaceSorting } from '../application/face-sorting';
import { FaceUpkeep } from '../application/face-upkeep';
import { clusterFaces, dropCrops, findFaces, type ClusterPayload, type CropsPayload, type FacesPayload } from './faces.jobs';

/** Runs `media.faces`, `media.cluster` and `media.crops`. */
@Injectable()
export class FacesHandler {
  constructor(
    private readonly detection: FaceDetection,
    private readonly sorting: FaceSorting,
    private readonly upkeep: FaceUpkeep,
  ) {}

  @Handles(findFaces)
  async detectFaces({ file_id }: FacesPayload, { job_id, signal }: JobRun): Promise<void> {
    await this.detection.detectFaces(file_id, { again: false, call: `faces:${job_id}`, signal });
  }

  @Handles(clusterFaces)
  async clusterFaces(_payload: ClusterPayload, { signal }: JobRun): Promise<void> {
    await this.sorting.sortFaces(signal);
  }

  @Handles(dropCrops)
  removeCrops({ keys }: CropsPayload): Promise<void> {
    return this.upkeep.removeCrops(keys);
  }
}
