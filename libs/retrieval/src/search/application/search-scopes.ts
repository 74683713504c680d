import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';

/**
 * Port for contexts whose sources are searched by scope (`docs`, `ds:<id>`, `thread:<id>` …): each registers the prefix of
 * its keys at start.
 */
export interface SearchScope {
  /** The part before the colon, or the whole key. */
  readonly prefix: string;
  /**
   * Of the keys, all of the prefix, those the actor may search; without keys, all that they may. Nobody (null) searches what
   * bears no access list, and only where keys are named. Called within a unit of work.
   */
  findReadableKeys(actor: Principal | null, keys: readonly string[] | null): Promise<readonly string[]>;
}

/** Which of the named scopes are searched. */
export interface OpenScopes {
  readonly keys: readonly string[];
  readonly ignored: readonly string[];
}

/** The scopes that this process knows. */
@Injectable()
export class SearchScopes {
  private readonly scopes = new Map<string, SearchScope>();

  register(scope: SearchScope): void {
    if (this.scopes.has(scope.prefix)) throw new Error(`Two contexts register scopes with the prefix ${scope.prefix}.`);
    this.scopes.set(scope.prefix, scope);
  }

  /** Of the named ones those the actor may search, or all of them where none is named. */
  async openScopes(actor: Principal | null, named: readonly string[] | null): Promise<OpenScopes> {
    if (named === null) {
      if (actor === null) return { keys: [], ignored: [] };
      const each = await inTurn([...this.scopes.values()], (scope) => scope.findReadableKeys(actor, null));
      return { keys: each.flat(), ignored: [] };
    }
    const byPrefix = new Map<string, string[]>();
    for (const key of new Set(named)) byPrefix.set(prefixOf(key), [...(byPrefix.get(prefixOf(key)) ?? []), key]);
    const each = await inTurn(
      [...byPrefix],
      ([prefix, keys]) => this.scopes.get(prefix)?.findReadableKeys(actor, keys) ?? Promise.resolve([]),
    );
    const open = new Set(each.flat());
    return { keys: [...new Set(named)].filter((key) => open.has(key)), ignored: [...new Set(named)].filter((key) => !open.has(key)) };
  }
}

const prefixOf = (key: string): string => key.split(':', 1)[0] ?? key;

async function inTurn<A, B>(items: readonly A[], work: (item: A) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
