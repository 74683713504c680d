/** How long caches in front of a site keep what it delivers. */
export interface SiteCache {
  /** Seconds for which shared caches may use an answer. */
  readonly s_maxage: number;
  /** Seconds for which they may go on with it while they fetch a newer one. */
  readonly swr: number;
}

export const USUAL_CACHE: SiteCache = { s_maxage: 60, swr: 300 };
