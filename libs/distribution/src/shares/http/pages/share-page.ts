import type { LookedAt } from '../../application/share-overview.service';
import type { Neighbours, ShownFile, ShownPage } from '../../application/share-viewing.service';
import { html, type Html } from './html';
import { iconOf, markOf } from './layout';
import { dateOf, fillText, sizeOf, type Words } from './words';

/** A link and the address of its page, without which nothing on it leads anywhere. */
export interface PageOfShare {
  readonly base: string;
  readonly share: LookedAt;
  readonly words: Words;
}

/** Where somebody is in the files of a link, and what they have ticked so far. */
export interface FilesShown extends ShownPage {
  readonly cursor: string | null;
  readonly picks: readonly string[];
  readonly note?: string;
}

/** What keeps somebody out: a password, terms, a name. */
export function lockedPage({ base, share, words }: PageOfShare, note: string | null): Html {
  const asks = new Set(share.asks);
  return html`<div class="centre">
    <form class="panel" method="post" action="${base}">
      ${markOf('lock')}
      <h1>${share.share_name ?? words.lockedTitle}</h1>
      <p class="meta">${words.lockedHint}</p>
      ${note && html`<p class="note" role="alert">${note}</p>`}
      ${
        asks.has('terms') &&
        html`<h2>${words.terms}</h2>
          <div class="terms" tabindex="0">${share.terms}</div>
          <label class="check"><input type="checkbox" name="accept_terms" value="true" required /><span>${words.acceptTerms}</span></label>`
      }
      ${asks.has('name') && html`<label class="field"><span>${words.name}</span><input type="text" name="name" maxlength="120" autocomplete="name" required /></label>`}
      ${asks.has('email') && html`<label class="field"><span>${words.email}</span><input type="email" name="email" maxlength="320" autocomplete="email" required /></label>`}
      ${asks.has('password') && html`<label class="field"><span>${words.password}</span><input type="password" name="password" maxlength="256" autocomplete="current-password" required autofocus /></label>`}
      <button class="button" type="submit">${words.open}</button>
    </form>
  </div>`;
}

const LISTS = { grid: 'grid', list: 'list', slideshow: 'slides' } as const;

const mayPick = ({ options, file_count }: LookedAt): boolean => options.allow_zip && options.allow_download && file_count !== 1;

/** The files of a link, a page of them. One form holds the ticks: whatever button is pressed takes them along. */
export function filesPage(view: PageOfShare, shown: FilesShown): Html {
  const { base, share, words } = view;
  const { data, next_cursor, cursor, picks, note } = shown;
  const picked = new Set(picks);
  const here = new Set(data.map(({ public_id }) => public_id));
  const told = { picked: words.picked, left: words.downloadsLeft, making: words.making };
  const awaited = data.filter(({ picture }) => picture === 'making').length;
  return html`<main data-share="${base}" data-words="${JSON.stringify(told)}">
    <form id="chosen" method="post" action="${base}/zip">
      ${cursor && html`<input type="hidden" name="cursor" value="${cursor}" />`}${picks.filter((id) => !here.has(id)).map((id) => html`<input type="hidden" name="pick" value="${id}" />`)}
    </form>
    <header class="head">
      <div class="say">
        <h1>${share.share_name}</h1>
        <p class="meta">${metaOf(view)}</p>
        ${share.message && html`<p class="message">${share.message}</p>`}
      </div>
      ${mayPick(share) && data.length > 1 && html`<button class="button" type="submit" form="chosen" name="which" value="all">${words.downloadAll}</button>`}
    </header>
    ${note && html`<p class="note" role="alert">${note}</p>`}
    ${
      awaited > 0 &&
      html`<p class="making" role="status">
          <progress max="${awaited}" value="0" aria-label="${words.making}"></progress><span>${words.making}</span>
        </p>
        <noscript><p class="meta">${words.reload}</p></noscript>`
    }
    ${
      data.length === 0
        ? html`<section class="state">
            ${markOf('empty')}
            <h2>${words.empty}</h2>
            <p class="meta">${words.emptyHint}</p>
          </section>`
        : html`<ul class="${LISTS[share.options.layout]}">
            ${data.map((file) => tile(view, file, picked))}
          </ul>`
    }
    ${next_cursor && html`<p class="more"><button class="button quiet" type="submit" form="chosen" formaction="${base}/more" name="next" value="${next_cursor}">${words.more}</button></p>`}
    ${mayPick(share) && data.length > 1 && html`<div class="choose"><span class="count" role="status"></span><button class="button quiet small" type="button" data-clear hidden>${words.clear}</button><button class="button small" type="submit" form="chosen" name="which" value="picked">${words.downloadPicked}</button></div>`}
  </main>`;
}

function metaOf({ share, words }: PageOfShare): Html {
  const { locale } = share.options;
  const { file_count: count, downloads_left: left } = share;
  const number = (n: number): string => new Intl.NumberFormat('en').format(n);
  return html`<span>${fillText(words.from, { name: share.brand.name })}</span
    >${count !== null && count > 0 && html`<span data-count="files">${count === 1 ? words.file : fillText(words.files, { n: number(count) })}</span>`}${left !== null && share.options.allow_download && html`<span data-count="downloads">${fillText(words.downloadsLeft, { n: number(left) })}</span>`}${share.expires_at && html`<span>${fillText(words.until, { date: dateOf(share.expires_at, locale) })}</span>`}`;
}

const titleOf = (file: ShownFile): string => file.name ?? file.kind;

const extensionOf = ({ name, kind }: ShownFile): string => /\.([A-Za-z0-9]{1,5})$/.exec(name ?? '')?.[1] ?? kind;

function pictureOf(file: ShownFile, words: Words): Html {
  if (file.thumb_url) return html`<img src="${file.thumb_url}" alt="${titleOf(file)}" loading="lazy" decoding="async" />`;
  return file.picture === 'making'
    ? html`<span class="kind waits" data-await="${file.public_id}" data-alt="${titleOf(file)}">${words.soon}</span>`
    : html`<span class="kind">${extensionOf(file)}</span>`;
}

/** The picture, its name, and one quiet row of what can be done with it. */
function tile({ base, share, words }: PageOfShare, file: ShownFile, picked: ReadonlySet<string>): Html {
  const title = titleOf(file);
  const { public_id } = file;
  const { allow_download, ask_approval, locale } = share.options;
  return html`<li class="tile${file.verdict ? ` is-${file.verdict}` : ''}" id="f-${public_id}">
    <div class="shot">
      <a class="frame" href="${base}/file/${public_id}">${pictureOf(file, words)}</a>
      ${mayPick(share) && html`<label class="tick" title="${words.choose1}"><input type="checkbox" name="pick" value="${public_id}" form="chosen" autocomplete="off" aria-label="${fillText(words.chooseFile, { name: title })}" ${picked.has(public_id) && html` checked`} /></label>`}
    </div>
    <div class="caption"><span class="title" title="${title}">${title}</span></div>
    <div class="acts">
      <span class="size">${sizeOf(file.size, locale)}</span
      >${ask_approval && verdict({ base, words }, file, 'icon')}${allow_download && html`<a class="act" href="${base}/get/${public_id}" rel="nofollow" data-takes title="${words.download}" aria-label="${fillText(words.downloadFile, { name: title })}">${iconOf('down')}</a>`}
    </div>
  </li>`;
}

/** Two buttons of the one form; the one that was said is pressed. */
function verdict({ base, words }: Pick<PageOfShare, 'base' | 'words'>, file: ShownFile, look: 'icon' | 'button'): Html {
  const name = titleOf(file);
  const button = (word: 'approved' | 'rejected', label: string): Html => {
    const isSaid = file.verdict === word;
    return html`<button
      class="${look === 'icon' ? 'act' : 'button quiet small'} ${word}"
      type="submit"
      form="chosen"
      formaction="${base}/verdict/${file.public_id}"
      name="verdict"
      value="${word}"
      aria-pressed="${isSaid ? 'true' : 'false'}"
      title="${label}"
      ${look === 'icon' && html` aria-label="${label}: ${name}"`}
    >
      ${iconOf(word === 'approved' ? 'yes' : 'no')}${look === 'button' && html`<span>${label}</span>`}
    </button>`;
  };
  return html`${button('approved', file.verdict === 'approved' ? words.approved : words.approve)}${button('rejected', file.verdict === 'rejected' ? words.rejected : words.reject)}`;
}

/** One file, as large as it is shown, between its neighbours. */
export function filePage(
  view: PageOfShare,
  file: ShownFile,
  { preview, previous, next }: Neighbours & { readonly preview: string | null },
): Html {
  const { base, share, words } = view;
  const { locale, allow_download, ask_approval } = share.options;
  const facts = FACTS.flatMap((name): [string, string | number][] => {
    const value = file.metadata?.[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
  });
  const step = (id: string | null, rel: 'prev' | 'next', label: string): Html =>
    id === null
      ? html`<span class="act off">${iconOf(rel)}</span>`
      : html`<a class="act" href="${base}/file/${id}" rel="${rel}" title="${label}" aria-label="${label}">${iconOf(rel)}</a>`;
  return html`<main
    data-share="${base}"
    data-words="${JSON.stringify({ picked: words.picked, left: words.downloadsLeft, making: words.making })}"
  >
    <form id="chosen" method="post" action="${base}/zip"><input type="hidden" name="file" value="${file.public_id}" /></form>
    <div class="stage">
      <nav class="walk">
        <a class="button quiet small" href="${base}#f-${file.public_id}" data-back>← ${words.back}</a
        ><span class="steps">${step(previous, 'prev', words.previous)}${step(next, 'next', words.next1)}</span>
      </nav>
      ${stagePicture(file, preview, words)}
      <div class="bar">
        <div class="say">
          <h2>${titleOf(file)}</h2>
          <p class="meta">
            <span>${sizeOf(file.size, locale)}</span
            >${file.width && file.height && html`<span>${file.width} × ${file.height}</span>`}${share.downloads_left !== null && allow_download && html`<span data-count="downloads">${fillText(words.downloadsLeft, { n: share.downloads_left })}</span>`}
          </p>
        </div>
        ${mayPick(share) && html`<label class="check pick scripted" hidden><input type="checkbox" name="pick" value="${file.public_id}" autocomplete="off" /><span>${words.choose1}</span></label>`}
        ${ask_approval && html`<div class="acts">${verdict(view, file, 'button')}</div>`}
        ${allow_download && html`<a class="button" href="${base}/get/${file.public_id}" rel="nofollow" data-takes>${words.download}</a>`}
      </div>
      ${
        facts.length > 0 &&
        html`<dl class="facts">
          ${facts.map(
            ([name, value]) =>
              html`<dt>${name}</dt>
                <dd>${name === 'taken' ? dateOf(String(value), locale) : value}</dd>`,
          )}
        </dl>`
      }
    </div>
  </main>`;
}

function stagePicture(file: ShownFile, preview: string | null, words: Words): Html {
  if (preview) return html`<img src="${preview}" alt="${titleOf(file)}" />`;
  return file.picture === 'making'
    ? html`<div class="none">
          <span class="kind waits" data-await="${file.public_id}" data-alt="${titleOf(file)}" data-whole>${words.soon}</span>
        </div>
        <noscript><p class="meta">${words.reload}</p></noscript>`
    : html`<div class="none"><span class="kind">${extensionOf(file)}</span></div>`;
}

const FACTS = ['taken', 'camera', 'lens', 'duration', 'pages'];
