import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { RunningApi } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';

const SCRIPT = join(__dirname, '../../tools/fuzz/fuzz.mjs');
const REQUESTS = 1_500;
const SEED = 7;
let api: RunningApi;

beforeAll(async () => {
  api = await startAtrium({ LOG_LEVEL: 'silent' });
});
afterAll(() => api.close());

describe('bad input', () => {
  it('never breaks the service: no 5xx, every error a problem with a listed code', async () => {
    const workspace = await api.workspace(['module-documents']);
    const { 'X-Api-Key': key, 'X-Tenant-Id': tenant } = workspace.owner.client.headers;
    const run = await new Promise<{ code: number | null; text: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [SCRIPT, '--requests', String(REQUESTS), '--seed', String(SEED), '--url', api.url],
        { env: { ...process.env, ATRIUM_KEY: key, ATRIUM_TENANT: tenant }, maxBuffer: 32 * 1024 * 1024 },
        (_error, stdout, stderr) => resolve({ code: child.exitCode, text: stdout + stderr }),
      );
    });
    expect(run).toEqual({ code: 0, text: expect.stringContaining('No failure') });
    expect(run.text).toMatch(/\b200: [1-9]\d\d/);
  }, 120_000);
});
