import { Injectable } from '@nestjs/common';
import { StorageMeter, negatedLine, type StorageLine } from '@atrium/governance';
import { requireScope } from '@atrium/platform/database';
import { keysOf, providerOf, renditionBytes, type MarkedPictures } from '../domain/blob';

/** Reports to the meter what marked pictures take of storage, in the unit of work of each change. */
@Injectable()
export class PictureAccount {
  constructor(private readonly meter: StorageMeter) {}

  /** Marked pictures came. They are made once for equal bytes, whichever context shows them, and belong to no person or repository. */
  countMarked(pictures: MarkedPictures): void {
    this.meter.countBytes(marks(pictures));
  }

  /** They went, with their blob or before it. */
  uncountMarked(pictures: MarkedPictures | undefined): void {
    if (pictures) this.meter.countBytes(negatedLine(marks(pictures)));
  }
}

function marks({ blob_key, blob_marked }: MarkedPictures): StorageLine {
  const sets = Object.values(blob_marked);
  const [bytes, objects] = [sets.reduce((sum, pictures) => sum + renditionBytes(pictures), 0), keysOf(blob_marked).length];
  return {
    provider: providerOf(blob_key) ?? requireScope().tenant_id,
    class: 'rendition',
    repo_type: '',
    family: 'image',
    user: null,
    bytes,
    objects,
  };
}
