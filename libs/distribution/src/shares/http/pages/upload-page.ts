import { randomBytes } from 'node:crypto';
import type { LookedAt } from '../../application/share-overview.service';
import { html, type Html } from './html';
import { markOf } from './layout';
import { fillText, sizeOf, type Words } from './words';

/** A page on which files are sent. */
export interface PageForFiles {
  /** Address of the public calls. */
  readonly api: string;
  readonly share: LookedAt;
  readonly words: Words;
  /** What unlocked the link; kiosks get theirs from the device. */
  readonly access: string | null;
  readonly kiosk: boolean;
}

const KINDS: Readonly<Record<string, string>> = {
  program: '.exe,.msi,.dmg,.apk,.jar',
  script: '.sh,.js,.py,.ps1,.bat,.vbs',
  macro: '.docm,.xlsm,.pptm',
  image: 'image/*',
  video: 'video/*',
  audio: 'audio/*',
  font: '.ttf,.otf,.woff,.woff2',
  archive: '.zip,.7z,.tar,.gz,.rar',
  document: '.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.txt,.md,.csv,.odt',
};

function acceptOf({ options }: LookedAt): string {
  const formats = options.allowed_formats.map((format) => `.${format}`);
  if (formats.length > 0) return formats.join(',');
  return options.allowed_kinds.includes('other') ? '' : options.allowed_kinds.map((kind) => KINDS[kind]).join(',');
}

/** What sends files, and at a kiosk the door before it. */
export function uploadPage({ api, share, words, access, kiosk }: PageForFiles): Html {
  const { upload, options } = share;
  const told = {
    waiting: words.waiting,
    sending: words.sending,
    finishing: words.finishing,
    sent: words.sent,
    failed: words.failed,
    retry: words.retry,
    tooLarge: words.tooLarge,
    left: words.left,
    next: words.next,
    startsOver: words.startsOver,
    faults: { blocked_type: words.harmful },
  };
  return html`<main
    class="narrow"
    data-upload="${api}"
    data-words="${JSON.stringify(told)}"
    data-most="${upload?.max_size ?? ''}"
    ${access && html` data-access="${access}"`}${kiosk && html` data-kiosk="yes" data-idle="${options.kiosk_idle_seconds}"`}
  >
    ${
      kiosk &&
      html`<section class="bye state" hidden>
          ${markOf('done')}
          <h1 tabindex="-1">${words.thanks}</h1>
          <p class="meta">${words.arrived}</p>
          <p class="meta next" role="timer"></p>
          <p class="more"><button class="button" type="button">${words.begin}</button></p>
        </section>
        <form class="panel door" method="post" autocomplete="off">
          ${markOf('lock')}
          <h1>${words.kiosk}</h1>
          <p class="meta">${words.kioskHint}</p>
          <p class="note" role="alert" hidden></p>
          <label class="field"
            ><span>${words.password}</span
            ><input type="password" name="password" maxlength="256" autocomplete="new-password" required /></label
          ><button class="button" type="submit">${words.activate}</button>
        </form>`
    }
    <div class="room" ${kiosk && html` hidden`}>
      <header class="head">
        <div class="say">
          <h1>${share.share_name}</h1>
          <p class="meta">${kiosk ? words.kioskUploadHint : fillText(words.uploadHint, { name: share.brand.name })}</p>
          ${share.message && html`<p class="message">${share.message}</p>`}
        </div>
      </header>
      <noscript><p class="note">${words.needsScript}</p></noscript>
      ${fields({ share, words, kiosk })}
      <div class="drop">
        ${markOf('up')}
        <h2>${words.drop}</h2>
        <label class="button">${words.choose}<input type="file" multiple accept="${acceptOf(share)}" /></label>
        <p>
          ${[upload?.max_size ? fillText(words.upTo, { size: sizeOf(upload.max_size, options.locale) }) : '', upload?.left === null || upload === null ? '' : html`<span data-left="${upload.left}">${fillText(words.left, { n: upload.left })}</span>`, options.allowed_formats.map((format) => format.toUpperCase()).join(', ')].filter(Boolean).map((piece, at) => html`${at > 0 && ' · '}${piece}`)}
        </p>
      </div>
      <ul class="queue" aria-live="polite"></ul>
      ${
        kiosk &&
        html`<div class="kioskbar" hidden>
          <p class="countdown" role="timer" aria-live="off"></p>
          <button class="button" type="button" data-done>${words.done}</button>
        </div>`
      }
      <section class="thanks" hidden>
        <h2>${words.thanks}</h2>
        <p>${words.thanksHint}</p>
      </section>
    </div>
  </main>`;
}

/** At a kiosk browsers have nothing to offer to the next guest: fields have another name each time and are stored nowhere. */
function fields({ share: { upload, options }, words, kiosk }: Pick<PageForFiles, 'share' | 'words' | 'kiosk'>): Html {
  const { require_name, require_email } = options;
  const albums = upload?.albums ?? [];
  if (!require_name && !require_email && !upload?.may_tag && albums.length === 0) return html``;
  const named = (field: string): string => (kiosk ? `f${randomBytes(8).toString('hex')}` : field);
  const kept = (token: string): string => (kiosk ? 'off' : token);
  return html`<form class="fields" autocomplete="${kiosk ? 'off' : 'on'}">
    ${require_name && html`<label class="field"><span>${words.name}</span><input type="text" name="${named('name')}" data-field="name" maxlength="120" autocomplete="${kept('name')}" required /></label>`}
    ${require_email && html`<label class="field"><span>${words.email}</span><input type="email" name="${named('email')}" data-field="email" maxlength="320" autocomplete="${kept('email')}" required /></label>`}
    ${
      albums.length > 0 &&
      html`<label class="field"
        ><span>${words.album}</span
        ><select name="${named('album')}" data-field="album" autocomplete="off">
          <option value="">${words.allAlbums}</option>
          ${albums.map(({ album_id, album_name }) => html`<option value="${album_id}">${album_name}</option>`)}
        </select></label
      >`
    }
    ${upload?.may_tag && html`<label class="field"><span>${words.tags}</span><input type="text" name="${named('tags')}" data-field="tags" maxlength="500" autocomplete="off" /><small>${words.tagsHint}</small></label>`}
  </form>`;
}
