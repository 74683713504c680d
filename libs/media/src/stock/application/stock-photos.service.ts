import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { invalidField, notFound, Problem, type ProblemCode } from '@atrium/platform/kernel';
import {
  STOCK_SIZES,
  type FoundPhoto,
  type StockPhoto,
  type StockProvider,
  type StockResults,
  type StockSearch,
} from '../domain/stock-provider';
import { StockImportsRepository } from '../infrastructure/stock-imports.repository';

export const STOCK_PROVIDERS = Symbol('stock-providers');

export interface StockQuery extends Omit<StockSearch, 'page' | 'count'> {
  readonly provider?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export type ListedPhoto = StockPhoto & { readonly already_imported: string | null };

export interface StockWarning {
  readonly provider: string;
  readonly code: ProblemCode;
  readonly detail: string;
}

export interface StockPage {
  readonly data: readonly ListedPhoto[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly warnings: readonly StockWarning[];
}

export interface StockProviderLine {
  readonly key: string;
  readonly configured: boolean;
  readonly attribution_required: boolean;
  readonly sizes: readonly string[];
}

const USUAL = 20;
const MOST = 50;
/** No provider answers more at once. */
const MOST_OF_ONE = 30;
const STOCK_ID = /^([a-z]{1,20}):([A-Za-z0-9_-]{1,64})$/;
const CURSOR = /^(\d{1,4})-(\d{1,2})$/;

/** Stock photos of all configured collections, as one. */
@Injectable()
export class StockPhotos {
  constructor(
    @Inject(STOCK_PROVIDERS) private readonly all: readonly StockProvider[],
    private readonly db: Database,
    private readonly imports: StockImportsRepository,
  ) {}

  listProviders(): StockProviderLine[] {
    return this.all.map(({ key, configured, attribution_required }) => ({ key, configured, attribution_required, sizes: STOCK_SIZES }));
  }

  /** Photos of each collection in turn; one that fails is reported, unless all do. */
  async searchPhotos({ provider, limit = USUAL, cursor, ...wanted }: StockQuery): Promise<StockPage> {
    const asked = this.asked(provider);
    const { page, count } =
      cursor === undefined
        ? { page: 1, count: Math.min(MOST_OF_ONE, Math.max(1, Math.floor(Math.min(limit, MOST) / asked.length))) }
        : positionOf(cursor);
    const outcomes = await Promise.all(asked.map((one) => one.searchPhotos({ ...wanted, page, count }).catch(asProblem)));
    const found = outcomes.flatMap((outcome): StockResults[] => (outcome instanceof Problem ? [] : [outcome]));
    const problems = outcomes.flatMap((outcome): Problem[] => (outcome instanceof Problem ? [outcome] : []));
    const [first] = problems;
    if (found.length === 0 && first) throw problems.find(({ code }) => code === 'rate_limited') ?? first;
    const warnings = outcomes.flatMap((outcome, at): StockWarning[] =>
      outcome instanceof Problem ? [{ provider: asked[at]?.key ?? '', code: outcome.code, detail: outcome.detail }] : [],
    );
    const has_more = found.some((results) => results.has_more);
    return {
      data: await this.listed(interleaved(found.map(({ photos }) => photos))),
      has_more,
      next_cursor: has_more ? `${page + 1}-${count}` : null,
      warnings,
    };
  }

  async get(stock_id: string): Promise<ListedPhoto> {
    const [photo] = await this.listed([(await this.requirePhoto(stock_id)).photo]);
    if (!photo) throw notFound('stock photo');
    return photo;
  }

  /** The photo with its provider; unknown ids and providers are not found. */
  async requirePhoto(stock_id: string, signal?: AbortSignal): Promise<{ readonly photo: FoundPhoto; readonly provider: StockProvider }> {
    const { provider, id } = this.getProvider(stock_id);
    const photo = await provider.findPhoto(id, signal);
    if (!photo) throw notFound('stock photo');
    return { photo, provider };
  }

  /** The provider of a photo, which can be asked; and what it calls the photo. */
  getProvider(stock_id: string): { readonly provider: StockProvider; readonly id: string } {
    const [, key, id = ''] = STOCK_ID.exec(stock_id) ?? [];
    const provider = this.all.find((one) => one.key === key);
    if (!provider) throw notFound('stock photo');
    if (!provider.configured) throw unconfigured([provider]);
    return { provider, id };
  }

  private asked(key: string | undefined): readonly StockProvider[] {
    const named = key === undefined ? this.all : this.all.filter((one) => one.key === key);
    if (named.length === 0) throw invalidField('provider', `must be one of ${this.all.map((one) => one.key).join(', ')}`, 'choice');
    const configured = named.filter((one) => one.configured);
    if (configured.length === 0) throw unconfigured(named);
    return configured;
  }

  private async listed(photos: readonly FoundPhoto[]): Promise<ListedPhoto[]> {
    const files = await this.db.read(() => this.imports.findFiles(photos.map(({ stock_id }) => stock_id)));
    return photos.map(({ urls: _, ping_url: __, ...photo }) => ({ ...photo, already_imported: files.get(photo.stock_id) ?? null }));
  }
}

const unconfigured = (providers: readonly StockProvider[]): Problem =>
  new Problem(
    'not_configured',
    `No stock photo collection is configured: see the setting ${providers.map(({ setting }) => setting).join(' or ')}.`,
  );

function positionOf(cursor: string): { readonly page: number; readonly count: number } {
  const [, page, count] = CURSOR.exec(cursor) ?? [];
  if (page === undefined || count === undefined || Number(page) < 1 || Number(count) < 1 || Number(count) > MOST_OF_ONE)
    throw invalidField('cursor', 'is not a cursor of this list', 'cursor');
  return { page: Number(page), count: Number(count) };
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/** The first of each, then the second of each. */
function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
