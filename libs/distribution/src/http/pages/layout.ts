import { html, type Html } from './html';
import type { Words } from './words';

/** A whole page. */
export interface PageParts {
  readonly title: string;
  readonly locale: string;
  readonly words: Words;
  readonly body: Html;
  readonly script?: boolean;
}

/** `version` changes with the assets, so that browsers may keep them. */
export const page = ({ title, locale, words, body, script = false }: PageParts, version: string): string =>
  html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="stylesheet" href="/s/-/page.css?${version}">
${script && html`<script src="/s/-/upload.js?${version}" defer></script>`}
</head>
<body>
${body}
<footer>${words.footer}</footer>
</body>
</html>
`.text;

const ICONS = {
  lock: html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><rect x="4.5" y="10.5" width="15" height="10" rx="2.5"/><path d="M8 10.5V7.5a4 4 0 0 1 8 0v3"/></svg>`,
  gone: html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/></svg>`,
  unknown: html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="11" cy="11" r="6.5"/><path d="m20 20-4.2-4.2"/></svg>`,
  empty: html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><rect x="3.5" y="4.5" width="17" height="15" rx="2.5"/><path d="m4 16 4.5-4.5 4 4 2.5-2.5 5 5"/><circle cx="15.5" cy="9" r="1.3"/></svg>`,
  done: html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="12" cy="12" r="8.5"/><path d="m8.2 12.2 2.6 2.6 5-5.4"/></svg>`,
  up: html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M12 16V5m0 0L7.5 9.5M12 5l4.5 4.5"/><path d="M4.5 15.5v2a2.5 2.5 0 0 0 2.5 2.5h10a2.5 2.5 0 0 0 2.5-2.5v-2"/></svg>`,
} as const;

export type IconName = keyof typeof ICONS;

export const mark = (name: IconName): Html => html`<div class="mark">${ICONS[name]}</div>`;

/** A page that says one thing. */
export const state = (icon: IconName, title: string, hint: string): Html => html`<main class="narrow"><section class="state">${mark(icon)}<h1>${title}</h1><p class="meta">${hint}</p></section></main>`;
