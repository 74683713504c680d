import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { drawPicture, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { settled, upload, type StoredFile } from '../files/uploading';
import { chromiumPath, openBrowser } from '../openapi/browser';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { shareLink, tokenOf, type OwnLink } from './sharing';

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
  shareLink(ours.owner.client, { share_name: 'Harbour, first selection', share_type: 'files', share_file_ids: files.map(({ file_id }) => file_id), ...more });

describe('the page of a link', () => {
  it('is kept by nobody, framed by nobody, found by nobody, and runs nothing of its own', async () => {
    const link = await filesLink();
    const answer = await fetch(link.share_url, { headers: { 'User-Agent': 'Mozilla/5.0 page' } });
    const headers = Object.fromEntries(answer.headers);
    expect(answer.status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow', 'x-content-type-options': 'nosniff' });
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
    for (const path of [`/s/${'A'.repeat(43)}`, '/s/..%2f..%2fetc', '/s/x', `/kiosk/${link.share_id}`, '/s/-/nothing.css']) expect((await fetch(`${api.url}${path}`)).status).toBe(404);
  });

  it('is unlocked by its own form, which no other page can send', async () => {
    const link = await filesLink({ share_password: 'open sesame' });
    const post = (password: string, headers: Record<string, string> = {}) => fetch(link.share_url, { method: 'POST', redirect: 'manual', headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }, body: new URLSearchParams({ password }) });
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
    page.on('console', (message) => message.type() === 'error' && !/status of (400|401|404|410)/.test(message.text()) && faults.push(message.text()));
    if (SHOTS) await mkdir(SHOTS, { recursive: true });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Looks at the page as it is, on a desk and on a phone, by day and by night; nothing may stick out. */
  async function shoot(name: string): Promise<void> {
    for (const [size, viewport] of [['desk', DESKTOP], ['phone', PHONE]] as const) {
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

  /** Looks at another page for a moment; answers the one that is looked at otherwise. */
  async function swapped(other: Page, look: () => Promise<void>): Promise<Page> {
    const usual = page;
    page = other;
    await look();
    return usual;
  }

  it('shows pictures as a grid, a list and one after the other, opens and hands them out', async () => {
    for (const layout of ['grid', 'list', 'slideshow']) {
      const link = await filesLink({ share_options: { layout, message: 'The first seven of the morning. Tell me which ones you like.' }, share_expires_at: new Date(Date.now() + 9 * 86_400_000).toISOString() });
      await page.goto(link.share_url, { waitUntil: 'load' });
      expect(await page.locator('li.tile').count()).toBe(7);
      const loaded = await page.evaluate<number>(`Promise.all([...document.images].map((image) => { image.loading = 'eager'; return image.complete ? image.naturalWidth : new Promise((done) => { image.onload = () => done(image.naturalWidth); image.onerror = () => done(0); }); })).then((widths) => widths.filter((width) => width > 0).length)`);
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
    const link = await filesLink({ share_password: 'open sesame', share_options: { terms: 'For review only.\nPlease do not pass them on.', ask_approval: true } });
    await page.goto(link.share_url);
    await shoot('locked');
    await page.fill('input[name=password]', 'wrong one');
    await page.check('input[name=accept_terms]');
    await page.click('button[type=submit]');
    expect(await page.locator('[role=alert]').textContent()).toContain('not right');
    await shoot('locked-wrong');
    await page.fill('input[name=password]', 'open sesame');
    await page.check('input[name=accept_terms]');
    await page.click('button[type=submit]');
    await page.waitForSelector('li.tile');
    await page.locator('button', { hasText: 'Approve' }).first().click();
    await page.waitForSelector('.badge.approved');
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

  it('takes files on a link and at a kiosk, tells how far they are, what is not taken, and thanks', async () => {
    const photo = join(folder, 'Our day.jpg');
    await writeFile(photo, await drawPicture({ width: 640, height: 480, format: 'jpeg', seed: 21 }));
    const others = [22, 23].map((seed) => join(folder, `Our day ${seed}.jpg`));
    for (const [at, other] of others.entries()) await writeFile(other, await drawPicture({ width: 64, height: 48, format: 'jpeg', seed: 22 + at }));
    const paper = join(folder, 'paper.pdf');
    await writeFile(paper, '%PDF-1.4');
    const link = await shareLink(ours.owner.client, { share_name: 'Ada & Grace, the wedding', share_type: 'upload', share_max_files: 40, share_max_size: 25_000_000, share_options: { require_name: true, allowed_formats: ['jpg', 'jpeg'], message: 'Thank you for coming! Add the pictures you took.' } });
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
    const incoming = (await ours.owner.client.get(`/share-links/${link.share_id}/uploads?su_state=finalized`).expect(200)).body.data as { su_name: string }[];
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
    const kiosk = await shareLink(ours.owner.client, { share_name: 'Guest book', share_type: 'upload', share_password: 'open sesame', share_options: { require_name: true, require_email: true, kiosk_idle_seconds: 30 } });
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
      expect(await tab.evaluate<string>("JSON.stringify(sessionStorage) + JSON.stringify(localStorage) + document.body.innerText")).not.toMatch(/Grace|grace@|Party|Ada/);
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
    const names = ((await ours.owner.client.get(`/share-links/${kiosk.share_id}/uploads`).expect(200)).body as { data: { su_name: string; su_email: string }[] }).data.map(({ su_name, su_email }) => `${su_name} ${su_email}`);
    expect(names.sort()).toEqual(['Grace grace@example.com', 'Joan joan@example.com']);
    await tab.close();
  }, 60_000);

  it('has run without a fault', () => {
    expect(faults).toEqual([]);
  });
});
