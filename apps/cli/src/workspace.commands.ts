import { MODULES } from '@atrium/platform/access';
import { WorkspaceLife, Workspaces, type WorkspaceDetail } from '@atrium/identity';
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { command, onWorkspace, wholeNumber, type Output } from './command';
import { UsageError, type Session } from './session';

interface Creation extends Output {
  readonly name: string;
  readonly slug: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  readonly invite?: boolean;
  readonly module?: string[];
  readonly allModules?: boolean;
  readonly seats?: number;
  readonly timezone?: string;
  readonly locale?: string;
  readonly credits?: number;
  readonly externalId?: string;
}

interface Change extends Output {
  readonly name?: string;
  readonly slug?: string;
  readonly seats?: number | 'none';
  readonly externalId?: string;
}

const MOST_GRACE_DAYS = 90;
const PAGE = 1_000;

/** `atrium workspace …`: how workspaces begin, live and end. */
export function workspaceCommands(program: Command, session: Session): void {
  const group = program.command('workspace').description('Workspaces.');

  command(group, 'create', 'Makes a workspace with its roles and owner; the password comes from standard input.')
    .requiredOption('--name <name>')
    .requiredOption('--slug <slug>')
    .requiredOption('--owner-email <email>')
    .requiredOption('--owner-name <name>')
    .option('--invite', 'ask for no password: print a link by which the owner comes in')
    .option('--module <module...>', 'modules to license')
    .option('--all-modules', 'license every module')
    .option('--seats <count>', 'most persons who may be active or invited', wholeNumber)
    .option('--timezone <name>', 'IANA name')
    .option('--locale <tag>', 'BCP 47')
    .option('--credits <count>', 'credits to begin with', wholeNumber)
    .option('--external-id <id>', 'id in the system of whoever provisions; asked for again, the workspace that there is is shown')
    .action((options: Creation) => session.run((app) => create(app, session, options), { ...options, founds: true }));

  command(group, 'list', 'Lists all workspaces, latest first.').action((options: Output) => session.run(list, options));

  onWorkspace(group, 'show', 'Shows a workspace, and how far its purge is.').action((ws_id: string, options: Output) =>
    session.run(async (app) => shown(await app.get(Workspaces).one(ws_id)), options),
  );

  onWorkspace(group, 'update', 'Changes name, slug, seats or outside reference.')
    .option('--name <name>')
    .option('--slug <slug>')
    .option('--seats <count>', 'most persons who may be active or invited; none: any number', (value) =>
      value === 'none' ? value : wholeNumber(value),
    )
    .option('--external-id <id>')
    .action((ws_id: string, { name, slug, seats, externalId, ...output }: Change) =>
      session.run(async (app) => {
        const facts = { ws_name: name, ws_slug: slug, ws_seat_limit: seats === 'none' ? null : seats, ws_external_id: externalId };
        if (Object.values(facts).every((value) => value === undefined)) throw new UsageError('Nothing to change is named.');
        return shown(await app.get(Workspaces).change(ws_id, facts));
      }, output),
    );

  const life = lifeOf(group, session);
  life('suspend', 'Closes a workspace to its members; nothing is lost, jobs wait.', (of, ws_id, { reason }) =>
    of.suspend(ws_id, reason ?? null),
  ).option('--reason <text>', 'shown to members');
  life('resume', 'Opens a suspended workspace; its jobs go on.', (of, ws_id, { reason }) => of.resume(ws_id, reason ?? null)).option(
    '--reason <text>',
  );
  life('delete', 'Closes a workspace and purges it when the grace is over.', (of, ws_id, { graceDays = 30 }) => {
    if (graceDays > MOST_GRACE_DAYS) throw new UsageError(`The grace is at most ${MOST_GRACE_DAYS} days.`);
    return of.remove(ws_id, graceDays);
  }).option('--grace-days <days>', 'from 0 to 90, else 30', wholeNumber);
  life('restore', 'Takes a deletion back while its grace lasts; the workspace stays suspended.', (of, ws_id) => of.restore(ws_id));
}

interface LifeOptions extends Output {
  readonly reason?: string;
  readonly graceDays?: number;
}

const lifeOf =
  (group: Command, session: Session) =>
  (name: string, description: string, act: (of: WorkspaceLife, ws_id: string, options: LifeOptions) => Promise<void>): Command =>
    onWorkspace(group, name, description).action((ws_id: string, options: LifeOptions) =>
      session.run(async (app) => {
        await act(app.get(WorkspaceLife), ws_id, options);
        const { ws_status, ws_delete_after } = await app.get(Workspaces).one(ws_id);
        return ws_delete_after === null ? { ws_id, ws_status } : { ws_id, ws_status, ws_delete_after };
      }, options),
    );

async function create(app: INestApplicationContext, session: Session, options: Creation): Promise<object> {
  const password = options.invite ? {} : { password: await session.secret('Password of the owner') };
  const { workspace, owner_user_id, invite_url } = await app.get(Workspaces).create({
    ws_name: options.name,
    ws_slug: options.slug,
    owner: { user_email: options.ownerEmail, user_name: options.ownerName, ...password },
    ws_modules: options.allModules ? MODULES : (options.module ?? []),
    ws_seat_limit: options.seats,
    ws_timezone: options.timezone,
    ws_locale: options.locale,
    initial_credits: options.credits,
    ws_external_id: options.externalId,
  });
  return { ws_id: workspace.ws_id, ...(owner_user_id ? { owner_user_id } : {}), ...(invite_url ? { invite_url } : {}) };
}

async function list(app: INestApplicationContext): Promise<object[]> {
  const lines: object[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await app.get(Workspaces).list({ limit: PAGE, ...(cursor ? { cursor } : {}) });
    lines.push(
      ...page.data.map(({ ws_id, ws_name, ws_slug, ws_status, ws_created }) => ({ ws_id, ws_name, ws_slug, ws_status, ws_created })),
    );
    cursor = page.next_cursor;
  }
  return lines;
}

const shown = ({ row_version: _, counts, ...workspace }: WorkspaceDetail): object => ({ ...workspace, ...counts });
