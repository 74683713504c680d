import { Command } from 'commander';
import { creditsCommands } from './credits.commands';
import { installationCommands } from './installation.commands';
import { memberCommands } from './member.commands';
import { moduleCommands } from './module.commands';
import { conclude } from './session';
import { usageCommands } from './usage.commands';
import { workspaceCommands } from './workspace.commands';

const program = new Command('atrium').description('Operates an Atrium installation.').showHelpAfterError().exitOverride();

/** Each subject adds its commands; the order is that of the help. */
for (const add of [installationCommands, workspaceCommands, moduleCommands, memberCommands, creditsCommands, usageCommands]) add(program);

program.parseAsync().catch(conclude);
