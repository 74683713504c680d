import { existsSync } from 'node:fs';
import { chromium, type BrowserContext } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'];

/** The distribution's Chromium, where one is installed. */
export const chromiumPath = PLACES.find((path) => existsSync(path));

/** A headless browser with an empty profile that talks to nobody by itself. */
export function openBrowser(executablePath: string, profile: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport: { width: 1280, height: 1000 },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
