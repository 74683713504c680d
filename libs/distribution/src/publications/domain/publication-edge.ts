import type { JsonObject } from '@atrium/platform/kernel';

/** One public address as an edge has to know it. */
export interface EdgePolicy {
  readonly pub_key: string;
  readonly pub_url: string;
  /** Whether the address answers with bytes at all; else the edge forgets the policy. */
  readonly live: boolean;
  /** Everything it takes to answer there: state, window, rules, what the copy is. */
  readonly document: JsonObject;
}

/** Port: a cache or server in front of the copies. Every call may be repeated, and the last one wins. */
export interface PublicationEdge {
  readonly name: string;
  putPolicy(policy: EdgePolicy, signal: AbortSignal): Promise<void>;
  removePolicy(pub_key: string, signal: AbortSignal): Promise<void>;
  /** Whatever was kept of these addresses is dropped. */
  purgeUrls(urls: readonly string[], signal: AbortSignal): Promise<void>;
}

/** Every edge of this installation, the embedded one first. */
export const PUBLICATION_EDGES = Symbol('publication-edges');
