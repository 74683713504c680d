import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Compute, defineTask, type ComputeOptions } from '@atrium/platform/compute';
import type { CutText, TextToCut } from '../infrastructure/passages.task';

const CUT = defineTask<typeof import('../infrastructure/passages.task')>(join(__dirname, '../infrastructure/passages.task'), {
  what: 'text',
});

/** Cuts texts into passages with their words, in bounded processes: the text says how long that takes. */
@Injectable()
export class PassageCutter {
  constructor(private readonly compute: Compute) {}

  cut(text: TextToCut, options: ComputeOptions): Promise<CutText> {
    return this.compute.run(CUT, text, options);
  }
}
