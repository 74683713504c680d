/** A language of a site. */
export interface SiteLocale {
  /** BCP 47, in its canonical form. */
  readonly code: string;
  readonly name: string;
  /** The locale whose values are shown where this one has none; null: the default locale. */
  readonly fallback: string | null;
  /** First segment of the paths of the locale; empty for one locale at most. */
  readonly prefix: string;
  readonly active: boolean;
}
