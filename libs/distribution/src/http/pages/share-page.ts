import type { LookedAt, ShownFile, ShownPage } from '../../application/share-viewing.service';
import { html, type Html } from './html';
import { mark } from './layout';
import { dateOf, fill, sizeOf, type Words } from './words';

/** A link and the address of its page, without which nothing on it leads anywhere. */
export interface PageOfShare {
  readonly base: string;
  readonly share: LookedAt;
  readonly words: Words;
}

/** What keeps somebody out: a password, terms, a name. */
export function lockedPage({ base, share, words }: PageOfShare, note: string | null): Html {
  const asks = new Set(share.asks);
  return html`<div class="centre"><form class="panel" method="post" action="${base}">
${mark('lock')}<h1>${share.share_name ?? words.lockedTitle}</h1><p class="meta">${words.lockedHint}</p>
${note && html`<p class="note" role="alert">${note}</p>`}
${asks.has('terms') && html`<h2>${words.terms}</h2><div class="terms" tabindex="0">${share.terms}</div><label class="check"><input type="checkbox" name="accept_terms" value="true" required><span>${words.acceptTerms}</span></label>`}
${asks.has('name') && html`<label class="field"><span>${words.name}</span><input type="text" name="name" maxlength="120" autocomplete="name" required></label>`}
${asks.has('email') && html`<label class="field"><span>${words.email}</span><input type="email" name="email" maxlength="320" autocomplete="email" required></label>`}
${asks.has('password') && html`<label class="field"><span>${words.password}</span><input type="password" name="password" maxlength="256" autocomplete="current-password" required autofocus></label>`}
<button class="button" type="submit">${words.open}</button>
</form></div>`;
}

const LISTS = { grid: 'grid', list: 'list', slideshow: 'slides' } as const;

/** The files of a link, a page of them. */
export function filesPage(view: PageOfShare, { data, next_cursor }: ShownPage): Html {
  const { base, share, words } = view;
  const { locale, layout, allow_zip, allow_download } = share.options;
  return html`<main>
<header class="head"><div class="say"><h1>${share.share_name}</h1><p class="meta">${metaOf(view)}</p>${share.message && html`<p class="message">${share.message}</p>`}</div>
${allow_zip && allow_download && data.length > 1 && html`<form method="post" action="${base}/zip"><button class="button" type="submit">${words.downloadAll}</button></form>`}</header>
${data.length === 0 ? html`<section class="state">${mark('empty')}<h2>${words.empty}</h2><p class="meta">${words.emptyHint}</p></section>` : html`<ul class="${LISTS[layout]}">${data.map((file) => tile(view, file, locale))}</ul>`}
${next_cursor && html`<p class="more"><a class="button quiet" href="${base}?cursor=${next_cursor}" rel="next">${words.more}</a></p>`}
</main>`;
}

function metaOf({ share, words }: PageOfShare): Html {
  const { locale } = share.options;
  const count = share.file_count;
  return html`${count !== null && count > 0 && html`<span>${count === 1 ? words.file : fill(words.files, { n: new Intl.NumberFormat('en').format(count) })}</span>`}${share.expires_at && html`<span>${fill(words.until, { date: dateOf(share.expires_at, locale) })}</span>`}`;
}

const titleOf = (file: ShownFile): string => file.name ?? file.kind;

const extensionOf = ({ name, kind }: ShownFile): string => /\.([A-Za-z0-9]{1,5})$/.exec(name ?? '')?.[1] ?? kind;

function tile({ base, share, words }: PageOfShare, file: ShownFile, locale: string): Html {
  const picture = file.thumb_url ? html`<img src="${file.thumb_url}" alt="${titleOf(file)}" loading="lazy" decoding="async">` : html`<span class="kind">${extensionOf(file)}</span>`;
  return html`<li class="tile"><a class="frame" href="${base}/file/${file.public_id}">${picture}</a>
<div class="caption"><span class="title" title="${titleOf(file)}">${titleOf(file)}</span><span class="size">${sizeOf(file.size, locale)}</span></div>
${(share.options.allow_download || share.options.ask_approval) && html`<div class="acts">${share.options.allow_download && html`<a class="button quiet small" href="${base}/get/${file.public_id}" rel="nofollow">${words.download}</a>`}${share.options.ask_approval && verdict({ base, share, words }, file)}</div>`}</li>`;
}

function verdict({ base, words }: PageOfShare, file: ShownFile): Html {
  const button = (word: 'approved' | 'rejected', label: string): Html =>
    html`<form method="post" action="${base}/verdict/${file.public_id}"><input type="hidden" name="verdict" value="${word}"><button class="button quiet small" type="submit">${label}</button></form>`;
  return html`${file.verdict && html`<span class="badge ${file.verdict}">${file.verdict === 'approved' ? words.approved : words.rejected}</span>`}${file.verdict !== 'approved' && button('approved', words.approve)}${file.verdict !== 'rejected' && button('rejected', words.reject)}`;
}

/** One file, as large as it is shown. */
export function filePage(view: PageOfShare, file: ShownFile, preview: string | null): Html {
  const { base, share, words } = view;
  const { locale, allow_download, ask_approval } = share.options;
  const facts = FACTS.flatMap((name): [string, string | number][] => {
    const value = file.metadata?.[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
  });
  return html`<main>
<div class="stage">
<p><a class="button quiet small" href="${base}">← ${words.back}</a></p>
${preview ? html`<img src="${preview}" alt="${titleOf(file)}">` : html`<div class="none"><span class="kind">${extensionOf(file)}</span></div>`}
<div class="bar"><div class="say"><h2>${titleOf(file)}</h2><p class="meta"><span>${sizeOf(file.size, locale)}</span>${file.width && file.height && html`<span>${file.width} × ${file.height}</span>`}</p></div>
${allow_download && html`<a class="button" href="${base}/get/${file.public_id}" rel="nofollow">${words.download}</a>`}</div>
${ask_approval && html`<div class="acts">${verdict(view, file)}</div>`}
${facts.length > 0 && html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${name === 'taken' ? dateOf(String(value), locale) : value}</dd>`)}</dl>`}
</div></main>`;
}

const FACTS = ['taken', 'camera', 'lens', 'duration', 'pages'];
