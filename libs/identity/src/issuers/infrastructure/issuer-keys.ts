import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock, HOUR, Problem, type JsonObject } from '@atrium/platform/kernel';
import { IssuerMetadata } from './issuer-metadata';
import { IssuersRepository, type KeySource } from './issuers.repository';

/** Keys that could not be fetched again stay good so long. */
const KEPT_FOR_MS = 24 * HOUR;
const ASK_AGAIN_SECONDS = 30;

/**
 * The public keys of issuers: from the database, fetched again by the clock, and when a token names one that is not there;
 * the latter at most once in half a minute for an issuer, whatever tokens say.
 */
@Injectable()
export class IssuerKeys {
  private readonly fetching = new Map<string, Promise<readonly JsonObject[] | null>>();

  constructor(
    private readonly db: Database,
    private readonly issuers: IssuersRepository,
    private readonly metadata: IssuerMetadata,
    private readonly clock: Clock,
  ) {}

  /** Those at hand; none when they are older than a day. */
  async findCachedKeys(iss_id: string): Promise<readonly JsonObject[]> {
    const stored = await this.db.read(() => this.issuers.findStoredKeys(iss_id));
    return stored && this.clock.now().getTime() - new Date(stored.fetched_at).getTime() <= KEPT_FOR_MS ? stored.keys : [];
  }

  /** New ones, or null when nobody may ask yet or the issuer does not answer. Requests of one moment share one fetch. */
  renewKeys(issuer: KeySource): Promise<readonly JsonObject[] | null> {
    const open = this.fetching.get(issuer.iss_id);
    if (open) return open;
    const fetch = this.fetchIfDue(issuer).finally(() => this.fetching.delete(issuer.iss_id));
    this.fetching.set(issuer.iss_id, fetch);
    return fetch;
  }

  /** Fetches and keeps them; a failure is noted at the issuer and leaves those at hand. */
  async fetchKeys(issuer: KeySource): Promise<readonly JsonObject[] | null> {
    try {
      const keys = await this.metadata.fetchKeys(issuer);
      await this.db.write(() => this.issuers.saveKeys(issuer, keys));
      return keys;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      await this.db.write(() => this.issuers.noteCheck(issuer.iss_id, error.detail));
      return null;
    }
  }

  private async fetchIfDue(issuer: KeySource): Promise<readonly JsonObject[] | null> {
    const may = await this.db.write(() => this.issuers.mayAsk(issuer.iss_id, ASK_AGAIN_SECONDS));
    return may ? this.fetchKeys(issuer) : null;
  }
}
