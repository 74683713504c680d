import { Injectable } from '@nestjs/common';
import { PeopleOfFilesRepository } from '../infrastructure/people-of-files.repository';
import { CONSENT_ISSUE } from './consent-sources';
import { StatusEffects } from './status-effects';

const BATCH = 1_000;

/** What shows people outside who do not agree is taken back in the transaction in which that comes about: they say so, or they are found on a file. */
@Injectable()
export class ConsentWithdrawal {
  constructor(
    private readonly people: PeopleOfFilesRepository,
    private readonly effects: StatusEffects,
  ) {}

  /** The person does not agree from now on. */
  async byPerson(person_id: string): Promise<void> {
    for (let after: string | null = null; ; ) {
      const file_ids: string[] = await this.people.showing(person_id, after, BATCH);
      await this.takeBack(file_ids);
      after = file_ids.at(-1) ?? null;
      if (file_ids.length < BATCH) return;
    }
  }

  /** Somebody who does not agree is on the file from now on. */
  onFile(file_id: string): Promise<void> {
    return this.takeBack([file_id]);
  }

  private takeBack(file_ids: readonly string[]): Promise<void> {
    return this.effects.withheld({ file_ids, uses: ['publish', 'share'], cause: 'consent', reason: CONSENT_ISSUE });
  }
}
