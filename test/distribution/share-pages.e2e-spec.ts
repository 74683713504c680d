import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { drawPicture, eventually, readZip, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { storeMany } from '../files/stored-files';
import { settled, upload, type StoredFile } from '../files/uploading';
import { chromiumPath, openBrowser } from '../openapi/browser';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { guest, publicPath, shareLink, tokenOf, type OwnLink } from './sharing';

const describeBrowser = chromiumPath ? describe : describe.skip;
if (!chromiumPath) console.log('Skipped: share pages in a browser, for Chromium is not installed.');

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Where pictures of the pages go, when somebody wants to look at them. */
const SHOTS = process.env.SHARE_SHOTS;

let api: RunningApi;
let ours: TestWorkspace;
let files: StoredFile[];

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace();
  files = await Promise.all(
    [11, 12, 13, 14, 15, 16, 17].map(async (seed, at) => {
      const bytes = await drawPicture({ width: at === 2 ? 480 : 960, height: at === 2 ? 720 : 640, format: 'jpeg', seed });
      const name = at === 4 ? 'A rather long name of a picture that was taken at the harbour in the evening.jpg' : `Harbour ${at + 1}.jpg`;
      return settled(ours.owner.client, (await upload(ours.owner.client, name, bytes)).file_id);
    }),
  );
}, 120_000);
afterAll(() => api.close());

const filesLink = (more: Record<string, unknown> = {}): Promise<OwnLink> =>
  shareLink(ours.owner.client, {
    share_name: 'Harbour, first selection',
    share_type: 'files',
    share_file_ids: files.map(({ file_id }) => file_id),
    ...more,
  });

describe('the page of a link', () => {
  it('is kept by nobody, framed by nobody, found by nobody, and runs nothing of its own', async () => {
    const link = await filesLink();
    const answer = await fetch(link.share_url, { headers: { 'User-Agent': 'Mozilla/5.0 page' } });
    const headers = Object.fromEntries(answer.headers);
    expect(answer.status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe-inline');
    const text = await answer.text();
    expect(text).not.toMatch(/<style|<script>|\son\w+=|style="/);
    for (const { file_id } of files) expect(text).not.toContain(file_id);
    expect((await fetch(link.share_url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(link.share_url, { method: 'DELETE' })).status).toBe(405);
  });

  it('escapes whatever people wrote', async () => {
    const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
    const link = await filesLink({ share_name: evil, share_options: { message: evil } });
    const text = await (await fetch(link.share_url)).text();
    expect(text).not.toContain('<img src=x');
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&lt;script&gt;alert(2)&lt;/script&gt;');
  });

  it('says that there is nothing, or no more, with the status that belongs to it', async () => {
    const link = await filesLink();
    await ours.owner.client.delete(`/share-links/${link.share_id}`).expect(204);
    const gone = await fetch(link.share_url);
    expect(gone.status).toBe(410);
    expect(await gone.text()).toContain('This link has been revoked');
    for (const path of [`/s/${'A'.repeat(43)}`, '/s/..%2f..%2fetc', '/s/x', `/kiosk/${link.share_id}`, '/s/-/nothing.css'])
      expect((await fetch(`${api.url}${path}`)).status).toBe(404);
  });

  it('is unlocked by its own form, which no other page can send', async () => {
    const link = await filesLink({ share_password: 'open sesame' });
    const post = (password: string, headers: Record<string, string> = {}) =>
      fetch(link.share_url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ password }),
      });
    expect((await post('wrong one')).status).toBe(401);
    expect((await post('open sesame', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    const unlocked = await post('open sesame');
    expect(unlocked.status).toBe(303);
    const cookie = unlocked.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Strict/i);
    expect(cookie).toContain(`Path=/s/${tokenOf(link)}`);
    const inside = await fetch(link.share_url, { headers: { Cookie: cookie.split(';')[0] ?? '' } });
    expect(await inside.text()).toContain('Harbour 1.jpg');
  });
});

describeBrowser('the page of a link, in a browser', () => {
  let folder: string;
  let browser: BrowserContext;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-pages-'));
    browser = await openBrowser(chromiumPath ?? '', join(folder, 'profile'));
    page = await browser.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on(
      'console',
      (message) =>
        message.type() === 'error' &&
        !/status of (400|401|404|410)/.test(message.text()) &&
        // A test below cuts these questions off itself; whatever the service answers to them still counts.
        !(message.text().includes('net::ERR_FAILED') && message.location().url.includes('/now?of=')) &&
        faults.push(`${message.text()} ${message.location().url}`),
    );
    if (SHOTS) await mkdir(SHOTS, { recursive: true });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Looks at the page as it is, on a desk and on a phone, by day and by night; nothing may stick out. */
  async function shoot(name: string): Promise<void> {
    for (const [size, viewport] of [
      ['desk', DESKTOP],
      ['phone', PHONE],
    ] as const) {
      await page.setViewportSize(viewport);
      const wider = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect({ name, size, wider }).toEqual({ name, size, wider: 0 });
      if (!SHOTS) continue;
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await page.screenshot({ path: join(SHOTS, `${name}-${size}.png`) });
      if (size === 'desk') continue;
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
      await page.screenshot({ path: join(SHOTS, `${name}-${size}-dark.png`) });
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' });
    }
    await page.setViewportSize(DESKTOP);
  }

  /** The page's policy evaluates nothing while it waits: it is asked again and again. */
  const until = (expression: string): Promise<boolean> =>
    eventually(() => page.evaluate<boolean>(expression).catch(() => false), Boolean, 20_000);

  /** Looks at another page for a moment; answers the one that is looked at otherwise. */
  async function swapped(other: Page, look: () => Promise<void>): Promise<Page> {
    const usual = page;
    page = other;
    await look();
    return usual;
  }

  it('shows pictures as a grid, a list and one after the other, opens and hands them out', async () => {
    for (const layout of ['grid', 'list', 'slideshow']) {
      const link = await filesLink({
        share_options: { layout, message: 'The first seven of the morning. Tell me which ones you like.' },
        share_expires_at: new Date(Date.now() + 9 * 86_400_000).toISOString(),
      });
      await page.goto(link.share_url, { waitUntil: 'load' });
      expect(await page.locator('li.tile').count()).toBe(7);
      const loaded = await page.evaluate<number>(
        `Promise.all([...document.images].map((image) => { image.loading = 'eager'; return image.complete ? image.naturalWidth : new Promise((done) => { image.onload = () => done(image.naturalWidth); image.onerror = () => done(0); }); })).then((widths) => widths.filter((width) => width > 0).length)`,
      );
      expect(loaded).toBe(7);
      await shoot(`files-${layout}`);
    }
    await page.locator('a.frame').first().click();
    await page.waitForURL(/\/file\//);
    expect(await page.locator('h2').first().textContent()).toBe('Harbour 1.jpg');
    await shoot('one-file');
    const download = page.waitForEvent('download');
    await page.locator('a.button', { hasText: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('Harbour 1.jpg');
    await page.locator('a.button', { hasText: 'All files' }).click();
    const archive = page.waitForEvent('download');
    await page.locator('button', { hasText: 'Download all' }).click();
    expect((await archive).suggestedFilename()).toBe('files.zip');
  }, 60_000);

  it('asks for the password and terms, says when they are wrong, and lets in', async () => {
    const link = await filesLink({
      share_password: 'open sesame',
      share_options: { terms: 'For review only.\nPlease do not pass them on.', ask_approval: true },
    });
    await page.goto(link.share_url);
    await shoot('locked');
    await page.fill('input[name=password]', 'wrong one');
    await page.check('input[name=accept_terms]');
    await page.click('button[type=submit]');
    expect(await page.locator('[role=alert]').textContent()).toContain('incorrect');
    await shoot('locked-wrong');
    await page.fill('input[name=password]', 'open sesame');
    await page.check('input[name=accept_terms]');
    await page.click('button[type=submit]');
    await page.waitForSelector('li.tile');
    await page.getByRole('button', { name: 'Approve: Harbour 1.jpg' }).click();
    await page.waitForSelector('.approved[aria-pressed=true]');
    await shoot('approved');
  });

  it('says so when a link is gone, unknown or empty', async () => {
    const link = await filesLink();
    await ours.owner.client.delete(`/share-links/${link.share_id}`).expect(204);
    await page.goto(link.share_url);
    await shoot('gone');
    await page.goto(`${api.url}/s/${'A'.repeat(43)}`);
    await shoot('unknown');
    const album = (await ours.owner.client.post('/albums', { album_name: 'Empty' }).expect(201)).body as { album_id: string };
    const empty = await shareLink(ours.owner.client, { share_name: 'Nothing yet', share_type: 'album', share_album_id: album.album_id });
    await page.goto(empty.share_url);
    expect(await page.locator('h2').first().textContent()).toBe('Nothing here yet');
    await shoot('empty');
  });

  it('leads from file to file by keys and links, and back', async () => {
    const link = await filesLink();
    await page.goto(link.share_url);
    await page.locator('a.frame').first().click();
    await page.waitForURL(/\/file\//);
    const titles = [await page.locator('h2').first().textContent()];
    for (let at = 1; at < 7; at++) {
      const from = page.url();
      await page.keyboard.press('ArrowRight');
      await page.waitForURL((url) => url.href !== from);
      titles.push(await page.locator('h2').first().textContent());
    }
    expect(titles).toEqual(files.map(({ file_name }) => file_name));
    expect(await page.locator('a[rel=next]').count()).toBe(0);
    await page.locator('a[rel=prev]').click();
    await until(`document.querySelector('h2').textContent === 'Harbour 6.jpg'`);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.pathname.includes('/file/'));
  });

  it('keeps ticks through further pages, reloads and steps to a file, and hands out what was chosen', async () => {
    const many = await storeMany(api, ours, 70, { name: 'plan.txt', bytes: Buffer.from('the plan') });
    const link = await shareLink(ours.owner.client, {
      share_name: 'Plans',
      share_type: 'files',
      share_file_ids: [...files.map(({ file_id }) => file_id), ...many],
      share_options: { max_downloads: 3 },
    });
    await page.goto(link.share_url);
    expect(await page.locator('.choose').isVisible()).toBe(false);
    const box = (at: number) => page.locator('li.tile [name=pick]').nth(at);
    await box(0).check();
    await box(2).press('Space');
    expect(await page.locator('.choose .count').textContent()).toBe('2 selected');
    await shoot('chosen');
    await page.locator('li.tile').last().scrollIntoViewIfNeeded();
    await until("document.querySelectorAll('li.tile').length === 77");
    expect(await page.locator('.more').count()).toBe(0);
    await box(70).check();
    await page.reload();
    expect([await box(0).isChecked(), await box(1).isChecked(), await box(2).isChecked()]).toEqual([true, false, true]);
    expect(await page.locator('.choose .count').textContent()).toBe('3 selected');
    await page.locator('a.frame').nth(1).click();
    await page.waitForURL(/\/file\//);
    await page.locator('label.pick input').check();
    await page.locator('[data-back]').click();
    await page.waitForSelector('li.tile');
    expect(await page.locator('.choose .count').textContent()).toBe('4 selected');
    expect(await page.locator('[data-count=downloads]').textContent()).toBe('3 downloads left');
    const archive = page.waitForEvent('download');
    await page.locator('button', { hasText: 'Download selected' }).click();
    const packed = readZip(await readFile(await (await archive).path()));
    expect(packed.entries.map(({ name }) => name).sort()).toEqual(['Harbour 1.jpg', 'Harbour 2.jpg', 'Harbour 3.jpg', 'plan.txt']);
    const one = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download Harbour 1.jpg' }).click();
    await one;
    await until("document.querySelector('[data-count=downloads]').textContent === '1 downloads left'");
    await page.locator('[data-clear]').click();
    expect(await page.locator('[name=pick]:checked').count()).toBe(0);
  }, 60_000);

  it('works without scripts: ticks go along with every button', async () => {
    const many = await storeMany(api, ours, 65, { name: 'list.txt', bytes: Buffer.from('the list') });
    const link = await shareLink(ours.owner.client, {
      share_name: 'Lists',
      share_type: 'files',
      share_file_ids: many,
      share_options: { ask_approval: true },
    });
    const post = (path: string, fields: [string, string][]) =>
      fetch(`${link.share_url}${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields),
      });
    const first = await (await fetch(link.share_url)).text();
    const [one = '', two = ''] = [...first.matchAll(/name="pick" value="([\w-]{22})"/g)].map(([, id]) => id ?? '');
    const next = /name="next" value="([^"]+)"/.exec(first)?.[1] ?? '';
    const second = await (
      await post('/more', [
        ['pick', one],
        ['pick', two],
        ['next', next],
      ])
    ).text();
    expect(second.match(/<li class="tile/g)).toHaveLength(5);
    for (const id of [one, two]) expect(second).toMatch(new RegExp(`<input type="hidden" name="pick" value="${id}" ?/?>`));
    const said = await post(`/verdict/${one}`, [
      ['pick', two],
      ['verdict', 'approved'],
    ]);
    expect(await said.text()).toMatch(new RegExp(`value="${two}"[^>]* checked`));
    expect((await post(`/verdict/${one}`, [['verdict', 'approved']])).headers.get('location')).toBe(`/s/${tokenOf(link)}#f-${one}`);
    const archive = await post('/zip', [
      ['which', 'picked'],
      ['pick', one],
      ['pick', two],
    ]);
    expect(readZip(Buffer.from(await archive.arrayBuffer())).entries).toHaveLength(2);
    const none = await post('/zip', [['which', 'picked']]);
    expect([none.status, (await none.text()).includes('Select files first.')]).toEqual([400, true]);
  });

  it('shows marked pictures as soon as they are made, with how far they are, and hands out nothing unasked', async () => {
    const link = await filesLink({ share_options: { watermark: { text: 'ACME review' } } });
    expect(link).toMatchObject({ share_downloads: 'off_for_watermark', share_options: { allow_download: false } });
    let held = true;
    await page.route('**/now?of=*', async (route) => (held ? route.abort() : route.continue()));
    await page.route('**/s/*', async (route) => {
      const answer = await route.fetch();
      // As the page was before any picture was made.
      const body = (await answer.text())
        .replace(
          /<img src="[^"]+bytes[^"]+" alt="([^"]+)"[^>]*>/g,
          (_, alt: string) => `<span class="kind waits" data-await="@" data-alt="${alt}">In preparation</span>`,
        )
        .replace(/(href="[^"]+file\/([\w-]{22})">[^@]*)data-await="@"/g, '$1data-await="$2"');
      await route.fulfill({
        response: answer,
        body: body.includes('class="making"')
          ? body
          : body.replace(
              '<ul class="grid">',
              '<p class="making" role="status"><progress max="7" value="0"></progress><span>Preparing previews</span></p><ul class="grid">',
            ),
      });
    });
    await page.goto(link.share_url);
    expect(await page.locator('[data-await]').count()).toBe(7);
    expect(await page.locator('.making').innerText()).toContain('0 / 7');
    expect((await page.locator('a[data-takes]').count()) + (await page.locator('[name=pick]').count())).toBe(0);
    await shoot('making');
    held = false;
    await until("document.querySelectorAll('li.tile img').length === 7");
    expect(await page.locator('.making').isVisible()).toBe(false);
    await page.unroute('**/s/*');
    await page.unroute('**/now?of=*');
  }, 60_000);

  it('wears the brand of the workspace: logo, colours that can be read, and who sends it', async () => {
    const branded = await api.workspace();
    const photo = await upload(
      branded.owner.client,
      'Harbour.jpg',
      await drawPicture({ width: 960, height: 640, format: 'jpeg', seed: 51 }),
    );
    const logo = await upload(branded.owner.client, 'logo.png', await drawPicture({ width: 400, height: 120, format: 'png', seed: 52 }));
    for (const { file_id } of [photo, logo]) await settled(branded.owner.client, file_id);
    await branded.owner.client
      .put('/admin/settings/brand', {
        name: 'ACME Shipping',
        tagline: 'Since 1901',
        colors: [
          { key: 'sun', hex: '#ffcc00', role: 'primary' },
          { key: 'sand', hex: '#fff8ee', role: 'background' },
        ],
        logos: [{ role: 'primary', file_id: logo.file_id }],
        legal: { copyright: '© ACME Shipping' },
      })
      .expect(200);
    const link = await shareLink(branded.owner.client, {
      share_name: 'Harbour at dawn',
      share_type: 'files',
      share_file_ids: [photo.file_id],
    });
    const seen = (await guest(api).get(publicPath(link)).expect(200)).body as { brand: { name: string; logo_url: string; accent: string } };
    expect(seen.brand).toMatchObject({
      name: 'ACME Shipping',
      tagline: 'Since 1901',
      accent: expect.stringMatching(/^#[0-9a-f]{6}$/) as string,
    });
    expect(seen.brand.logo_url).not.toContain(logo.file_id);
    await page.goto(link.share_url);
    await until("document.querySelector('.brand img').naturalWidth > 0");
    expect(await page.locator('.meta').first().innerText()).toContain('Shared by ACME Shipping');
    expect(await page.locator('footer').innerText()).toContain('© ACME Shipping');
    expect(await page.evaluate<string>("getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()")).toBe(
      seen.brand.accent,
    );
    await shoot('brand');
    await page.locator('a.frame').first().click();
    await page.waitForURL(/\/file\//);
    await shoot('brand-file');
    const drop = await shareLink(branded.owner.client, {
      share_name: 'Send us yours',
      share_type: 'upload',
      share_password: 'open sesame',
    });
    await page.goto(drop.kiosk_url ?? '');
    await shoot('brand-kiosk');
    await branded.owner.client.put('/admin/settings/brand', { name: 'ACME' }).expect(200);
    expect((await fetch(seen.brand.logo_url)).status).toBe(404);
    for (const wrong of ['brand-zzzzzz-000000.css', 'brand-000000.css', 'brand-000000-ffffff-}.css'])
      expect((await fetch(`${api.url}/s/-/${wrong}`)).status).toBe(404);
  }, 60_000);

  it('takes files on a link and at a kiosk, shows the progress and what is not accepted, and thanks', async () => {
    const photo = join(folder, 'Our day.jpg');
    await writeFile(photo, await drawPicture({ width: 640, height: 480, format: 'jpeg', seed: 21 }));
    const others = [22, 23].map((seed) => join(folder, `Our day ${seed}.jpg`));
    for (const [at, other] of others.entries())
      await writeFile(other, await drawPicture({ width: 64, height: 48, format: 'jpeg', seed: 22 + at }));
    const paper = join(folder, 'paper.pdf');
    await writeFile(paper, '%PDF-1.4');
    const link = await shareLink(ours.owner.client, {
      share_name: 'Ada & Grace, the wedding',
      share_type: 'upload',
      share_max_files: 40,
      share_max_size: 25_000_000,
      share_options: { require_name: true, allowed_formats: ['jpg', 'jpeg'], message: 'Thank you for coming! Add the pictures you took.' },
    });
    await page.goto(link.share_url);
    await shoot('upload');
    await page.fill('input[name=name]', 'Grace');
    await page.setInputFiles('input[type=file]', [photo, ...others, paper]);
    await page.waitForSelector('li.failed .why');
    await page.locator('li.done, li.failed').nth(3).waitFor();
    expect(await page.locator('li.done').count()).toBe(3);
    await shoot('upload-some-failed');
    await page.goto(link.share_url);
    await page.fill('input[name=name]', 'Grace');
    await page.route('**/storage/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
    await page.setInputFiles('input[type=file]', [photo]);
    await page.waitForSelector('.queue li:not(.done)');
    await shoot('upload-sending');
    await page.waitForSelector('li.done');
    await page.unroute('**/storage/**');
    await page.waitForSelector('.thanks:not([hidden])');
    await shoot('upload-done');
    const incoming = (await ours.owner.client.get(`/share-links/${link.share_id}/uploads?su_state=finalized`).expect(200)).body.data as {
      su_name: string;
    }[];
    expect(incoming.map(({ su_name }) => su_name)).toEqual(['Grace', 'Grace', 'Grace', 'Grace']);

    const kiosk = await shareLink(ours.owner.client, { share_name: 'Guest book', share_type: 'upload', share_password: 'open sesame' });
    await page.goto(kiosk.kiosk_url ?? '');
    expect(await page.content()).not.toContain('Guest book');
    await shoot('kiosk');
    await page.fill('form.door input[name=password]', 'wrong one');
    await page.click('form.door button');
    await page.waitForSelector('form.door .note:not([hidden])');
    await page.fill('form.door input[name=password]', 'open sesame');
    await page.click('form.door button');
    await page.waitForSelector('.room:not([hidden])');
    expect(await page.locator('.room h1').textContent()).toBe('Guest book');
    await page.setInputFiles('input[type=file]', [photo]);
    await page.waitForSelector('li.done');
    await shoot('kiosk-done');
    expect((await ours.owner.client.get(`/share-links/${kiosk.share_id}/uploads`).expect(200)).body.data).toHaveLength(1);
  }, 60_000);

  it('keeps nothing of a guest at a kiosk for the next one: after a button, after standing idle, after a way back', async () => {
    const photo = join(folder, 'Party.jpg');
    await writeFile(photo, await drawPicture({ width: 640, height: 480, format: 'jpeg', seed: 41 }));
    const kiosk = await shareLink(ours.owner.client, {
      share_name: 'Guest book',
      share_type: 'upload',
      share_password: 'open sesame',
      share_options: { require_name: true, require_email: true, kiosk_idle_seconds: 30 },
    });
    const tab = await browser.newPage();
    tab.on('pageerror', (error) => faults.push(error.message));
    await tab.clock.install();
    await tab.goto(kiosk.kiosk_url ?? '');
    await tab.fill('form.door input[type=password]', 'open sesame');
    await tab.click('form.door button');
    await tab.locator('.room').waitFor();
    expect(await tab.locator('form.door input[type=password]').inputValue()).toBe('');
    const signIn = async (name: string): Promise<void> => {
      await tab.fill('[data-field=name]', name);
      await tab.fill('[data-field=email]', `${name.toLowerCase()}@example.com`);
      await tab.clock.runFor(1_000);
    };
    const isFresh = async (): Promise<void> => {
      expect(await tab.locator('.queue li').count()).toBe(0);
      expect([await tab.inputValue('[data-field=name]'), await tab.inputValue('[data-field=email]')]).toEqual(['', '']);
      expect(
        await tab.evaluate<string>('JSON.stringify(sessionStorage) + JSON.stringify(localStorage) + document.body.innerText'),
      ).not.toMatch(/Grace|grace@|Party|Ada/);
    };
    expect(await tab.locator('.kioskbar').isVisible()).toBe(false);
    await signIn('Grace');
    await tab.setInputFiles('input[type=file]', [photo]);
    await tab.waitForSelector('li.done');
    await tab.clock.runFor(1_000);
    expect(await tab.locator('.countdown').textContent()).toMatch(/Starts over in \d+ s/);
    page = await swapped(tab, () => shoot('kiosk-guest'));
    await tab.click('[data-done]');
    await tab.locator('.bye').waitFor();
    expect(await tab.evaluate<string>('document.activeElement.textContent')).toBe('Thank you');
    page = await swapped(tab, () => shoot('kiosk-thanks'));
    await tab.clock.runFor(9_000);
    await tab.locator('.room').waitFor();
    await isFresh();

    await signIn('Ada');
    await tab.clock.runFor(25_000);
    expect(await tab.locator('.countdown.soon').isVisible()).toBe(true);
    await tab.keyboard.press('Shift');
    await tab.clock.runFor(25_000);
    expect(await tab.inputValue('[data-field=name]')).toBe('Ada');
    await tab.clock.runFor(10_000);
    await isFresh();
    expect(await tab.locator('.room').isVisible()).toBe(true);

    await signIn('Grace');
    await tab.goto('about:blank');
    await tab.goBack();
    await tab.locator('.room').waitFor();
    await isFresh();
    await signIn('Joan');
    await tab.setInputFiles('input[type=file]', [photo]);
    await tab.waitForSelector('li.done');
    const names = (
      (await ours.owner.client.get(`/share-links/${kiosk.share_id}/uploads`).expect(200)).body as {
        data: { su_name: string; su_email: string }[];
      }
    ).data.map(({ su_name, su_email }) => `${su_name} ${su_email}`);
    expect(names.sort()).toEqual(['Grace grace@example.com', 'Joan joan@example.com']);
    await tab.close();
  }, 60_000);

  it('has run without a fault', () => {
    expect(faults).toEqual([]);
  });
});
