import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { MODULES } from '@atrium/platform/access';
import { loadSettings } from '@atrium/platform/config';
import { migrate } from '@atrium/platform/database';
import { isId } from '@atrium/platform/kernel';
import { migrateQueue } from '@atrium/platform/messaging';
import { ProvisioningService } from '@atrium/identity';
import { diagnose } from './doctor';
import { conclude, print, run, secretFromInput, UsageError } from './session';

const MIGRATIONS = join(__dirname, '../../../../migrations');

interface Output {
  readonly json?: boolean;
}

const program = new Command('atrium').description('Operates an Atrium installation.').showHelpAfterError().exitOverride();

/** A command of a group; every command can print JSON. */
const command = (group: Command, form: string, description: string): Command => group.command(form).description(description).option('--json', 'print one line of JSON');

const workspaceId = (value: string): string => {
  if (!isId(value)) throw new InvalidArgumentError('A workspace is named by its id (a uuid).');
  return value.toLowerCase();
};

command(program, 'migrate', 'Brings the database to the present version (needs DATABASE_OWNER_URL).').action(async ({ json }: Output) => {
  const { DATABASE_OWNER_URL } = loadSettings();
  if (!DATABASE_OWNER_URL) throw new UsageError('DATABASE_OWNER_URL is not set: migrations run as the role that owns the database.');
  const applied: string[] = [];
  await migrate(DATABASE_OWNER_URL, MIGRATIONS, (step) => {
    applied.push(step);
    if (!json) process.stdout.write(`applied ${step}\n`);
  });
  await migrateQueue(DATABASE_OWNER_URL);
  if (json) print({ applied }, true);
  else if (applied.length === 0) process.stdout.write('nothing to apply\n');
});

const workspace = program.command('workspace').description('Workspaces.');

command(workspace, 'create', 'Makes a workspace with its roles and owner; the password comes from standard input.')
  .requiredOption('--name <name>')
  .requiredOption('--slug <slug>')
  .requiredOption('--owner-email <email>')
  .requiredOption('--owner-name <name>')
  .option('--module <module...>', 'modules to license')
  .option('--all-modules', 'license every module')
  .action((options: Output & { name: string; slug: string; ownerEmail: string; ownerName: string; module?: string[]; allModules?: boolean }) =>
    run(async (app) => {
      const owner = { user_email: options.ownerEmail, user_name: options.ownerName, password: await secretFromInput('Password of the owner') };
      return app.get(ProvisioningService).createWorkspace({ ws_name: options.name, ws_slug: options.slug, modules: options.allModules ? MODULES : (options.module ?? []), owner });
    }, options),
  );

command(workspace, 'list', 'Lists all workspaces.').action((options: Output) => run((app) => app.get(ProvisioningService).listWorkspaces(), options));

command(workspace, 'grant', 'Licenses a module, or with --end ends its license now.')
  .argument('<workspace>', 'id of the workspace', workspaceId)
  .argument('<module>', `one of ${MODULES.join(', ')}`)
  .option('--end', 'end the license instead')
  .action((ws_id: string, module: string, options: Output & { end?: boolean }) =>
    run(async (app) => {
      await app.get(ProvisioningService).setModule(ws_id, module, !options.end);
      return { ws_id, lic_module: module, lic_active: !options.end };
    }, options),
  );

const statusCommand = (name: string, description: string, ws_status: 'active' | 'suspended'): Command =>
  command(workspace, name, description)
    .argument('<workspace>', 'id of the workspace', workspaceId)
    .action((ws_id: string, options: Output) =>
      run(async (app) => {
        await app.get(ProvisioningService).setStatus(ws_id, ws_status);
        return { ws_id, ws_status };
      }, options),
    );
statusCommand('suspend', 'Closes a workspace to its members; nothing is lost.', 'suspended');
statusCommand('resume', 'Opens a suspended workspace again.', 'active');

command(program.command('user').description('People.'), 'create', 'Adds a member with built-in roles; the password comes from standard input.')
  .requiredOption('--workspace <id>', 'id of the workspace', workspaceId)
  .requiredOption('--email <email>')
  .requiredOption('--name <name>')
  .option('--role <key...>', 'owner, admin, editor, contributor or viewer', ['viewer'])
  .action((options: Output & { workspace: string; email: string; name: string; role: string[] }) =>
    run(async (app) => {
      const member = { user_email: options.email, user_name: options.name, password: await secretFromInput('Password') };
      return app.get(ProvisioningService).addUser(options.workspace, member, options.role);
    }, options),
  );

command(program.command('key').description('API keys.'), 'create', 'Makes a key for a member and prints it once.')
  .requiredOption('--workspace <id>', 'id of the workspace', workspaceId)
  .requiredOption('--user-email <email>')
  .requiredOption('--name <name>')
  .option('--scope <permission...>', 'narrows what the key may do')
  .action((options: Output & { workspace: string; userEmail: string; name: string; scope?: string[] }) =>
    run((app) => app.get(ProvisioningService).createKey(options.workspace, { key_name: options.name, user_email: options.userEmail, scopes: options.scope }), options),
  );

command(program, 'doctor', 'Checks roles, row-level security, migrations, storage, queue and clocks; exit code 1 when something is wrong.').action(async ({ json }: Output) => {
  const findings = await diagnose(loadSettings(), MIGRATIONS);
  if (json) print(findings, true);
  else process.stdout.write(findings.map(({ check, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'} ${check}${detail ? `: ${detail}` : ''}\n`).join(''));
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
});

program.parseAsync().catch(conclude);
