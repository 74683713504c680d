import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { plainThread } from '../ai/following';
import { startAtrium } from '../support/api';
import { chromiumPath, openBrowser } from './browser';
import { startBuiltApi, type BuiltApi } from './built-api';

const describeBrowser = chromiumPath ? describe : describe.skip;
if (!chromiumPath) console.log('Skipped: Swagger UI in a browser, for Chromium is not installed.');

describeBrowser('Swagger UI in a browser', () => {
  let api: RunningApi;
  let built: BuiltApi;
  let workspace: TestWorkspace;
  let folder: string;
  let browser: BrowserContext;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    api = await startAtrium();
    built = await startBuiltApi(api);
    workspace = await api.workspace();
    folder = await mkdtemp(join(tmpdir(), 'atrium-swagger-ui-'));
    browser = await openBrowser(chromiumPath ?? '', join(folder, 'profile'));
    page = await browser.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => (message.type() === 'error' ? complaints.push(message.text()) : undefined));
    await page.goto(`${built.url}/docs`);
    await page.locator('.opblock-tag').first().waitFor();
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    await built?.stop();
    await api.close();
    if (!process.env.KEEP_SCREENSHOTS) await rm(folder, { recursive: true, force: true });
  });

  const open = async (operation: string): Promise<Locator> => {
    const block = page.locator(`#operations-${operation}`);
    if (!(await block.locator('.opblock-body').isVisible())) await block.locator('.opblock-summary').click();
    await block.locator('.execute').waitFor();
    return block;
  };
  const showArea = async (area: string): Promise<void> => {
    await page.locator(`.opblock-tag[data-tag="${area}"]`).click();
  };
  const execute = async (block: Locator): Promise<{ status: string; body: string }> => {
    await block.locator('.execute').click();
    const row = block.locator('.live-responses-table .response').first();
    await row.waitFor();
    return {
      status: (await row.locator('.response-col_status').innerText()).trim(),
      body: await row.locator('.highlight-code').first().innerText(),
    };
  };

  it('shows the areas in the order of the product, with a sentence each', async () => {
    const areas = await page.locator('.opblock-tag').evaluateAll((tags) => tags.map((tag) => tag.getAttribute('data-tag')));
    expect(areas.slice(0, 6)).toEqual(['Sign-in', 'Me', 'Usage', 'Jobs', 'Files', 'Uploads']);
    const groups = await page.locator('.area-group').allInnerTexts();
    expect(groups).toEqual(['Core', 'Media library', 'AI', 'Documents', 'Knowledge', 'Website and content', 'Administration']);
    expect(await page.locator('.opblock-tag[data-tag="Albums"]').innerText()).toContain('Named selections');
    await page.screenshot({ path: join(folder, 'overview.png') });
  });

  it('finds operations by path, summary and area, in any case, and shows those that it found', async () => {
    const filter = page.locator('.operation-filter-input');
    const found = async (phrase: string): Promise<string[]> => {
      await filter.fill(phrase);
      await page.locator('.opblock, .nothing-found').first().waitFor();
      return page.locator('.opblock-summary').evaluateAll((all) => all.map((each) => each.textContent ?? ''));
    };
    expect(await filter.getAttribute('placeholder')).toBe('Filter by path, summary or area');
    for (const [phrase, path] of [
      ['/ALBUMS/{id}/files', '/albums/{id}/files'],
      ['creates an ALBUM', '/albums'],
      ['api KEYS rotate', '/rotate'],
    ] as const) {
      const operations = await found(phrase);
      expect(operations.length).toBeGreaterThan(0);
      expect(operations.length).toBeLessThan(10);
      // Breaks in a path are places to break a line.
      expect(operations.map((each) => each.replaceAll('\u200b', '')).filter((each) => !each.includes(path))).toEqual([]);
    }
    await page.screenshot({ path: join(folder, 'filter.png') });
    expect(await found('no such operation')).toEqual([]);
    expect(await page.locator('.nothing-found').innerText()).toBe('No operation matches the filter.');
    await filter.fill('');
    await page.locator('.opblock-tag').first().waitFor();
  }, 60_000);

  it('takes the key and the workspace once, first of all, in one dialog', async () => {
    await page.locator('button.authorize').first().click();
    expect((await page.locator('.auth-container h4 code').allInnerTexts()).slice(0, 2)).toEqual(['ApiKeyAuth', 'Workspace']);
    for (const [scheme, value] of [
      ['Workspace', workspace.tenant_id],
      ['ApiKeyAuth', workspace.owner.client.headers['X-Api-Key'] ?? ''],
    ] as const) {
      const form = page.locator('.auth-container').filter({ has: page.locator(`code:text-is("${scheme}")`) });
      await form.locator('input').fill(value);
      await form.locator('button.authorize').click();
    }
    await page.screenshot({ path: join(folder, 'authorize.png') });
    await page.locator('.auth-btn-wrapper .btn-done').first().click();
  });

  it('runs a create and a list, and shows their answers', async () => {
    await showArea('Albums');
    const created = await execute(await open('Albums-createAlbum'));
    expect(created.status).toContain('201');
    expect(created.body).toContain('Harbour at dusk');
    await page.locator('#operations-Albums-createAlbum').screenshot({ path: join(folder, 'create.png') });
    await showArea('Files');
    const list = await open('Files-listFiles');
    await list.locator('tr[data-param-name="repo_type"] select').selectOption('media');
    const listed = await execute(list);
    expect(listed.status).toContain('200');
    expect(listed.body).toContain('has_more');
    await page.locator('#operations-Files-listFiles').screenshot({ path: join(folder, 'list.png') });
  }, 60_000);

  it('shows what an answer is made of, with what it refers to in its place', async () => {
    const answer = page.locator('#operations-Albums-createAlbum .responses-table:not(.live-responses-table) .response').first();
    await answer.getByRole('tab', { name: 'Schema' }).click();
    await answer.locator('.json-schema-2020-12__title').getByText('AlbumDetail', { exact: true }).waitFor();
    await answer
      .locator('.json-schema-2020-12-property', { hasText: 'album_cover_preview' })
      .last()
      .locator('.json-schema-2020-12-expand-deep-button')
      .first()
      .click();
    await answer.getByText('thumbhash', { exact: true }).waitFor();
    await page.locator('#operations-Albums-createAlbum').screenshot({ path: join(folder, 'schema.png') });
  });

  it('shows the events of a stream as they come, until it is cleared', async () => {
    const thread_id = await plainThread(api, workspace);
    await showArea('Threads');
    const block = await open('Threads-followThread');
    await block.locator('tr[data-param-name="id"] input').fill(thread_id);
    await block.locator('.execute').click();
    const shown = block.locator('.live-responses-table .response .highlight-code').first();
    await shown.getByText('presence').first().waitFor();
    expect(await block.locator('.curl').first().innerText()).toContain(`/threads/${thread_id}/events`);
    await block.screenshot({ path: join(folder, 'stream.png') });
    await block.locator('.btn-clear').click();
    await shown.waitFor({ state: 'detached' });
  }, 60_000);

  it('remembers both after a reload', async () => {
    await page.reload();
    await page.locator('.opblock-tag').first().waitFor();
    await showArea('Me');
    const me = await execute(await open('Me-getMe'));
    expect(me.body).toContain(workspace.tenant_id);
  }, 60_000);

  it('opens at an operation that a link names, and shows the link of what is opened', async () => {
    await page.goto('about:blank');
    await page.goto(`${built.url}/docs#/Albums/createAlbum`);
    await page.locator('#operations-Albums-createAlbum .opblock-body').waitFor();
    await showArea('Me');
    await open('Me-getMe');
    expect(new URL(page.url()).hash).toBe('#/Me/getMe');
  }, 60_000);

  it('runs without a complaint of the browser', () => {
    expect(complaints).toEqual([]);
  });
});
