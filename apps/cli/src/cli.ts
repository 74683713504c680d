import { Command } from 'commander';
import { backupCommands } from './backup.commands';
import { creditsCommands } from './credits.commands';
import { installationCommands } from './installation.commands';
import { memberCommands } from './member.commands';
import { moduleCommands } from './module.commands';
import { Session, type Streams } from './session';
import { usageCommands } from './usage.commands';
import { workspaceCommands } from './workspace.commands';

/** Each subject adds its commands; the order is that of the help. */
const SUBJECTS = [installationCommands, backupCommands, workspaceCommands, moduleCommands, memberCommands, creditsCommands, usageCommands];

/** Runs one command line (without the program's own name) on the streams given; answers its exit code and never throws. */
export async function runCli(words: readonly string[], streams: Streams): Promise<number> {
  const session = new Session(streams);
  const output = { writeOut: (text: string) => session.say(text), writeErr: (text: string) => session.complain(text) };
  const program = new Command('atrium')
    .description('Operates an Atrium installation.')
    .showHelpAfterError()
    .exitOverride()
    .configureOutput(output);
  for (const add of SUBJECTS) add(program, session);
  try {
    await program.parseAsync(words, { from: 'user' });
    return session.code;
  } catch (error) {
    return session.conclude(error);
  }
}
