import { Injectable } from '@nestjs/common';
import type { Site } from '../domain/site';

/** Locales that go from a site, and the number of what is live that the change has taken. */
export interface DroppedLocales {
  readonly locales: readonly string[];
  readonly site_seq: number;
  readonly by: string | null;
}

/** What an area above sites does when they change, in the unit of work of the change. */
export interface SiteListener {
  /** Every node has a row in the added locales, whose hash is empty and whose counts are 0. */
  onLocalesAdded?(site: Site, locales: readonly string[]): Promise<void>;
  /** Closes what is live in the locales, before the drafts in them are removed. */
  onLocalesDropped?(site: Site, dropped: DroppedLocales): Promise<void>;
  /** Releases what rows of a deleted site hold elsewhere, at most so many; false once nothing is left. Then the rows are removed. */
  releaseStretch?(site_id: string, most: number): Promise<boolean>;
}

/** Reports changes of sites to the areas above them. They register when the service starts. */
@Injectable()
export class SiteListeners {
  private readonly listeners: SiteListener[] = [];

  register(listener: SiteListener): void {
    this.listeners.push(listener);
  }

  async notifyLocalesAdded(site: Site, locales: readonly string[]): Promise<void> {
    for (const listener of this.listeners) await listener.onLocalesAdded?.(site, locales);
  }

  async notifyLocalesDropped(site: Site, dropped: DroppedLocales): Promise<void> {
    for (const listener of this.listeners) await listener.onLocalesDropped?.(site, dropped);
  }

  /** Whether something was released, and there may be more. */
  async releaseStretch(site_id: string, most: number): Promise<boolean> {
    for (const listener of this.listeners) if (await listener.releaseStretch?.(site_id, most)) return true;
    return false;
  }
}
