import type { UnitOfWork } from '@atrium/platform/database';
import { sql } from '@atrium/platform/database';
import { currentEnding, MINUTE, notYet } from '@atrium/platform/kernel';
import type { DoubledValue } from '../domain/value-index';

/** What stored rows say to a question: how many there are, or which values are doubled. */
export type StoredAnswer = number | readonly DoubledValue[];

/** What is asked of all stored rows of a form. */
export interface StoredQuestion {
  readonly name: string;
  readonly ask: () => Promise<StoredAnswer>;
  /** Whether the answer refuses the change, so that nothing more is to be asked. */
  readonly refuses: (answer: StoredAnswer) => boolean;
}

/** All questions of one change together: a million texts are compared in half a minute. */
const LONGEST_LOOK_MS = 2 * MINUTE;

/** What one change of a form may take to look through stored rows, however much it asks and however often it begins again. */
export class LookTime {
  private left = LONGEST_LOOK_MS;

  /** Answers by their questions, as far as the first that refuses the change; rejects with `service_unavailable` when the time is over. */
  async answerQuestions(tx: Pick<UnitOfWork, 'query'>, questions: readonly StoredQuestion[]): Promise<ReadonlyMap<string, StoredAnswer>> {
    const answers = new Map<string, StoredAnswer>();
    for (const { name, ask, refuses } of questions) {
      currentEnding()?.throwIfAborted();
      const answer = await this.spend(async () => {
        await tx.query(sql`SELECT set_config('statement_timeout', ${`${Math.ceil(this.left)}ms`}, true)`);
        return ask();
      });
      answers.set(name, answer);
      if (refuses(answer)) break;
    }
    return answers;
  }

  private async spend<T>(work: () => Promise<T>): Promise<T> {
    if (this.left <= 0)
      throw notYet('Checking the stored rows of the form takes too long. Change fewer fields at once.', 60, 'service_unavailable');
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.left -= performance.now() - began;
    }
  }
}
