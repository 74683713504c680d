import 'reflect-metadata';
import { createInterface } from 'node:readline';
import { NestFactory } from '@nestjs/core';
import { CreditLedger } from '@atrium/governance';
import { inWorkspace } from '@atrium/platform/database';
import { CliModule } from '../../apps/cli/src/cli.module';

/**
 * A host that sets credits aside for as many runs at once as requested, reports how each went, and never ends them; it waits to
 * be killed.
 */
async function main(): Promise<void> {
  const [tenant_id = ''] = process.argv.slice(2);
  const app = await NestFactory.createApplicationContext(CliModule, { logger: false, abortOnError: false });
  const ledger = app.get(CreditLedger, { strict: false });
  const run = (source: string): Promise<void> =>
    inWorkspace(tenant_id, () => ledger.reserveCredits({ lines: [{ param: 'studio_video', units: 40 }], user: null, source })).then(
      ({ hold_id }) => void process.stdout.write(`held ${hold_id}\n`),
      (error: { code?: string; message: string }) => void process.stdout.write(`refused ${error.code ?? ''} ${error.message}\n`),
    );
  createInterface({ input: process.stdin }).on('line', (line) => void Promise.all(line.split(' ').map(run)));
  process.stdout.write('ready\n');
}

void main();
