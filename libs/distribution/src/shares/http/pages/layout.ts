import type { GuestBrand } from '../../application/share-brand';
import { brandSheet } from './brand-style';
import { html, type Html } from './html';
import type { Words } from './words';

/** A whole page. */
export interface PageParts {
  readonly title: string;
  readonly locale: string;
  readonly words: Words;
  readonly body: Html;
  readonly script?: 'upload' | 'share';
  /** Who sends the link; pages that know of none go without. */
  readonly brand?: GuestBrand;
}

/** A workspace without a brand has its name said beside the link, and nothing above it. */
function brandOf({ name, tagline, logo_url, dark_logo_url, colors }: GuestBrand): Html | null {
  if (!tagline && !logo_url && !colors) return null;
  const picture =
    logo_url &&
    html`<picture
      >${dark_logo_url && html`<source srcset="${dark_logo_url}" media="(prefers-color-scheme: dark)" />`}<img
        src="${logo_url}"
        alt="${name}"
    /></picture>`;
  return html`<header class="brand">
    ${picture || html`<span class="name">${name}</span>`}${tagline && html`<span class="tagline">${tagline}</span>`}
  </header>`;
}

/** `version` changes with the assets, so that browsers may keep them. */
export const renderPage = ({ title, locale, words, body, script, brand }: PageParts, version: string): string =>
  html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <link rel="stylesheet" href="/s/-/page.css?${version}" />
        ${brand?.colors && html`<link rel="stylesheet" href="/s/-/${brandSheet(brand.colors)}?${version}" />`}
        ${script && html`<script src="/s/-/${script}.js?${version}" defer></script>`}
      </head>
      <body>
        ${brand && brandOf(brand)} ${body}
        <footer>
          ${brand && [brand.copyright, brand.disclaimer].map((line) => line && html`<p>${line}</p>`)}
          <p>${words.footer}</p>
        </footer>
      </body>
    </html> `.text;

const ICONS = {
  lock: html`<svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <rect x="4.5" y="10.5" width="15" height="10" rx="2.5" />
    <path d="M8 10.5V7.5a4 4 0 0 1 8 0v3" />
  </svg>`,
  gone: html`<svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V12l3 2" />
  </svg>`,
  unknown: html`<svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <circle cx="11" cy="11" r="6.5" />
    <path d="m20 20-4.2-4.2" />
  </svg>`,
  empty: html`<svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <rect x="3.5" y="4.5" width="17" height="15" rx="2.5" />
    <path d="m4 16 4.5-4.5 4 4 2.5-2.5 5 5" />
    <circle cx="15.5" cy="9" r="1.3" />
  </svg>`,
  down: html`<svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d="M12 4.5V15m0 0-4-4m4 4 4-4M5 19.5h14" />
  </svg>`,
  yes: html`<svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d="m5.5 12.8 4.3 4.2L18.5 7.5" />
  </svg>`,
  no: html`<svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d="M7 7l10 10M17 7 7 17" />
  </svg>`,
  prev: html`<svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d="m14.5 5.5-6.5 6.5 6.5 6.5" />
  </svg>`,
  next: html`<svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d="m9.5 5.5 6.5 6.5-6.5 6.5" />
  </svg>`,
  done: html`<svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <circle cx="12" cy="12" r="8.5" />
    <path d="m8.2 12.2 2.6 2.6 5-5.4" />
  </svg>`,
  up: html`<svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d="M12 16V5m0 0L7.5 9.5M12 5l4.5 4.5" />
    <path d="M4.5 15.5v2a2.5 2.5 0 0 0 2.5 2.5h10a2.5 2.5 0 0 0 2.5-2.5v-2" />
  </svg>`,
} as const;

export type IconName = keyof typeof ICONS;

export const iconOf = (name: IconName): Html => ICONS[name];

export const markOf = (name: IconName): Html => html`<div class="mark">${ICONS[name]}</div>`;

/** A page that says one thing. */
export const statePage = (icon: IconName, title: string, hint: string): Html =>
  html`<main class="narrow">
    <section class="state">
      ${markOf(icon)}
      <h1>${title}</h1>
      <p class="meta">${hint}</p>
    </section>
  </main>`;
