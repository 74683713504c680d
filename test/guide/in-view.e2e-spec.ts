import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningApi } from '@atrium/platform/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { chromiumPath, openBrowser } from '../openapi/browser';
import { startAtrium } from '../support/api';

const describeBrowser = chromiumPath ? describe : describe.skip;
if (!chromiumPath) console.log('Skipped: the guide in a browser, for Chromium is not installed.');

const PAGES = readdirSync('docs/guide').map((name) => (name === 'README.md' ? '' : `/${name.replace('.md', '')}`));

describeBrowser('The guide in a browser', () => {
  let api: RunningApi;
  let folder: string;
  let browser: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    api = await startAtrium();
    folder = await mkdtemp(join(tmpdir(), 'atrium-guide-'));
    browser = await openBrowser(chromiumPath ?? '', join(folder, 'profile'));
    page = await browser.newPage();
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    await api.close();
    if (!process.env.KEEP_SCREENSHOTS) await rm(folder, { recursive: true, force: true });
  });

  it.each([1366, 390])(
    'shows every expected answer in view, %d pixels wide',
    async (width) => {
      await page.setViewportSize({ width, height: 844 });
      const hidden: string[] = [];
      let answers = 0;
      for (const path of PAGES) {
        await page.goto(`${api.url}/guide${path}`);
        const found = await page.locator('.answer').evaluateAll(
          (nodes, limit) =>
            nodes.map((node) => {
              const { left, right } = node.getBoundingClientRect();
              const block = node.closest('pre');
              return {
                text: node.textContent ?? '',
                isSeen: left >= 0 && right <= limit && !!block && block.scrollWidth <= block.clientWidth,
              };
            }),
          width,
        );
        answers += found.length;
        hidden.push(...found.filter(({ isSeen }) => !isSeen).map(({ text }) => `${path}: ${text}`));
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (wide > width) hidden.push(`${path}: the page is ${wide} pixels wide`);
        await page.screenshot({ path: join(folder, `${width}${path.replace('/', '-')}.png`) });
      }
      expect(hidden).toEqual([]);
      expect(answers).toBeGreaterThan(50);
    },
    120_000,
  );
});
