import { OperatedMembers, ProvisioningService } from '@atrium/identity';
import type { Command } from 'commander';
import { command, workspaceId, type Output } from './command';
import type { Session } from './session';

interface OfMember extends Output {
  readonly workspace: string;
  readonly email: string;
}

const ofWorkspace = (group: Command, form: string, description: string): Command =>
  command(group, form, description).requiredOption('--workspace <id>', 'id of the workspace', workspaceId);
const ofMember = (group: Command, form: string, description: string): Command =>
  ofWorkspace(group, form, description).requiredOption('--email <email>');

/** `atrium user …` and `atrium key …`: people and keys, for cases that no member of the workspace can resolve. */
export function memberCommands(program: Command, session: Session): void {
  userCommands(program.command('user').description('People.'), session);
  keyCommands(program.command('key').description('API keys.'), session);
}

function userCommands(group: Command, session: Session): void {
  ofMember(group, 'create', 'Adds a member with built-in roles. The password is read from standard input.')
    .requiredOption('--name <name>')
    .option('--role <key...>', 'owner, admin, editor, contributor or viewer', ['viewer'])
    .action((options: OfMember & { name: string; role: string[] }) =>
      session.run(async (app) => {
        const member = { user_email: options.email, user_name: options.name, password: await session.secret('Password') };
        return app.get(ProvisioningService).addUser(options.workspace, member, options.role);
      }, options),
    );

  ofWorkspace(group, 'list', 'Lists the members of a workspace with their roles.').action((options: OfMember) =>
    session.run((app) => app.get(OperatedMembers).listMembers(options.workspace), options),
  );

  ofMember(group, 'set-roles', 'Replaces the roles of a member.')
    .requiredOption('--role <role...>', 'key or name of a role')
    .action((options: OfMember & { role: string[] }) =>
      session.run((app) => app.get(OperatedMembers).setRoles(options.workspace, options.email, options.role), options),
    );

  ofMember(group, 'reset-password', 'Sets a new password for a member, read from standard input. All sessions of the person end.').action(
    (options: OfMember) =>
      session.run(
        async (app) => app.get(OperatedMembers).resetPassword(options.workspace, options.email, await session.secret('Password')),
        options,
      ),
  );

  ofMember(group, 'disable-mfa', 'Removes the second factor of a member.').action((options: OfMember) =>
    session.run((app) => app.get(OperatedMembers).disableMfa(options.workspace, options.email), options),
  );
}

function keyCommands(group: Command, session: Session): void {
  ofWorkspace(group, 'create', 'Creates an API key for a member. The key is shown only once.')
    .requiredOption('--user-email <email>')
    .requiredOption('--name <name>')
    .option('--scope <permission...>', 'permissions of the key; default: those of the member')
    .action((options: Output & { workspace: string; userEmail: string; name: string; scope?: string[] }) =>
      session.run(
        (app) =>
          app
            .get(ProvisioningService)
            .createKey(options.workspace, { key_name: options.name, user_email: options.userEmail, scopes: options.scope }),
        options,
      ),
    );

  ofWorkspace(group, 'revoke', 'Revokes an API key, effective with the next request.')
    .argument('<key>', 'id of the key, or its prefix as shown in lists (atk_…)')
    .action((key: string, options: OfMember) => session.run((app) => app.get(OperatedMembers).revokeKey(options.workspace, key), options));
}
