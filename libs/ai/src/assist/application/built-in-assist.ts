import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Compute, defineTask } from '@atrium/platform/compute';
import { performBuiltIn, type BuiltInAnswers, type BuiltInInputs, type BuiltInTask } from './built-in-tasks';

const BUILT_IN = defineTask<typeof import('./built-in.task')>(join(__dirname, 'built-in.task'), { what: 'text' });

/** As many characters as take less to work on than to send to a process. */
const SHORT = 2_000;

/** Tasks without a model that writes. A text that takes a moment is worked on in a bounded process. */
@Injectable()
export class BuiltInAssist {
  constructor(private readonly compute: Compute) {}

  /** `input` begins with the text. A text that takes too long is a problem `unprocessable_content`. */
  async runTask<K extends BuiltInTask>(task: K, ...input: BuiltInInputs[K]): Promise<BuiltInAnswers[K]> {
    if (JSON.stringify(input).length <= SHORT) return performBuiltIn(task, input);
    return (await this.compute.runTask(BUILT_IN, { task, input })) as BuiltInAnswers[K];
  }
}
