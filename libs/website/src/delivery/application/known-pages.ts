import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { SiteFacts } from '../infrastructure/delivered-sites.rows';

/** What pages of one process take in memory. */
const MOST_BYTES = 32 * 1024 * 1024;
const ENTRY_BYTES = 500;

/** A live page, as far as caches have to know of it. */
export interface KnownPage {
  readonly tag: string;
  readonly cacheTags: readonly string[];
}

interface Entry {
  readonly site_seq: number;
  readonly version: number;
  readonly page: KnownPage;
}

type At = Pick<SiteFacts, 'site_id' | 'site_seq' | 'version'>;
type Address = { readonly locale: string; readonly path: string };

/** Pages that were found lately at their addresses. All that an answer depends on changes with one of the two numbers of its site. */
@Injectable()
export class KnownPages {
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: MOST_BYTES,
    sizeCalculation: (_, name) => ENTRY_BYTES + name.length * 2,
  });

  findPage(site: At, address: Address, rich = 'doc'): KnownPage | undefined {
    const entry = this.entries.get(nameOf(site, address, rich));
    return entry?.site_seq === site.site_seq && entry.version === site.version ? entry.page : undefined;
  }

  keepPage({ site_seq, version, ...site }: At, address: Address, rich: string | undefined, page: KnownPage): void {
    this.entries.set(nameOf(site, address, rich ?? 'doc'), { site_seq, version, page });
  }
}

const nameOf = ({ site_id }: Pick<At, 'site_id'>, { locale, path }: Address, rich: string): string =>
  `${site_id} ${locale} ${rich} ${path}`;
