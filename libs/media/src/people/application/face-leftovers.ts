import { Injectable, Logger } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { Clock, DAY } from '@atrium/platform/kernel';
import { FacePictures } from '../infrastructure/face-pictures';
import { FacesRepository } from '../infrastructure/faces.repository';

const WORKSPACES_AT_ONCE = 200;
const CROPS_AT_ONCE = 1_000;

/** Removes the cut-outs that killed workers have left: no face has them, and they are older than any look at a picture takes. */
@Injectable()
export class FaceLeftovers {
  private readonly log = new Logger(FaceLeftovers.name);

  constructor(
    private readonly db: Database,
    private readonly faces: FacesRepository,
    private readonly pictures: FacePictures,
    private readonly clock: Clock,
  ) {}

  /** Every workspace; one in trouble does not hold up the others. */
  async run(signal?: AbortSignal): Promise<void> {
    for (let after: string | null = null; !signal?.aborted;) {
      const page: { tenant_id: string }[] = await this.db.acrossTenants((tx) =>
        tx.query<{ tenant_id: string }>('SELECT tenant_id FROM workspaces_active($1, $2)', [after, WORKSPACES_AT_ONCE]),
      );
      for (const { tenant_id } of page) {
        if (signal?.aborted) return;
        await inWorkspace(tenant_id, () => this.sweep(signal)).catch((error: unknown) =>
          this.log.warn({ msg: 'cut-outs of faces could not be swept in a workspace', tenant_id, err: error }),
        );
      }
      after = page.at(-1)?.tenant_id ?? null;
      if (page.length < WORKSPACES_AT_ONCE) return;
    }
  }

  /** Those of the workspace at hand. */
  private async sweep(signal?: AbortSignal): Promise<void> {
    let batch: { readonly face_id: string; readonly key: string }[] = [];
    for await (const crop of this.pictures.storedBefore(this.clock.after(-DAY))) {
      if (signal?.aborted) return;
      batch.push(crop);
      if (batch.length < CROPS_AT_ONCE) continue;
      await this.discard(batch);
      batch = [];
    }
    await this.discard(batch);
  }

  private async discard(crops: readonly { readonly face_id: string; readonly key: string }[]): Promise<void> {
    if (crops.length > 0) await this.pictures.remove(await this.db.read(() => this.faces.unnamedCrops(crops)));
  }
}
