import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

describe('Messaging in the API', () => {
  it('does not load the queue', () => {
    const script = `require('@atrium/platform/messaging'); process.stdout.write(String(Object.keys(require.cache).filter((file) => /node_modules.(@nestjs.bullmq|bullmq|ioredis)./.test(file)).length))`;
    const loaded = execFileSync(process.execPath, ['-r', join(__dirname, 'typescript-hook.cjs'), '-e', script], {
      cwd: __dirname,
      encoding: 'utf8',
    });
    expect(loaded).toBe('0');
  });
});
