import { Injectable } from '@nestjs/common';
import { Clock } from '@atrium/platform/kernel';
import { PeopleOfFilesRepository } from '../infrastructure/people-of-files.repository';
import { CONSENT_ISSUE } from '../../statuses/application/consent-sources';
import { StatusEffects } from '../../statuses/application/status-effects';

const BATCH = 1_000;

/** What shows people outside who do not agree is taken back in the transaction in which that comes about: they say so, or they are found on a file. */
@Injectable()
export class ConsentWithdrawal {
  constructor(
    private readonly people: PeopleOfFilesRepository,
    private readonly effects: StatusEffects,
    private readonly clock: Clock,
  ) {}

  /** The person does not agree from now on. */
  async withdrawOfPerson(person_id: string): Promise<void> {
    for (let after: string | null = null; ;) {
      const file_ids: string[] = await this.people.findFilesShowing(person_id, after, BATCH);
      await this.takeBack(file_ids);
      after = file_ids.at(-1) ?? null;
      if (file_ids.length < BATCH) return;
    }
  }

  /**
   * The faces were given to people in this unit of work: where those do not agree, their files are taken back. Asked
   * after the faces are written: from then on the rows of the people are kept, and nobody changes their mind unseen.
   */
  async withdrawOfFaces(face_ids: readonly string[]): Promise<void> {
    if (face_ids.length > 0) await this.takeBack(await this.people.listWithoutConsentOnFaces(face_ids, this.clock.now()));
  }

  private takeBack(file_ids: readonly string[]): Promise<void> {
    return this.effects.notifyWithheld({ file_ids, uses: ['publish', 'share'], cause: 'consent', reason: CONSENT_ISSUE });
  }
}
