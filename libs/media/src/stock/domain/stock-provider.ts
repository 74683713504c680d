export const STOCK_SIZES = ['original', 'large', 'medium'] as const;
export const STOCK_ORIENTATIONS = ['landscape', 'portrait', 'square'] as const;
export const STOCK_COLORS = ['black', 'white', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple'] as const;

export type StockSize = (typeof STOCK_SIZES)[number];

/** A photo of a collection, as every provider describes it. */
export interface StockPhoto {
  /** `provider:id`. */
  readonly stock_id: string;
  readonly title: string | null;
  readonly author: string;
  readonly author_url: string;
  readonly page_url: string;
  readonly preview_url: string;
  readonly width: number;
  readonly height: number;
  readonly color: string | null;
  readonly license: string;
  readonly license_url: string;
}

/** A photo with what is needed to fetch it; nothing of that leaves the service. */
export interface FoundPhoto extends StockPhoto {
  readonly urls: Readonly<Record<StockSize, string>>;
  /** The address for reporting a download; null if the provider wants no report. */
  readonly ping_url: string | null;
}

export interface StockSearch {
  readonly q: string;
  readonly orientation?: (typeof STOCK_ORIENTATIONS)[number] | undefined;
  readonly color?: (typeof STOCK_COLORS)[number] | undefined;
  readonly page: number;
  readonly count: number;
}

export interface StockResults {
  readonly photos: readonly FoundPhoto[];
  readonly has_more: boolean;
}

/** Port to a collection of stock photos. What it refuses or fails at is a problem; called outside of any unit of work. */
export interface StockProvider {
  readonly key: string;
  readonly name: string;
  readonly configured: boolean;
  readonly attribution_required: boolean;
  readonly setting: string;
  searchPhotos(wanted: StockSearch, signal?: AbortSignal): Promise<StockResults>;
  /** Null: there is no such photo. */
  findPhoto(id: string, signal?: AbortSignal): Promise<FoundPhoto | null>;
  downloadUrl(photo: FoundPhoto, size: StockSize): string;
  /** Reports an acquired photo to its provider, at the address that came with it. */
  reportDownload(ping_url: string, signal?: AbortSignal): Promise<void>;
}
