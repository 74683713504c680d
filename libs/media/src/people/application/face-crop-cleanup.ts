import { Injectable } from '@nestjs/common';
import { ActiveWorkspaces, Database } from '@atrium/platform/database';
import { Clock, DAY } from '@atrium/platform/kernel';
import { FacePictures } from '../infrastructure/face-pictures';
import { FacesRepository } from '../infrastructure/faces.repository';

const CROPS_AT_ONCE = 1_000;

/** Removes the cut-outs that killed workers have left: no face has them, and they are older than any detection takes. */
@Injectable()
export class FaceCropCleanup {
  constructor(
    private readonly db: Database,
    private readonly workspaces: ActiveWorkspaces,
    private readonly faces: FacesRepository,
    private readonly pictures: FacePictures,
    private readonly clock: Clock,
  ) {}

  /** Every workspace; one in trouble does not hold up the others. */
  removeLeftovers(signal?: AbortSignal): Promise<void> {
    return this.workspaces.runForEachWorkspace(() => this.sweep(signal), {
      failure: 'the leftover face images of a workspace could not be removed',
      signal,
    });
  }

  /** Those of the workspace at hand. */
  private async sweep(signal?: AbortSignal): Promise<void> {
    let batch: { readonly face_id: string; readonly key: string }[] = [];
    for await (const crop of this.pictures.listStoredBefore(this.clock.after(-DAY))) {
      if (signal?.aborted) return;
      batch.push(crop);
      if (batch.length < CROPS_AT_ONCE) continue;
      await this.discard(batch);
      batch = [];
    }
    await this.discard(batch);
  }

  private async discard(crops: readonly { readonly face_id: string; readonly key: string }[]): Promise<void> {
    if (crops.length > 0) await this.pictures.deleteCrops(await this.db.read(() => this.faces.filterUnnamedCrops(crops)));
  }
}
