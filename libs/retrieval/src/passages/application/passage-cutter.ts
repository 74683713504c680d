import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Compute, defineTask, type ComputeOptions } from '@atrium/platform/compute';
import { rowsOfPieces } from '@atrium/platform/kernel';
import type { CutText, IndexedPassage, TextToCut } from '../infrastructure/passages.task';

const CUT = defineTask<typeof import('../infrastructure/passages.task')>(join(__dirname, '../infrastructure/passages.task'), {
  what: 'text',
});

/** What was made of a text. */
export interface CutPassages extends Omit<CutText, 'pieces'> {
  readonly passages: readonly IndexedPassage[];
}

/** Cuts texts into passages with their words, in bounded processes: the text says how long that takes. */
@Injectable()
export class PassageCutter {
  constructor(private readonly compute: Compute) {}

  async cut(text: TextToCut, options: ComputeOptions): Promise<CutPassages> {
    const { pieces, ...cut } = await this.compute.run(CUT, text, options);
    return { ...cut, passages: await rowsOfPieces<IndexedPassage>(pieces) };
  }
}
