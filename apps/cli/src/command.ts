import { isId } from '@atrium/platform/kernel';
import { InvalidArgumentError, type Command } from 'commander';

/** What every command takes. */
export interface Output {
  readonly json?: boolean;
}

/** A command of a group; every command can print JSON. */
export const command = (group: Command, form: string, description: string): Command =>
  group.command(form).description(description).option('--json', 'print one line of JSON');

/** The same, about one workspace. */
export const onWorkspace = (group: Command, form: string, description: string): Command =>
  command(group, form, description).argument('<workspace>', 'id of the workspace', workspaceId);

export const workspaceId = (value: string): string => {
  if (!isId(value)) throw new InvalidArgumentError('Give the id of the workspace (a UUID).');
  return value.toLowerCase();
};

export const wholeNumber = (value: string): number => {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Give a whole number.');
  return Number(value);
};

export const pointInTime = (value: string): Date => {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('Give a date-time such as 2027-01-31T00:00:00Z.');
  return time;
};
