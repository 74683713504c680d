import { join } from 'node:path';
import { Command } from 'commander';
import { MODULES } from '@atrium/platform/access';
import { loadSettings } from '@atrium/platform/config';
import { migrate } from '@atrium/platform/database';
import { migrateQueue } from '@atrium/platform/messaging';
import { ProvisioningService } from '@atrium/identity';
import { diagnose } from './doctor';
import { run, secretFromInput } from './session';

const MIGRATIONS = join(__dirname, '../../../../migrations');

interface Output {
  readonly json?: boolean;
}

const program = new Command('atrium').description('Operates an Atrium installation.').showHelpAfterError();

program
  .command('migrate')
  .description('Brings the database to the present version (needs DATABASE_OWNER_URL).')
  .action(async () => {
    const { DATABASE_OWNER_URL } = loadSettings();
    if (!DATABASE_OWNER_URL) throw new Error('DATABASE_OWNER_URL is not set: migrations run as the role that owns the database.');
    const count = await migrate(DATABASE_OWNER_URL, MIGRATIONS, (step) => process.stdout.write(`applied ${step}\n`));
    await migrateQueue(DATABASE_OWNER_URL);
    if (count === 0) process.stdout.write('nothing to apply\n');
  });

const workspace = program.command('workspace').description('Workspaces.');

workspace
  .command('create')
  .description('Makes a workspace with its roles and owner; the password comes from standard input.')
  .requiredOption('--name <name>')
  .requiredOption('--slug <slug>')
  .requiredOption('--owner-email <email>')
  .requiredOption('--owner-name <name>')
  .option('--module <module...>', 'modules to license')
  .option('--all-modules', 'license every module')
  .option('--json')
  .action((options: Output & { name: string; slug: string; ownerEmail: string; ownerName: string; module?: string[]; allModules?: boolean }) =>
    run(async (app) => {
      const owner = { user_email: options.ownerEmail, user_name: options.ownerName, password: await secretFromInput('Password of the owner') };
      return app.get(ProvisioningService).createWorkspace({ ws_name: options.name, ws_slug: options.slug, modules: options.allModules ? MODULES : (options.module ?? []), owner });
    }, options.json ?? false),
  );

workspace
  .command('list')
  .description('Lists all workspaces.')
  .option('--json')
  .action((options: Output) => run((app) => app.get(ProvisioningService).listWorkspaces(), options.json ?? false));

workspace
  .command('grant <workspace> <module>')
  .description('Licenses a module, or with --end ends its license now.')
  .option('--end')
  .action((id: string, module: string, options: { end?: boolean }) => run((app) => app.get(ProvisioningService).setModule(id, module, !options.end), false));

workspace
  .command('suspend <workspace>')
  .description('Closes a workspace to its members; nothing is lost.')
  .action((id: string) => run((app) => app.get(ProvisioningService).setStatus(id, 'suspended'), false));

workspace
  .command('resume <workspace>')
  .description('Opens a suspended workspace again.')
  .action((id: string) => run((app) => app.get(ProvisioningService).setStatus(id, 'active'), false));

program
  .command('user')
  .description('People.')
  .command('create')
  .description('Adds a member with built-in roles; the password comes from standard input.')
  .requiredOption('--workspace <id>')
  .requiredOption('--email <email>')
  .requiredOption('--name <name>')
  .option('--role <key...>', 'owner, admin, editor, contributor or viewer', ['viewer'])
  .option('--json')
  .action((options: Output & { workspace: string; email: string; name: string; role: string[] }) =>
    run(async (app) => {
      const member = { user_email: options.email, user_name: options.name, password: await secretFromInput('Password') };
      return app.get(ProvisioningService).addUser(options.workspace, member, options.role);
    }, options.json ?? false),
  );

program
  .command('key')
  .description('API keys.')
  .command('create')
  .description('Makes a key for a member and prints it once.')
  .requiredOption('--workspace <id>')
  .requiredOption('--user-email <email>')
  .requiredOption('--name <name>')
  .option('--scope <permission...>', 'narrows what the key may do')
  .option('--json')
  .action((options: Output & { workspace: string; userEmail: string; name: string; scope?: string[] }) =>
    run((app) => app.get(ProvisioningService).createKey(options.workspace, { key_name: options.name, user_email: options.userEmail, scopes: options.scope }), options.json ?? false),
  );

program
  .command('doctor')
  .description('Checks roles, row-level security, migrations, storage, queue and clocks; exit code 1 when something is wrong.')
  .option('--json')
  .action(async (options: Output) => {
    const findings = await diagnose(loadSettings(), MIGRATIONS);
    process.stdout.write(options.json ? `${JSON.stringify(findings)}\n` : findings.map(({ check, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'} ${check}${detail ? `: ${detail}` : ''}\n`).join(''));
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
  });

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
